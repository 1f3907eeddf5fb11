package engine

import (
	"maps"
	"slices"
	"strconv"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/message"
)

// Amend changes messages that are there: all that the request names, or none.
func (s *Space) Amend(req *abi.AmendRequest) (*abi.AmendResponse, *abi.Error) {
	if e := checkNow(req.Now); e != nil {
		return nil, e
	}
	actions := 0
	for _, given := range [...]bool{req.Edit != nil, len(req.Pin) > 0, len(req.Unpin) > 0, req.Label != nil, req.CloseCall != nil, req.Fork != nil} {
		if given {
			actions++
		}
	}
	if actions != 1 {
		return nil, failure(abi.CodeInvalidRequest, "", "there is exactly one of edit, pin, unpin, label, close_call and fork")
	}
	if req.Fork != nil {
		if req.Thread != "" {
			return nil, failure(abi.CodeInvalidRequest, "thread", "a fork names its threads itself")
		}
		return s.fork(req.Fork)
	}
	if e := checkThread(req.Thread, "thread"); e != nil {
		return nil, e
	}
	t := s.threads[req.Thread]
	if t == nil {
		return nil, failure(abi.CodeNotFound, "thread", "there is no such thread")
	}
	switch {
	case req.Edit != nil:
		return s.edit(t, req.Edit)
	case req.Label != nil:
		return s.label(t, req.Label)
	case req.CloseCall != nil:
		return s.closeCall(t, req.CloseCall)
	case len(req.Pin) > 0:
		return s.pin(t, req.Pin, "pin", true)
	}
	return s.pin(t, req.Unpin, "unpin", false)
}

// amended answers for messages that were changed in place.
func (s *Space) amended(t *thread, status string, ats []int32) *abi.AmendResponse {
	s.revision++
	out := &abi.AmendResponse{Revision: s.revision, Thread: t.id, Messages: []abi.Appended{}}
	for _, at := range ats {
		m := t.book.Messages[at]
		out.Messages = append(out.Messages, abi.Appended{ID: m.Wire.ID, Seq: m.Seq, Status: status})
	}
	return out
}

const statusReplaced = "replaced"

func (s *Space) edit(t *thread, e *abi.Edit) (*abi.AmendResponse, *abi.Error) {
	at := t.find(e.ID)
	if at < 0 {
		return nil, failure(abi.CodeNotFound, "edit.id", "there is no such message")
	}
	old := t.book.Messages[at]
	w := old.Wire
	w.Content = e.Content
	if len(e.ToolCalls) > 0 {
		w.ToolCalls = e.ToolCalls
	}
	if e := message.Check(&w, "edit"); e != nil {
		return nil, fromWire(e)
	}
	if n := message.Bytes(&w); n > s.settings.Limits.MessageBytes {
		return nil, tooLarge("edit", "the message is larger than limits.message_bytes", n, s.settings.Limits.MessageBytes)
	}
	if e := s.roomFor(message.Bytes(&w)-message.Bytes(&old.Wire), 0, "edit"); e != nil {
		return nil, e
	}
	if message.Equal(&old.Wire, &w) {
		return s.amended(t, statusDuplicate, []int32{at}), nil
	}
	s.change(t, changes{at: edited(old, message.New(w, old.Seq))})
	return s.amended(t, statusReplaced, []int32{at}), nil
}

// findAll finds messages by id, or says which is not there.
func (t *thread) findAll(ids []string, path string) ([]int32, *abi.Error) {
	ats := make([]int32, len(ids))
	for i, id := range ids {
		if ats[i] = t.find(id); ats[i] < 0 {
			return nil, failure(abi.CodeNotFound, path+"["+strconv.Itoa(i)+"]", "there is no such message")
		}
	}
	return ats, nil
}

func (s *Space) pin(t *thread, ids []string, path string, pinned bool) (*abi.AmendResponse, *abi.Error) {
	ats, e := t.findAll(ids, path)
	if e != nil {
		return nil, e
	}
	for _, at := range ats {
		t.book.Messages[at].Wire.Pin = pinned
	}
	t.book.Repin()
	s.views = nil
	return s.amended(t, statusReplaced, ats), nil
}

