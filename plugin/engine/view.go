package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/message"
)

// view is a thread as a caller with an acl sees it: a thread of the visible messages alone, numbered among themselves, so
// that nothing of the others is in groups, counts, statistics or numbers. It is derived, kept until something changes, and
// no part of the state.
type view struct {
	t *thread
}

// mostViews bounds how many views are kept.
const mostViews = 64

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
	names := slices.Clone(p.req.Scope.ACL.List)
	slices.Sort(names)
	names = slices.Compact(names)
	key := strconv.Itoa(t.place) + "\x00" + strings.Join(names, "\x00")
	if v := p.s.views[key]; v != nil {
		return v.t
	}
	seen := newThread(t.id, t.place)
	g := gap(&p.s.settings)
	for at, m := range t.book.Messages {
		if !visibleTo(m, names) {
			continue
		}
		copied := *m
		copied.Seq = int64(len(seen.book.Messages)) + 1
		if copied.Wire.ID[0] == '#' {
			copied.Wire.ID = hiddenID(t.id, m.Seq)
		}
		seen.put(&copied, g)
		seen.vectors[len(seen.vectors)-1] = t.vectors[at]
		if at%4 == 3 {
			p.s.tick()
		}
	}
	if p.s.views == nil || len(p.s.views) >= mostViews {
		p.s.views = map[string]*view{}
	}
	p.s.views[key] = &view{seen}
	return seen
}

// hiddenID is the id of a message that came without one, for those who must not learn its number.
func hiddenID(thread string, seq int64) string {
	h := sha256.Sum256([]byte(strconv.Itoa(len(thread)) + ":" + thread + strconv.FormatInt(seq, 10)))
	return "~" + hex.EncodeToString(h[:12])
}

// revision is what a plan says of the state it stands on: the revision, or for a caller with an acl a token that changes
// only with what the caller sees.
func (p *planner) revision() int64 {
	if p.req.Scope == nil || !p.req.Scope.ACL.Given {
		return p.s.revision
	}
	h := sha256.New()
	for _, t := range p.scope {
		h.Write([]byte(t.id))
		for _, m := range t.book.Messages {
			h.Write([]byte{0})
			h.Write([]byte(m.Wire.ID))
			h.Write(strconv.AppendInt(nil, m.Edited, 10))
		}
		h.Write([]byte{1})
	}
	var n int64
	for _, b := range h.Sum(nil)[:7] {
		n = n<<8 | int64(b)
	}
	return n & abi.MaxInteger
}
