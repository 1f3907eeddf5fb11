package engine

import (
	"github.com/ctxplan/ctxplan/plugin/lexical"
	"github.com/ctxplan/ctxplan/plugin/message"
	"github.com/ctxplan/ctxplan/plugin/tokens"
)

// changes are messages that take the place of others in a thread, by number: edited ones, and tombstones.
type changes map[int32]*message.Message

// edited is a message with another one in its place. What was derived from it is made anew; what the new one does not bring
// of time, pin, labels, acl and meta stays, so that a caller who sends a list again neither unpins a message nor shows it to
// others.
func edited(old *message.Message, m *message.Message) *message.Message {
	m.Edited = old.Edited + 1
	w := &m.Wire
	if w.Time == "" {
		w.Time, m.Time = old.Wire.Time, old.Time
	}
	w.Pin = w.Pin || old.Wire.Pin
	if len(w.Labels) == 0 {
		w.Labels = old.Wire.Labels
	}
	if len(w.ACL) == 0 {
		w.ACL = old.Wire.ACL
	}
	if len(w.Meta) == 0 {
		w.Meta = old.Wire.Meta
	}
	return m
}

// change puts messages in the place of others and derives everything of the thread anew: groups, sessions, postings,
// costs. Vectors of changed messages are dropped. It is linear in the thread, and exact: the thread is as if the new
// messages had come in the first place.
func (s *Space) change(t *thread, c changes) {
	if len(c) == 0 {
		return
	}
	for at := range c {
		s.replaceVectors(t, int(at), embedded{})
	}
	s.relabel(t, c)
}

// relabel is change for messages whose words are as they were, so that their vectors stay.
func (s *Space) relabel(t *thread, c changes) {
	old := t.book.Messages
	s.messages -= int64(t.book.Count)
	s.textBytes -= t.textBytes
	vectors := t.vectors
	t.book, t.index, t.named = message.NewBook(), lexical.New(), map[string]int32{}
	t.costs, t.vectors, t.full, t.textBytes = nil, nil, [tokens.Count]int64{}, 0
	g := gap(&s.settings)
	for i, m := range old {
		if fresh, ok := c[int32(i)]; ok {
			m = fresh
		}
		s.add(t, m, g)
		if i%4 == 3 {
			s.tick()
		}
	}
	t.vectors = vectors
	s.messages += int64(t.book.Count)
	s.views = nil
}
