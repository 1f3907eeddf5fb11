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
// Behind that of a quotation stand a hash of the question and, for an excerpt, the tokens it might have. It is opaque to
// hosts; the engine reads from it what stood in the last plan.
type mark struct {
	kind     byte
	thread   string
	seq      int64
	question string
	limit    int64
}

var markKinds = map[string]byte{abi.KindSystem: 's', abi.KindInstruction: 'i', abi.KindPinned: 'p', abi.KindRecent: 'c',
	abi.KindRetrieved: 'q', abi.KindEvidence: 'e'}

// threadMark stands for a thread in a digest.
func threadMark(id string) string {
	h := sha256.Sum256([]byte(id))
	return hex.EncodeToString(h[:4])
}

// hash36 is a FNV-1a hash: what a collision costs is a cache that a provider does not have after all.
func hash36(b []byte) string {
	h := uint64(14695981039346656037)
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return strconv.FormatUint(h, 36)
}

// digest of an item.
func digest(it *abi.Item, thread string) string {
	sent := *it
	sent.Why, sent.Trust, sent.Tokens = nil, "", 0
	b := append(make([]byte, 0, 40), markKinds[it.Kind], '.')
	b = append(b, thread...)
	b = append(b, '.')
	b = strconv.AppendInt(b, it.Seq, 10)
	b = append(b, '.')
	return string(append(b, hash36(sent.AppendWire(make([]byte, 0, 256+len(it.Text))))...))
}

// readMark reads a digest. It reports false for what is none; a host that sends something else has no cached prefix.
func readMark(s string) (mark, bool) {
	part := strings.Split(s, ".")
	if len(part) < 4 || len(part) > 6 || len(part[0]) != 1 {
		return mark{}, false
	}
	seq, err := strconv.ParseInt(part[2], 10, 53)
	m := mark{kind: part[0][0], thread: part[1], seq: seq}
	if len(part) > 4 {
		m.question = part[4]
	}
	if len(part) > 5 && err == nil {
		m.limit, err = strconv.ParseInt(part[5], 10, 53)
	}
	return m, err == nil && seq >= 0 && m.limit >= 0
}

// readPrevious finds what stood in the last plan: from where on the recent turns began, and what was quoted.
func (p *planner) readPrevious() {
	if len(p.req.Previous) == 0 {
		return
	}
	question := hash36([]byte(p.question))
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
		case m.kind == 'q' && m.question == question:
			p.keepQuoted = append(p.keepQuoted, place{t, int32(m.seq - 1)})
			p.keepLimits = append(p.keepLimits, m.limit)
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

// placeKept quotes again what the last plan quoted for the same question, in its order and while it fits, so that what
// stands before the live turn stays as it is. What has no room goes from the end, with some more, so that not every call
// takes something away.
func (p *planner) placeKept(budget int64) {
	if len(p.keepQuoted) == 0 {
		return
	}
	if kept := p.keptQuotes(); len(kept) > 0 {
		total := kept[len(kept)-1].total
		if total > budget {
			budget -= p.account.History / (2 * growthShare)
		}
		for i := range kept {
			if kept[i].total > budget {
				break
			}
			p.keep(kept[i].quote)
		}
	}
}

// keptQuote is an entry, and what the block costs up to it.
type keptQuote struct {
	quote
	total int64
}

// keptQuotes makes the entries of what is to be kept, as a block of their own would have them.
func (p *planner) keptQuotes() []keptQuote {
	ranks := map[place]int32{}
	for i := range p.ranking.fused {
		f := &p.ranking.fused[i]
		ranks[place{f.thread, f.at}] = int32(i)
	}
	block := p.block(abi.KindRetrieved)
	var kept []keptQuote
	seen := map[place]bool{}
	for i, k := range p.keepQuoted {
		if seen[k] {
			continue
		}
		seen[k] = true
		m := k.t.book.Messages[k.at]
		if !p.searched(m) || k.t == p.t && (int(k.at) >= p.stored || p.fates[k.at] != fateNone) || p.abandoned(k.t, k.at) {
			continue
		}
		rank, ok := ranks[k]
		if !ok {
			rank = keptRank
		}
		e := p.quote(k.t, k.at, p.quotes.threads, rank)
		if limit := p.keepLimits[i]; limit > 0 && e.body > limit {
			p.cutQuote(&e, limit)
		}
		if e.text == "" {
			continue
		}
		block.addFixed(e)
		kept = append(kept, keptQuote{e, block.total})
	}
	return kept
}

// keep puts an entry behind those that are kept.
func (p *planner) keep(e quote) {
	p.quotes.addFixed(e)
	if e.rank >= 0 {
		p.ranking.kinds[e.rank] = abi.KindRetrieved
		p.kept[e.rank] = true
	}
	if e.t == p.t {
		p.fates[e.at] = fateRetrieved
	}
}

// mark gives each item before the live turn its digest, and counts how many are as they were in the last plan.
func (p *planner) mark(out *abi.Plan) {
	out.Prefix = []string{}
	marks := map[string]string{}
	question := hash36([]byte(p.question))
	quoted := 0
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
		if it.Kind == abi.KindRetrieved {
			d += "." + question
			if e := &p.quotes.entries[quoted]; e.cut {
				d += "." + strconv.FormatInt(e.limit, 10)
			}
			quoted++
		}
		out.Prefix = append(out.Prefix, d)
		if same = same && i < len(p.req.Previous) && p.req.Previous[i] == d; same {
			out.Cache.Items++
			out.Cache.Tokens += it.Tokens
		}
	}
}
