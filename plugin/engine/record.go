package engine

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/abi/wire"
	"github.com/ctxplan/ctxplan/plugin/message"
	"github.com/ctxplan/ctxplan/plugin/need"
	"github.com/ctxplan/ctxplan/plugin/vector"
)

// record takes the next record in. One of this version of the engine is run, and has to give the outcome that it holds. Of
// one of another version the outcome is applied, and nothing is judged again.
func (r *restoring) record(l *abi.LogLine) *abi.Error {
	s := r.stage
	if r.phase == phaseState {
		return r.corrupt("a record before the end of the state")
	}
	r.phase = phaseRecords
	if newer(l.Engine) {
		return unsupported()
	}
	name := "record " + strconv.FormatInt(l.Seq, 10) + " (" + l.Op + "): "
	in := []byte(l.In)
	if l.InText != "" {
		in = []byte(l.InText)
	}
	_, ok := minor(l.Engine)
	switch {
	case !ok || !abi.Mutating(l.Op) || l.Op == abi.OpRestore || len(l.Out) == 0 || (len(l.In) == 0) == (l.InText == ""):
		return corrupt(name + "it has no version, no op that changes the state, or not one request and one response")
	case r.records == 0 && l.Seq <= r.base:
		return nil
	case l.Seq != s.revision+1:
		return corrupt(name + "the one after " + strconv.FormatInt(s.revision, 10) + " was expected")
	}
	if l.Engine == abi.EngineVersion {
		out, e := r.run(s, l.Op, in)
		if e != nil {
			return corrupt(name + "it was refused: " + e.Code + ": " + e.Message)
		}
		if !bytes.Equal(out, l.Out) {
			return corrupt(name + "the outcome is another one")
		}
	} else if e := s.apply(l.Op, in, l.Out); e != nil {
		return corrupt(name + e.Message)
	}
	if s.revision != l.Seq {
		return corrupt(name + "it does not lead to its revision")
	}
	r.records++
	return nil
}

// unlimited takes the place of the limits while outcomes are applied: they were judged when it happened.
var unlimited = abi.LimitSettings{Messages: abi.MaxInteger, StateBytes: abi.MaxInteger, MessageBytes: abi.MaxInteger}

// apply makes of the state what an outcome says. After an error the space is to be thrown away.
func (s *Space) apply(op string, in, out []byte) *abi.Error {
	switch op {
	case abi.OpConfigure:
		return applied(s, in, out, s.applyConfigure)
	case abi.OpAppend:
		return applied(s, in, out, s.applyAppend)
	case abi.OpFulfil:
		return applied(s, in, out, s.applyFulfil)
	case abi.OpAmend:
		return applied(s, in, out, s.applyAmend)
	case abi.OpForget:
		return applied(s, in, out, s.applyForget)
	}
	return corrupt("an op that this engine does not know")
}

// applied reads a request and its outcome, and applies them.
func applied[Q, R any, PQ interface {
	*Q
	wire.Value
}, PR interface {
	*R
	wire.Value
}](s *Space, in, out []byte, do func(*Q, *R) *abi.Error) *abi.Error {
	var q Q
	var r R
	d := wire.Decoder{Tick: s.tick}
	if err := d.Decode(in, PQ(&q)); err != nil {
		return corrupt("the request can't be read: " + err.Error())
	}
	if err := d.Decode(out, PR(&r)); err != nil {
		return corrupt("the response can't be read: " + err.Error())
	}
	return do(&q, &r)
}

func (s *Space) applyConfigure(_ *abi.ConfigureRequest, out *abi.Outcome) *abi.Error {
	set := abi.DefaultSettings()
	if e := out.Settings.Merge(&set, "settings"); e != nil {
		return fromWire(e)
	}
	if e := checkSettings(&set, "settings"); e != nil {
		return e
	}
	s.configure(set)
	return nil
}

func (s *Space) applyAppend(req *abi.AppendRequest, out *abi.AppendResponse) *abi.Error {
	if len(out.Messages) != len(req.Messages) || req.Thread == "" || len(req.Thread) > abi.MaxID {
		return corrupt("request and outcome do not fit together")
	}
	t := s.threads[req.Thread]
	if t == nil {
		t = newThread("", -1)
	}
	j := &judgement{out: out.Messages, at: make([]int32, len(req.Messages))}
	held := make([]bool, len(t.book.Messages))
	next := int64(len(held)) + 1
	fresh := map[string]bool{}
	for i, a := range out.Messages {
		j.at[i] = -1
		switch known := a.Seq >= 1 && a.Seq <= int64(len(held)); {
		case a.Status == statusAdded && a.Seq == next && a.ID != "" && t.find(a.ID) < 0 && !fresh[a.ID] && ownOrGiven(a.ID, a.Seq):
			fresh[a.ID] = true
			next++
		case known && a.Status != statusAdded && t.book.Messages[a.Seq-1].Wire.ID == a.ID && a.ID != "":
			j.at[i] = int32(a.Seq - 1)
			held[a.Seq-1] = true
		case !known && a.Status == statusDuplicate && fresh[a.ID]:
		default:
			return corrupt("messages[" + strconv.Itoa(i) + "] does not fit the state")
		}
	}
	if req.Mode == modeSync {
		for at, m := range t.book.Messages {
			if !m.Gone && !held[at] {
				j.absent = append(j.absent, int32(at))
			}
		}
	}
	s.appendJudged(req, j)
	return nil
}

// ownOrGiven reports whether an id is one that a message with this number may have.
func ownOrGiven(id string, seq int64) bool {
	return id[0] != '#' || id == "#"+strconv.FormatInt(seq, 10)
}

