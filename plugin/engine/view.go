package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strconv"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/message"
)

// view is a thread as a caller with an acl sees it: a thread of the visible messages alone, numbered among themselves, so
// that nothing of the others is in groups, counts, statistics or numbers. It is derived, kept until something changes, and
// no part of the state.
type view struct {
	t *thread
	// token changes with what the caller sees.
	token [sha256.Size]byte
}

// mostViews bounds how many views are kept, and leastViewed how many messages there may be in all of them in a small space;
// in a large one it is twice its messages.
const (
	mostViews   = 64
	leastViewed = 8192
)

// visibleTo reports whether a message may be seen by somebody with these names.
func visibleTo(m *message.Message, names []string) bool {
	if m.Gone {
		return false
	}
	if len(m.Wire.ACL) == 0 {
		return true
	}
	for _, a := range m.Wire.ACL {
		if slices.Contains(names, a) {
			return true
		}
	}
	return false
}

// see gives the thread as the request may see it.
func (p *planner) see(t *thread) *thread {
	if p.req.Scope == nil || !p.req.Scope.ACL.Given || t == nil {
		return t
	}
	return p.s.viewOf(t, p.req.Scope.ACL.List).t
}

// viewOf gives the view of a thread for a caller with these names.
func (s *Space) viewOf(t *thread, names []string) *view {
	names = slices.Clone(names)
	slices.Sort(names)
	names = slices.Compact(names)
	key := strconv.Itoa(t.place)
	for _, n := range names {
		key += " " + strconv.Itoa(len(n)) + ":" + n
	}
	if v := s.views[key]; v != nil {
		return v
	}
	// The place is that of no thread: the order of threads would tell of messages that are not visible.
	v := &view{t: newThread(t.id, 0)}
	g := gap(&s.settings)
	h := sha256.New()
	times := map[[sha256.Size]byte]int{}
	var number []byte
	for at, m := range t.book.Messages {
		if !visibleTo(m, names) {
			continue
		}
		copied := *m
		copied.Seq = int64(len(v.t.book.Messages)) + 1
		said := fingerprint(t.id, m)
		if copied.Wire.ID[0] == '#' {
			times[said]++
			copied.Wire.ID = hiddenID(said, times[said])
		}
		v.t.put(&copied, g)
		v.t.vectors[len(v.t.vectors)-1] = t.vectors[at]
		number = strconv.AppendInt(append(number[:0], 0), m.Edited, 10)
		if m.Wire.Pin {
			number = append(number, 'p')
		}
		h.Write(number)
		h.Write([]byte(copied.Wire.ID))
		h.Write(said[:])
		for _, k := range slices.Sorted(maps.Keys(m.Wire.Labels)) {
			h.Write([]byte("\x00" + k + "\x00" + m.Wire.Labels[k]))
		}
		if at%4 == 3 {
			s.tick()
		}
	}
	h.Sum(v.token[:0])
	s.keep(key, v)
	return v
}

// keep keeps a view, and drops the others when there are too many.
func (s *Space) keep(key string, v *view) {
	viewed := len(v.t.book.Messages)
	for _, old := range s.views {
		viewed += len(old.t.book.Messages)
	}
	if s.views == nil || len(s.views) >= mostViews || viewed > max(2*int(s.messages), leastViewed) {
		s.views = map[string]*view{}
	}
	s.views[key] = v
}

// fingerprint is a hash of what a message says, and of its thread.
func fingerprint(thread string, m *message.Message) [sha256.Size]byte {
	var b []byte
	for _, s := range [...]string{thread, m.Wire.Role, m.Wire.Name, m.Wire.Time, m.Wire.ToolCallID} {
		b = strconv.AppendInt(b, int64(len(s)), 10)
		b = append(append(b, ':'), s...)
	}
	b = m.Wire.Content.AppendWire(b)
	for i := range m.Wire.ToolCalls {
		b = m.Wire.ToolCalls[i].AppendWire(b)
	}
	return sha256.Sum256(b)
}

// hiddenID is the id of a message that came without one, for those who must not learn its number: made of what it says, and
// of how often that was said before among what is visible.
func hiddenID(said [sha256.Size]byte, times int) string {
	id := "~" + hex.EncodeToString(said[:12])
	if times > 1 {
		id += "-" + strconv.Itoa(times)
	}
	return id
}

// revision is what a plan says of the state it stands on: the revision, or for a caller with an acl a token that changes
// only with what the caller sees.
func (p *planner) revision() int64 {
	if p.req.Scope == nil || !p.req.Scope.ACL.Given {
		return p.s.revision
	}
	h := sha256.New()
	seen := map[string]bool{}
	add := func(id string) {
		t := p.s.threads[id]
		if t == nil || seen[id] {
			return
		}
		seen[id] = true
		if v := p.s.viewOf(t, p.req.Scope.ACL.List); v.t.book.Count > 0 {
			h.Write(append(strconv.AppendInt(nil, int64(len(id)), 10), ':'))
			h.Write([]byte(id))
			h.Write(v.token[:])
		}
	}
	add(p.req.Thread)
	for _, t := range p.scope {
		add(t.id)
	}
	var n int64
	for _, b := range h.Sum(nil)[:7] {
		n = n<<8 | int64(b)
	}
	return n & abi.MaxInteger
}
