package engine

import (
	"slices"
	"strconv"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/message"
)

// resolveInput checks the input and finds the messages of it that are stored.
func (p *planner) resolveInput() *abi.Error {
	seq := int64(len(p.t.book.Messages))
	var asked []int32
	for i := range p.req.Input {
		w := p.req.Input[i]
		path := "input[" + strconv.Itoa(i) + "]"
		if e := message.Check(&w, path); e != nil {
			return fromWire(e)
		}
		if w.ID != "" {
			if at := p.t.find(w.ID); at >= 0 {
				if !message.Equal(&p.t.book.Messages[at].Wire, &w) {
					return failure(abi.CodeConflict, path+".id", "a message with this id and other content is stored")
				}
				asked = append(asked, at)
				continue
			}
		}
		seq++
		p.input = append(p.input, message.New(w, seq))
		p.userInput = p.userInput || w.Role == abi.RoleUser
	}
	for _, at := range asked {
		p.ask(at)
	}
	return nil
}

// joinInput puts the input behind the thread, in a copy of it for this plan, when it has calls or results: so a result
// joins the group of its call, and what can't be sent is refused.
func (p *planner) joinInput() *abi.Error {
	if n := len(p.t.book.Messages); n > 0 && !p.userInput && n == p.stored {
		// A late result belongs to an earlier turn; what is newest has to be in all the same.
		if m := p.msg(int32(n - 1)); !m.Gone && m.Turn > 0 && m.Turn != p.liveTurn() && m.Wire.Role == abi.RoleTool && m.Call >= 0 {
			p.ask(int32(n - 1))
		}
	}
	calls := false
	for _, m := range p.input {
		calls = calls || m.Wire.Role == abi.RoleTool || len(m.Wire.ToolCalls) > 0
	}
	if !calls {
		return nil
	}
	fresh := make([]*message.Message, 0, len(p.input))
	for _, m := range p.input {
		if m.Seq > int64(p.stored) {
			fresh = append(fresh, m)
		}
	}
	t := *p.t
	t.book = p.t.book.With(fresh, gap(&p.s.settings))
	t.costs = slices.Clip(p.t.costs)
	t.vectors = slices.Clip(p.t.vectors)
	for _, m := range fresh {
		t.costs = append(t.costs, costOf(m))
		t.vectors = append(t.vectors, embedded{})
		p.fates = append(p.fates, fateInput)
	}
	for i, s := range p.scope {
		if s == p.t {
			p.scope[i] = &t
		}
	}
	p.t = &t
	for at := p.stored; at < len(t.book.Messages); at++ {
		m := t.book.Messages[at]
		g := &t.book.Groups[m.Group]
		path := "input[" + strconv.Itoa(p.inputIndex(m)) + "]"
		switch {
		case g.Orphan:
			return failure(abi.CodeInvalidRequest, path+".tool_call_id", "no call that waits for a result has this id")
		case g.Open > 0 && g.Turn != p.liveTurn() && (len(m.Wire.ToolCalls) > 0 || m.Wire.Role == abi.RoleTool) && g.Turn != int32(len(t.book.Turns)-1):
			return failure(abi.CodeInvalidRequest, path, "a call of its group has no result, and a user message follows")
		}
		if first := t.book.Groups[m.Group].Messages[0]; int(first) < p.stored {
			p.ask(first)
		}
	}
	p.orderInput()
	return nil
}

// orderInput puts results of the input directly behind their calls, where those are of the input too.
func (p *planner) orderInput() {
	answers := map[int64][]*message.Message{}
	called := map[int64]bool{}
	for _, m := range p.input {
		called[m.Seq] = true
	}
	for _, m := range p.input {
		if m.Wire.Role == abi.RoleTool && m.Call >= 0 && called[int64(m.Call)+1] {
			answers[int64(m.Call)+1] = append(answers[int64(m.Call)+1], m)
		}
	}
	if len(answers) == 0 {
		return
	}
	ordered := make([]*message.Message, 0, len(p.input))
	for _, m := range p.input {
		if m.Wire.Role == abi.RoleTool && m.Call >= 0 && called[int64(m.Call)+1] {
			continue
		}
		ordered = append(append(ordered, m), answers[m.Seq]...)
	}
	p.input = ordered
}

// inputIndex is the place in the request of a message of the input.
func (p *planner) inputIndex(m *message.Message) int {
	for i := range p.req.Input {
		if p.req.Input[i].ToolCallID == m.Wire.ToolCallID && len(p.req.Input[i].ToolCalls) == len(m.Wire.ToolCalls) &&
			message.Equal(&p.req.Input[i], &m.Wire) {
			return i
		}
	}
	return 0
}

// ask notes that a stored message has to be in, with its group and the user message of its turn. What stands before the
// first user message can't begin a conversation and moves to the input.
func (p *planner) ask(at int32) {
	m := p.msg(at)
	if m.Standing() || p.t.book.Groups[m.Group].Orphan {
		return
	}
	if m.Turn == 0 && p.liveTurn() != 0 {
		var moved []*message.Message
		for _, at := range p.t.book.Groups[m.Group].Messages {
			if p.fates[at] == fateNone && p.mode(at) == modeWhole {
				p.fates[at] = fateInput
				moved = append(moved, p.msg(at))
			}
		}
		p.input = append(moved, p.input...)
		return
	}
	for _, g := range [...]int32{p.groupOf(p.t.book.Turns[m.Turn].User), m.Group} {
		if g >= 0 && !slices.Contains(p.asked, g) {
			p.asked = append(p.asked, g)
		}
	}
}

// groupOf is the group of a message, -1 for the message -1.
func (p *planner) groupOf(at int32) int32 {
	if at < 0 {
		return -1
	}
	return p.msg(at).Group
}
