package checktalk

import (
	"encoding/json"
	"fmt"
	"time"
	"unicode"
)

// Least is what a conversation must have to count as long.
var Least = struct {
	Messages, Turns int
	Span            time.Duration
	// Batches is how many assistant messages make several calls at once.
	Batches int
	// ChineseTurns is the length of the longest stretch of turns in Chinese.
	ChineseTurns int
}{650, 320, 21 * 24 * time.Hour, 5, 60}

// CheckConversation lists the faults of a conversation, in the order of its lines, those of the whole last.
func CheckConversation(messages []Message) []string {
	c := conversation{calls: map[string]*call{}, said: map[string]int{}}
	for i := range messages {
		c.message(i+1, &messages[i])
	}
	c.whole(len(messages))
	return c.faults
}

type conversation struct {
	faults []string

	first, last time.Time
	turns       int
	said        map[string]int // content of a user message → line
	calls       map[string]*call
	order       []*call
	batches     int
	stretch     int // turns in Chinese up to here
	longest     int
}

type call struct {
	line, turn int
	answered   bool
}

func (c *conversation) fault(line int, format string, args ...any) {
	c.faults = append(c.faults, fmt.Sprintf("line %d: ", line)+fmt.Sprintf(format, args...))
}

func (c *conversation) message(line int, m *Message) {
	c.time(line, m)
	switch m.Role {
	case RoleUser:
		c.user(line, m)
	case RoleAssistant:
		c.assistant(line, m)
	case RoleTool:
		c.tool(line, m)
	default:
		c.fault(line, "role %q", m.Role)
	}
	if m.Role != RoleAssistant && len(m.ToolCalls) > 0 {
		c.fault(line, "calls by %s", m.Role)
	}
	if m.Role != RoleTool && m.ToolCallID != "" {
		c.fault(line, "a result by %s", m.Role)
	}
	if m.Text() == "" && len(m.ToolCalls) == 0 {
		c.fault(line, "neither content nor calls")
	}
}

func (c *conversation) time(line int, m *Message) {
	t, err := m.instant()
	if err != nil {
		c.fault(line, "time %q is not RFC 3339 with an offset", m.Time)
		return
	}
	if c.first.IsZero() {
		c.first = t
	}
	if t.Before(c.last) {
		c.fault(line, "time runs backwards")
	}
	c.last = t
}

func (c *conversation) user(line int, m *Message) {
	c.turns++
	if m.Name == "" {
		c.fault(line, "user message without a name")
	}
	if before, ok := c.said[m.Text()]; ok {
		c.fault(line, "same content as line %d", before)
	}
	c.said[m.Text()] = line
	if chinese(m.Text()) {
		c.stretch++
	} else {
		c.stretch = 0
	}
	c.longest = max(c.longest, c.stretch)
}

func (c *conversation) assistant(line int, m *Message) {
	if c.turns == 0 {
		c.fault(line, "assistant before the first user message")
	}
	if len(m.ToolCalls) > 1 {
		c.batches++
	}
	for _, k := range m.ToolCalls {
		if !json.Valid([]byte(k.Arguments)) {
			c.fault(line, "arguments of call %s are not JSON", k.ID)
		}
		if c.calls[k.ID] != nil {
			c.fault(line, "call id %s used twice", k.ID)
			continue
		}
		made := &call{line: line, turn: c.turns}
		c.calls[k.ID] = made
		c.order = append(c.order, made)
	}
}

func (c *conversation) tool(line int, m *Message) {
	k := c.calls[m.ToolCallID]
	switch {
	case k == nil:
		c.fault(line, "result of %q, which was not called", m.ToolCallID)
	case k.turn != c.turns:
		c.fault(line, "result of a call of another turn (line %d)", k.line)
	case k.answered:
		c.fault(line, "second result of %s", m.ToolCallID)
	default:
		k.answered = true
	}
}

func (c *conversation) whole(messages int) {
	var open []int
	for _, k := range c.order {
		if !k.answered {
			open = append(open, k.line)
		}
	}
	bad := func(ok bool, format string, args ...any) {
		if !ok {
			c.faults = append(c.faults, "whole: "+fmt.Sprintf(format, args...))
		}
	}
	bad(len(open) == 1, "abandoned calls at lines %v, want exactly one", open)
	bad(messages >= Least.Messages, "%d messages, want %d", messages, Least.Messages)
	bad(c.turns >= Least.Turns, "%d turns, want %d", c.turns, Least.Turns)
	bad(c.last.Sub(c.first) >= Least.Span, "spans %v, want %v", c.last.Sub(c.first), Least.Span)
	bad(c.batches >= Least.Batches, "%d batches of calls, want %d", c.batches, Least.Batches)
	bad(c.longest >= Least.ChineseTurns, "%d turns in Chinese in a row, want %d", c.longest, Least.ChineseTurns)
}

// chinese says whether a text is mostly Chinese: a word of another script counts like two ideographs, which is what it
// would take to say the same.
func chinese(s string) bool {
	han, other, inWord := 0, 0, false
	for _, r := range s {
		letter := unicode.IsLetter(r) && !unicode.Is(unicode.Han, r)
		switch {
		case unicode.Is(unicode.Han, r):
			han++
		case letter && !inWord:
			other += 2
		}
		inWord = letter
	}
	return han > other
}
