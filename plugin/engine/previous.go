package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/ctxplan/ctxplan/abi"
)

// A digest of an item is kind.thread.seq.bytes: which message stands there as what, and a hash of all that is sent of it.
// It is opaque to hosts; the engine reads from it what stood in the last plan.
type mark struct {
	kind   byte
	thread string
	seq    int64
}

var markKinds = map[string]byte{abi.KindSystem: 's', abi.KindInstruction: 'i', abi.KindPinned: 'p', abi.KindRecent: 'c',
	abi.KindRetrieved: 'q', abi.KindEvidence: 'e'}

// threadMark stands for a thread in a digest.
func threadMark(id string) string {
	h := sha256.Sum256([]byte(id))
	return hex.EncodeToString(h[:4])
}

// digest of an item.
func digest(it *abi.Item, thread string) string {
	sent := *it
	sent.Why, sent.Trust, sent.Tokens = nil, "", 0
	// FNV-1a: what a collision costs is a cache that a provider does not have after all.
	h := uint64(14695981039346656037)
	for _, c := range sent.AppendWire(make([]byte, 0, 256+len(it.Text))) {
		h = (h ^ uint64(c)) * 1099511628211
	}
	b := append(make([]byte, 0, 40), markKinds[it.Kind], '.')
	b = append(b, thread...)
	b = append(b, '.')
	b = strconv.AppendInt(b, it.Seq, 10)
	b = append(b, '.')
	return string(strconv.AppendUint(b, h, 36))
}

// readMark reads a digest. It reports false for what is none; a host that sends something else has no cached prefix.
func readMark(s string) (mark, bool) {
	part := strings.Split(s, ".")
	if len(part) != 4 || len(part[0]) != 1 {
		return mark{}, false
	}
	seq, err := strconv.ParseInt(part[2], 10, 53)
	return mark{kind: part[0][0], thread: part[1], seq: seq}, err == nil && seq >= 0
}

// readPrevious finds what stood in the last plan: from where on the recent turns began, and what was quoted.
func (p *planner) readPrevious() {
	if len(p.req.Previous) == 0 {
		return
	}
	own := threadMark(p.t.id)
	threads := map[string]*thread{own: p.t}
	for _, t := range p.scope {
		threads[threadMark(t.id)] = t
	}
	for _, s := range p.req.Previous {
		m, ok := readMark(s)
		if !ok {
			continue
		}
		switch t := threads[m.thread]; {
		case t == nil || m.seq < 1 || m.seq > int64(len(t.book.Messages)):
		case m.kind == 'c' && t == p.t:
			if p.keepRecent == nil {
				p.keepRecent = map[int32]bool{}
			}
			p.keepRecent[int32(m.seq-1)] = true
		case m.kind == 'q':
			p.keepQuoted = append(p.keepQuoted, place{t, int32(m.seq - 1)})
		}
	}
}

// place is a message of a thread.
type place struct {
	t  *thread
	at int32
}

// keeps reports whether a unit stood among the recent turns of the last plan.
func (p *planner) keeps(u *unit) bool {
	user := p.groupOf(p.t.book.Turns[u.turn].User)
	for _, g := range u.groups {
		if g == user && len(u.groups) > 1 {
			continue // it is also there for the sake of a later step
		}
		if !slices.ContainsFunc(p.t.book.Groups[g].Messages, func(at int32) bool { return p.keepRecent[at] }) {
			return false
		}
	}
	return true
}

// placeKept quotes again what the last plan quoted, in its order and while it fits, so that what stands before the live
// turn stays as it is.
func (p *planner) placeKept(budget int64) {
	if len(p.keepQuoted) == 0 {
		return
	}
	ranks := map[place]int32{}
	for i := range p.ranking.fused {
		f := &p.ranking.fused[i]
		ranks[place{f.thread, f.at}] = int32(i)
	}
	for _, k := range p.keepQuoted {
		m := k.t.book.Messages[k.at]
		if !p.searched(m) || k.t == p.t && (int(k.at) >= p.stored || p.fates[k.at] != fateNone) || p.abandoned(k.t, k.at) {
			continue
		}
		rank, ok := ranks[k]
		if !ok {
			rank = keptRank
		}
		e := p.quote(k.t, k.at, p.quotes.threads, rank)
		if e.text == "" || p.quotes.costLast(&e) > budget-p.quotes.total {
			continue
		}
		p.quotes.addFixed(e)
		if ok {
			p.ranking.kinds[rank] = abi.KindRetrieved
			p.kept[rank] = true
		}
		if k.t == p.t {
			p.fates[k.at] = fateRetrieved
		}
	}
}

// mark gives each item before the live turn its digest, and counts how many are as they were in the last plan.
func (p *planner) mark(out *abi.Plan) {
	out.Prefix = []string{}
	marks := map[string]string{}
	same := true
	for i := range out.Items {
		it := &out.Items[i]
		if markKinds[it.Kind] == 0 {
			break
		}
		if _, ok := marks[it.Thread]; !ok {
			marks[it.Thread] = threadMark(it.Thread)
		}
		d := digest(it, marks[it.Thread])
		out.Prefix = append(out.Prefix, d)
		if same = same && i < len(p.req.Previous) && p.req.Previous[i] == d; same {
			out.Cache.Items++
			out.Cache.Tokens += it.Tokens
		}
	}
}
