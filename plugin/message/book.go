package message

import (
	"slices"

	"github.com/ctxplan/ctxplan/abi"
)

// Book sorts the messages of one thread into groups, turns, runs and sessions as they arrive.
type Book struct {
	// Messages in order of arrival: Messages[i].Seq is i+1. Those that are gone are in no group and no turn.
	Messages []*Message
	// Count is how many of them are not gone.
	Count  int
	Groups []Group
	// Turns[0] is what stands before the first user message; it may be empty.
	Turns []Turn
	// Standing lists the system and developer messages, Pinned the pinned ones, Orphans the results without a call, each
	// by its number and in order.
	Standing, Pinned, Orphans []int32
	runs                      int32
	// last is the newest message that is not a system or developer message.
	last *Message
	// lastTime is the newest known time in order of arrival.
	lastTime int64
	hasTime  bool
	session  int32
	// label is the session label of the newest message.
	label string
	// open holds the calls without a result by their id, the newest last.
	open map[string][]openCall
	// called lists the groups with calls, in order; waiting counts the calls of all of them that have no result.
	called  []int32
	waiting int
}

// Group is an assistant message with calls and all its results, or one other message.
type Group struct {
	// Messages by their number from 0, in order of arrival.
	Messages []int32
	Turn     int32
	// Open is how many calls have no result yet.
	Open int32
	// Orphan says that the group is a tool result without a call.
	Orphan bool
}

// Turn is a user message and all groups that follow it.
type Turn struct {
	// User is the number of the user message, -1 in turn 0.
	User int32
	// Groups in order; the first is that of the user message. System and developer messages are not among them.
	Groups []int32
}

// openCall is call number index of message at.
type openCall struct {
	group, at, index int32
}

// NewBook makes an empty book.
func NewBook() *Book {
	return &Book{Turns: []Turn{{User: -1}}, open: map[string][]openCall{}}
}

// Add takes the next message in. gap is the pause in seconds, forward or back, that ends a session.
func (b *Book) Add(m *Message, gap int64) {
	at := int32(len(b.Messages))
	b.Messages = append(b.Messages, m)
	if m.Gone {
		m.Session = b.session
		return
	}
	b.Count++
	b.placeSession(m, gap)
	b.placeRun(m)
	if m.Wire.Pin {
		b.Pinned = append(b.Pinned, at)
	}
	switch {
	case m.Standing():
		b.Standing = append(b.Standing, at)
		b.newGroup(m, at, -1)
	case m.Wire.Role == abi.RoleUser:
		b.Turns = append(b.Turns, Turn{User: at})
		b.newGroup(m, at, b.current())
	case m.Wire.Role == abi.RoleTool:
		b.placeResult(m, at)
	case len(m.Wire.ToolCalls) > 0:
		b.placeCalls(m, at)
	default:
		b.newGroup(m, at, b.current())
	}
}

func (b *Book) current() int32 { return int32(len(b.Turns) - 1) }

func (b *Book) newGroup(m *Message, at, turn int32) *Group {
	m.Group, m.Turn = int32(len(b.Groups)), max(turn, 0)
	b.Groups = append(b.Groups, Group{Messages: []int32{at}, Turn: turn})
	if turn >= 0 {
		b.Turns[turn].Groups = append(b.Turns[turn].Groups, m.Group)
	}
	return &b.Groups[m.Group]
}

// placeCalls opens the calls of m. While calls of this turn are open the new ones overlap them and join their group.
func (b *Book) placeCalls(m *Message, at int32) {
	var g *Group
	last := int32(-1)
	if n := len(b.called); n > 0 {
		last = b.called[n-1]
	}
	if last >= 0 && b.Groups[last].Open > 0 && b.Groups[last].Turn == b.current() {
		m.Group, m.Turn = last, b.current()
		g = &b.Groups[last]
		g.Messages = append(g.Messages, at)
	} else {
		g = b.newGroup(m, at, b.current())
		b.called = append(b.called, m.Group)
	}
	for i := range m.Wire.ToolCalls {
		id := m.Wire.ToolCalls[i].ID
		b.open[id] = append(b.open[id], openCall{m.Group, at, int32(i)})
		g.Open++
		b.waiting++
	}
}