// label sets labels. The label session decides where sessions begin, so that the thread is derived anew.
func (s *Space) label(t *thread, l *abi.LabelEdit) (*abi.AmendResponse, *abi.Error) {
	ats, e := t.findAll(l.IDs, "label.ids")
	if e != nil {
		return nil, e
	}
	if len(ats) == 0 || len(l.Labels) == 0 {
		return nil, failure(abi.CodeInvalidRequest, "label", "there is at least one id and one label")
	}
	c := changes{}
	var grow int64
	for i, at := range ats {
		if c[at] != nil {
			continue
		}
		old := t.book.Messages[at]
		m := *old
		m.Wire.Labels = maps.Clone(old.Wire.Labels)
		if m.Wire.Labels == nil {
			m.Wire.Labels = map[string]string{}
		}
		for k, v := range l.Labels {
			if v == "" {
				delete(m.Wire.Labels, k)
			} else {
				m.Wire.Labels[k] = v
			}
		}
		if n := message.Bytes(&m.Wire); n > s.settings.Limits.MessageBytes {
			return nil, tooLarge("label.ids["+strconv.Itoa(i)+"]", "the message is larger than limits.message_bytes", n, s.settings.Limits.MessageBytes)
		}
		grow += message.Bytes(&m.Wire) - message.Bytes(&old.Wire)
		c[at] = &m
	}
	if e := s.roomFor(grow, 0, "label"); e != nil {
		return nil, e
	}
	s.relabel(t, c)
	return s.amended(t, statusReplaced, ats), nil
}

// closeCall appends a result for an open call. Whoever may see the call may see the result, and nobody else.
func (s *Space) closeCall(t *thread, c *abi.CloseCall) (*abi.AmendResponse, *abi.Error) {
	m, name := t.openCall(c.ID)
	if m == nil {
		return nil, failure(abi.CodeNotFound, "close_call.id", "there is no open call with this id")
	}
	w := abi.Message{Role: abi.RoleTool, Name: name, ToolCallID: c.ID, Content: abi.TextContent(c.Result), Error: c.Error,
		ACL: slices.Clone(m.Wire.ACL)}
	out, e := s.Append(&abi.AppendRequest{Thread: t.id, Messages: []abi.Message{w}})
	if e != nil {
		return nil, e
	}
	return &abi.AmendResponse{Revision: out.Revision, Thread: t.id, Messages: out.Messages}, nil
}

// openCall finds the newest open call with an id: its message, nil without, and the name of its tool.
func (t *thread) openCall(id string) (m *message.Message, name string) {
	type call struct {
		m    *message.Message
		name string
	}
	for _, g := range t.book.OpenGroups() {
		var open []call
		for _, at := range t.book.Groups[g].Messages {
			x := t.book.Messages[at]
			if x.Wire.ToolCallID == id && len(open) > 0 {
				open = open[:len(open)-1]
			}
			for _, c := range x.Wire.ToolCalls {
				if c.ID == id {
					open = append(open, call{x, c.Name})
				}
			}
		}
		if n := len(open); n > 0 {
			m, name = open[n-1].m, open[n-1].name
		}
	}
	return m, name
}

// fork makes a thread of the beginning of another one, with the same ids and numbers.
func (s *Space) fork(f *abi.Fork) (*abi.AmendResponse, *abi.Error) {
	if e := checkThread(f.To, "fork.to"); e != nil {
		return nil, e
	}
	from := s.threads[f.From]
	if from == nil {
		return nil, failure(abi.CodeNotFound, "fork.from", "there is no such thread")
	}
	if s.threads[f.To] != nil {
		return nil, failure(abi.CodeConflict, "fork.to", "there is a thread with this id already")
	}
	last := from.find(f.At)
	if last < 0 {
		return nil, failure(abi.CodeNotFound, "fork.at", "there is no such message")
	}
	var count, bytes int64
	for _, m := range from.book.Messages[:last+1] {
		if !m.Gone {
			count++
			bytes += message.Bytes(&m.Wire)
			for _, piece := range from.vectors[m.Seq-1].pieces {
				bytes += piece.Bytes()
			}
		}
	}
	if n := s.messages + count; n > s.settings.Limits.Messages {
		return nil, tooLarge("fork", "the space would hold more than limits.messages", n, s.settings.Limits.Messages)
	}
	if e := s.roomFor(bytes, count, "fork"); e != nil {
		return nil, e
	}
	t := s.open(f.To)
	g := gap(&s.settings)
	out := &abi.AmendResponse{Thread: f.To, Messages: []abi.Appended{}}
	for i, m := range from.book.Messages[:last+1] {
		copied := *m
		s.add(t, &copied, g)
		if v := from.vectors[i]; len(v.pieces) > 0 {
			s.replaceVectors(t, i, v)
		}
		if i%4 == 3 {
			s.tick()
		}
	}
	s.messages += count
	m := t.book.Messages[last]
	out.Messages = append(out.Messages, abi.Appended{ID: m.Wire.ID, Seq: m.Seq, Status: statusAdded})
	s.revision++
	out.Revision = s.revision
	return out, nil
}
