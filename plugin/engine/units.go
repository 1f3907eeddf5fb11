package engine

import (
	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/message"
)

// unit is a turn, or a step of a large one: consecutive groups that are sent or left out together.
type unit struct {
	turn   int32
	groups []int32
	// first says that the unit begins with the user message of its turn.
	first bool
	// price of all messages that are sent of it, in tokens.
	price int64
}

// units cuts a turn into steps at group borders, none larger than recent.step_tokens unless a single group is.
func (p *planner) units(turn int32) []unit {
	var us []unit
	for n, g := range p.t.book.Turns[turn].Groups {
		if n%256 == 255 {
			p.s.tick()
		}
		price := p.groupPrice(g)
		if price == 0 && n > 0 {
			continue // nothing of it is sent, or it is placed already
		}
		if n := len(us); n == 0 || us[n-1].price+price > p.set.Recent.StepTokens && us[n-1].price > 0 {
			us = append(us, unit{turn: turn, first: n == 0 && turn > 0})
		}
		u := &us[len(us)-1]
		u.groups = append(u.groups, g)
		u.price += price
	}
	return us
}

// groupPrice is what the messages of a group cost that are sent and are nowhere else in the plan yet.
func (p *planner) groupPrice(g int32) int64 {
	var n int64
	for _, at := range p.t.book.Groups[g].Messages {
		if p.fates[at] == fateNone {
			n += p.price(at)
		}
	}
	return n
}

// price of a message as it is sent.
func (p *planner) price(at int32) int64 {
	if e, ok := p.excerpts[at]; ok {
		return e.price
	}
	switch p.mode(at) {
	case modeOut:
		return 0
	case modeText:
		return p.profile.Message(textOnly(p.msg(at)))
	}
	return p.whole(at)
}

// mode says how a message is sent. An open group is whole while no user message follows it; after that the text of its
// calls stays and the rest is left out.
func (p *planner) mode(at int32) mode {
	m := p.msg(at)
	g := &p.t.book.Groups[m.Group]
	switch {
	case g.Orphan:
		return modeOut
	case g.Open == 0 || g.Turn == p.liveTurn():
		return modeWhole
	case m.Wire.Role == abi.RoleTool || m.Wire.Content.Empty():
		return modeOut
	}
	return modeText
}

// liveTurn is the number of the stored turn that is still going on, -1 when there is none. Before the first user message
// it is turn 0.
func (p *planner) liveTurn() int32 {
	if p.userInput || len(p.t.book.Turns) == 1 && len(p.t.book.Turns[0].Groups) == 0 {
		return -1
	}
	return int32(len(p.t.book.Turns) - 1)
}

// textOnly is a message without its calls.
func textOnly(m *message.Message) *abi.Message {
	w := m.Wire
	w.ToolCalls = nil
	return &w
}