// placeResult gives the result to the newest open call with its id.
func (b *Book) placeResult(m *Message, at int32) {
	m.Call = -1
	if calls := b.open[m.Wire.ToolCallID]; len(calls) > 0 {
		c := calls[len(calls)-1]
		if len(calls) == 1 {
			delete(b.open, m.Wire.ToolCallID)
		} else {
			b.open[m.Wire.ToolCallID] = slices.Clip(calls[:len(calls)-1])
		}
		g := &b.Groups[c.group]
		m.Group, m.Turn, m.Call, m.CallIndex = c.group, g.Turn, c.at, c.index
		g.Messages = append(g.Messages, at)
		g.Open--
		b.waiting--
		return
	}
	b.Orphans = append(b.Orphans, at)
	b.newGroup(m, at, b.current()).Orphan = true
}

func (b *Book) placeSession(m *Message, gap int64) {
	if m.Time.Valid {
		// A jump back ends a session too: an older conversation was imported behind a newer one.
		if pause := m.Time.Unix - b.lastTime; b.hasTime && (pause > gap || pause < -gap) {
			b.session++
		}
		b.lastTime, b.hasTime = m.Time.Unix, true
	}
	if l := m.Wire.Labels["session"]; l != b.label {
		if b.Count > 1 {
			b.session++
		}
		b.label = l
	}
	m.Session = b.session
}

func (b *Book) placeRun(m *Message) {
	if m.Standing() {
		m.Run = b.runs
		b.runs++
		b.last = nil
		return
	}
	l := b.last
	joins := l != nil && l.Wire.Role == m.Wire.Role && l.Wire.Name == m.Wire.Name && l.Session == m.Session &&
		len(l.Wire.ToolCalls) == 0 && len(m.Wire.ToolCalls) == 0 && m.Wire.Role != abi.RoleTool
	if joins {
		m.Run = l.Run
	} else {
		m.Run = b.runs
		b.runs++
	}
	b.last = m
}

// Repin reads the pins of the messages anew.
func (b *Book) Repin() {
	b.Pinned = b.Pinned[:0]
	for at, m := range b.Messages {
		if m.Wire.Pin {
			b.Pinned = append(b.Pinned, int32(at))
		}
	}
}

// Runs is how many runs there are.
func (b *Book) Runs() int32 { return b.runs }

// Live is the newest turn, or nil when there was no user message yet.
func (b *Book) Live() *Turn {
	if len(b.Turns) < 2 {
		return nil
	}
	return &b.Turns[len(b.Turns)-1]
}

// Waiting reports whether any call has no result yet.
func (b *Book) Waiting() bool { return b.waiting > 0 }

// OpenGroups lists the groups that have calls without a result, in order.
func (b *Book) OpenGroups() []int32 {
	var groups []int32
	if b.waiting == 0 {
		return nil
	}
	for _, g := range b.called {
		if b.Groups[g].Open > 0 {
			groups = append(groups, g)
		}
	}
	return groups
}

// With is a copy of the book with more messages behind its own, which are not changed.
func (b *Book) With(more []*Message, gap int64) *Book {
	c := *b
	c.Messages = slices.Clone(b.Messages)
	c.Groups = slices.Clone(b.Groups)
	c.Turns = slices.Clone(b.Turns)
	c.Standing, c.Pinned, c.Orphans, c.called = slices.Clip(b.Standing), slices.Clip(b.Pinned), slices.Clip(b.Orphans), slices.Clip(b.called)
	for i := range c.Groups {
		c.Groups[i].Messages = slices.Clip(c.Groups[i].Messages)
	}
	for i := range c.Turns {
		c.Turns[i].Groups = slices.Clip(c.Turns[i].Groups)
	}
	c.open = make(map[string][]openCall, len(b.open))
	for id, calls := range b.open {
		c.open[id] = slices.Clip(calls)
	}
	for _, m := range more {
		c.Add(m, gap)
	}
	return &c
}
