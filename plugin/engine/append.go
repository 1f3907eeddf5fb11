package engine

import (
	"strconv"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/lexical"
	"github.com/ctxplan/ctxplan/plugin/message"
	"github.com/ctxplan/ctxplan/plugin/render"
	"github.com/ctxplan/ctxplan/plugin/tokens"
)

// Append adds messages at the end of a thread, all or none.
func (s *Space) Append(req *abi.AppendRequest) (*abi.AppendResponse, *abi.Error) {
	if e := checkThread(req.Thread, "thread"); e != nil {
		return nil, e
	}
	if e := checkNow(req.Now); e != nil {
		return nil, e
	}
	if len(req.Messages) == 0 {
		return nil, failure(abi.CodeInvalidRequest, "messages", "there is at least one message")
	}
	out, added, e := s.judge(req)
	if e != nil {
		return nil, e
	}
	t := s.threads[req.Thread]
	if t == nil {
		t = newThread(req.Thread, len(s.order))
		s.threads[req.Thread] = t
		s.order = append(s.order, t)
	}
	g := gap(&s.settings)
	for i := range req.Messages {
		if out[i].Status == statusAdded {
			req.Messages[i].ID = out[i].ID
			s.add(t, message.New(req.Messages[i], out[i].Seq), g)
			if i%16 == 15 {
				s.tick()
			}
		}
	}
	s.messages += added
	s.revision++
	return &abi.AppendResponse{Thread: req.Thread, Revision: s.revision, Messages: out}, nil
}

// What becomes of an appended message.
const (
	statusAdded     = "added"
	statusDuplicate = "duplicate"
)

// judge says what becomes of each message and changes nothing.
func (s *Space) judge(req *abi.AppendRequest) (out []abi.Appended, added int64, e *abi.Error) {
	t := s.threads[req.Thread]
	next := int64(1)
	if t != nil {
		next += int64(len(t.book.Messages))
	}
	out = make([]abi.Appended, len(req.Messages))
	fresh := map[string]int{}
	for i := range req.Messages {
		m := &req.Messages[i]
		path := "messages[" + strconv.Itoa(i) + "]"
		if e := message.Check(m, path); e != nil {
			return nil, 0, fromWire(e)
		}
		if n := message.Bytes(m); n > s.settings.Limits.MessageBytes {
			return nil, 0, tooLarge(path, "the message is larger than limits.message_bytes", n, s.settings.Limits.MessageBytes)
		}
		if m.ID != "" {
			old, seq := s.known(t, req.Messages, fresh, out, m.ID)
			if old != nil {
				if !message.Equal(old, m) {
					return nil, 0, failure(abi.CodeConflict, path+".id", "a message with this id and other content is there already")
				}
				out[i] = abi.Appended{ID: m.ID, Seq: seq, Status: statusDuplicate}
				continue
			}
			if own, ok := ownID(m.ID); m.ID[0] == '#' && (!ok || own != next) {
				return nil, 0, failure(abi.CodeInvalidRequest, path+".id", "ids that begin with # are given by the engine")
			}
			fresh[m.ID] = i
		}
		id := m.ID
		if id == "" {
			id = "#" + strconv.FormatInt(next, 10)
			fresh[id] = i
		}
		out[i] = abi.Appended{ID: id, Seq: next, Status: statusAdded}
		next++
		added++
	}
	if n := s.messages + added; n > s.settings.Limits.Messages {
		return nil, 0, tooLarge("messages", "the space would hold more than limits.messages", n, s.settings.Limits.Messages)
	}
	return out, added, nil
}

// known finds a message by its id, in the thread or among those of the request that come before.
func (s *Space) known(t *thread, batch []abi.Message, fresh map[string]int, out []abi.Appended, id string) (m *abi.Message, seq int64) {
	if t != nil {
		if at := t.find(id); at >= 0 {
			return &t.book.Messages[at].Wire, int64(at) + 1
		}
	}
	if i, ok := fresh[id]; ok {
		return &batch[i], out[i].Seq
	}
	return nil, 0
}

// add puts a checked message into a thread.
func (s *Space) add(t *thread, m *message.Message, gap int64) {
	at := int32(len(t.book.Messages))
	if m.Wire.ID[0] != '#' {
		t.named[m.Wire.ID] = at
	}
	t.book.Add(m, gap)
	t.index.Add(t.doc(m))
	c := costOf(m)
	t.costs = append(t.costs, c)
	t.vectors = append(t.vectors, embedded{})
	for p := range c.full {
		t.full[p] += c.full[p]
	}
	n := message.Bytes(&m.Wire)
	t.textBytes += n
	s.textBytes += n
}

func costOf(m *message.Message) cost {
	var c cost
	for p := range tokens.Count {
		body := p.Body(&m.Wire)
		c.full[p] = p.Frame(&m.Wire) + body
		if len(m.Wire.ToolCalls) == 0 && len(m.Wire.Content.Parts) == 0 {
			c.quote[p] = body
		} else {
			c.quote[p] = p.Text(render.Quoted(m))
		}
	}
	return c
}

// doc is what the index gets of a message. System and developer messages are always in the plan and never searched; their
// document is empty.
func (t *thread) doc(m *message.Message) lexical.Doc {
	d := lexical.Doc{Session: m.Session, Run: m.Run}
	if m.Standing() {
		return d
	}
	d.Text = m.IndexText()
	d.Speaker = m.Wire.Name
	if m.Wire.Role == abi.RoleTool {
		if caption := t.caption(m); caption != "" {
			d.Text = caption + "\n" + d.Text
		}
	}
	if m.Time.Valid {
		d.Year, d.Month, d.Day = int(m.Time.Year), int(m.Time.Month), int(m.Time.Day)
	}
	return d
}

// caption names the call that a tool message answers, or is empty.
func (t *thread) caption(m *message.Message) string {
	g := &t.book.Groups[m.Group]
	if g.Orphan {
		return m.Wire.Name
	}
	for _, at := range g.Messages {
		if c := render.Caption(t.book.Messages[at], m.Wire.ToolCallID); c != "" {
			return c
		}
	}
	return m.Wire.Name
}