func (s *Space) applyFulfil(req *abi.FulfilRequest, out *abi.FulfilResponse) *abi.Error {
	if len(out.Results) != len(req.Results) {
		return corrupt("request and outcome do not fit together")
	}
	for i := range req.Results {
		r := &req.Results[i]
		s.countCall(r)
		took := out.Results[i].Status == resultAccepted
		if !took && (r.Status != abi.StatusRefused || out.Results[i].Status != resultNoted) {
			continue
		}
		if e := s.applyResult(r, took); e != nil {
			return e
		}
		s.tick()
	}
	s.revision++
	return nil
}

// applyResult keeps the vectors of a result, or that the model refused them. Where this engine cuts the message otherwise
// than the one that asked, the vectors of all that was asked then stay together, one after the other.
func (s *Space) applyResult(r *abi.Result, took bool) *abi.Error {
	place, ok := need.Source(r.Need)
	model := s.settings.Models.Embed
	if !ok || model == nil || place.Thread >= len(s.order) || place.Seq < 1 || place.Seq > int64(len(s.order[place.Thread].book.Messages)) {
		return corrupt("a result for something that is not there")
	}
	t, at := s.order[place.Thread], int(place.Seq-1)
	fresh := []vector.Vector{vector.Refused}
	if took {
		if r.Vectors == nil || r.Vectors.Dimension != model.Dimension {
			return corrupt("a result without the vectors that were accepted")
		}
		n := int64(len(r.Vectors.F32))/4 + int64(len(r.Vectors.I8))
		if fresh, ok = readVectors(r.Vectors, int(n/model.Dimension)); !ok || len(fresh) == 0 {
			return corrupt("vectors that can't be read")
		}
	}
	var pieces []vector.Vector
	if old := &t.vectors[at]; old.model == s.keyOf(model) {
		pieces = append(pieces, old.pieces...)
	}
	first, total := -1, 0
	for _, n := range s.passages(t, at) {
		if n.ID == r.Need {
			first = total
			for took == false && len(fresh) < len(n.Texts) {
				fresh = append(fresh, vector.Refused)
			}
		}
		total += len(n.Texts)
	}
	if first < 0 || first+len(fresh) > total || len(pieces) > total {
		pieces = append(pieces, fresh...)
	} else {
		for len(pieces) < total {
			pieces = append(pieces, vector.Vector{})
		}
		copy(pieces[first:], fresh)
	}
	s.replaceVectors(t, at, embedded{model: s.keyOf(model), pieces: pieces})
	return nil
}

func (s *Space) applyAmend(req *abi.AmendRequest, out *abi.AmendResponse) *abi.Error {
	limits := s.settings.Limits
	s.settings.Limits = unlimited
	defer func() { s.settings.Limits = limits }()
	t := s.threads[req.Thread]
	switch {
	case t == nil || req.Edit == nil && req.CloseCall == nil:
		_, e := s.Amend(req)
		return e
	case len(out.Messages) != 1:
		return corrupt("request and outcome do not fit together")
	case req.CloseCall != nil:
		w := t.resultFor(req.CloseCall)
		return s.applyAppend(&abi.AppendRequest{Thread: t.id, Messages: []abi.Message{w}},
			&abi.AppendResponse{Messages: out.Messages})
	}
	at := t.find(req.Edit.ID)
	if at < 0 {
		return corrupt("there is no such message")
	}
	if out.Messages[0].Status == statusReplaced {
		old := t.book.Messages[at]
		w := old.Wire
		w.Content = req.Edit.Content
		if len(req.Edit.ToolCalls) > 0 {
			w.ToolCalls = req.Edit.ToolCalls
		}
		s.change(t, changes{at: edited(old, message.New(w, old.Seq))})
	}
	s.revision++
	return nil
}

// resultFor is the message that closes a call.
func (t *thread) resultFor(c *abi.CloseCall) abi.Message {
	m, name := t.openCall(c.ID)
	for at := len(t.book.Messages) - 1; m == nil && at >= 0; at-- {
		for _, call := range t.book.Messages[at].Wire.ToolCalls {
			if call.ID == c.ID {
				m, name = t.book.Messages[at], call.Name
			}
		}
	}
	w := abi.Message{Role: abi.RoleTool, Name: name, ToolCallID: c.ID, Content: abi.TextContent(c.Result), Error: c.Error}
	if m != nil {
		w.ACL = slices.Clone(m.Wire.ACL)
	}
	return w
}

// applyForget takes the messages of a receipt out. A receipt that does not list all is made anew from the request.
func (s *Space) applyForget(req *abi.ForgetRequest, out *abi.ForgetResponse) *abi.Error {
	if req.DryRun {
		return corrupt("it changes nothing")
	}
	if out.Messages != int64(len(out.Removed)) {
		_, e := s.Forget(req)
		return e
	}
	marked := map[*thread]changes{}
	for _, m := range out.Removed {
		t := s.threads[m.Thread]
		if t == nil || m.Seq < 1 || m.Seq > int64(len(t.book.Messages)) || t.book.Messages[m.Seq-1].Wire.ID != m.ID {
			return corrupt("the receipt names a message that is not there")
		}
		if marked[t] == nil {
			marked[t] = changes{}
		}
		marked[t][int32(m.Seq-1)] = message.Tombstone(m.Seq)
	}
	for _, t := range s.order {
		if c := marked[t]; c != nil {
			s.change(t, c)
		}
	}
	for _, id := range out.Threads {
		t := s.threads[id]
		if t == nil || t.book.Count > 0 {
			return corrupt("the receipt names a thread that is not there, or has messages")
		}
		s.close(t)
	}
	s.revision++
	if out.Messages > 0 || len(out.Threads) > 0 {
		s.forgotten = s.revision
		s.views = nil
	}
	return nil
}
