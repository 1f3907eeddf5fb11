package engine

import (
	"slices"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/pack"
)

const (
	// leastRoom is the room below which packing ends, in tokens.
	leastRoom = 20
	// leastExcerpt is the least that an excerpt of a retrieved message may have, in tokens.
	leastExcerpt = 64
	// excerptRanks is how many of the fused ranking may come as an excerpt when they do not fit whole.
	excerptRanks = 3
	// growthShare is the part of the history, one in so many, that new quotations leave free when the host cares for its
	// cached prefix: what the turn goes on to bring takes that room and not that of what stands before it.
	growthShare = 4
	// duplicateBytes is the length from which equal texts of one speaker count as duplicates.
	duplicateBytes = 24
)

// placeRetrieved packs the ranked messages that are not in the plan by value for price.
func (p *planner) placeRetrieved() {
	p.settlePins()
	r := &p.ranking
	if p.strategy == abi.StrategyTruncate {
		return
	}
	p.quotes = p.block(abi.KindRetrieved)
	p.quotes.threads = len(p.scope) != 1 || p.scope[0] != p.t
	budget := p.room()
	p.placeKept(budget)
	if len(p.req.Previous) > 0 {
		budget -= p.account.History / growthShare
	}
	p.greet(budget)
	offers := make([]pack.Offer, 0, len(r.fused))
	for i := range r.fused {
		f := &r.fused[i]
		if f.thread == p.t && p.fates[f.at] != fateNone {
			r.kinds[i] = kindOf(p.fates[f.at])
			continue
		}
		if p.kept[int32(i)] {
			continue
		}
		if p.abandoned(f.thread, f.at) && (f.msg().Wire.Content.Empty() || f.msg().Wire.Role == abi.RoleTool) {
			p.dropRanked(int32(i), abi.DroppedOpenGroup, "", f.thread.costs[f.at].quote[p.profile])
			continue
		}
		offers = append(offers, pack.Offer{Value: f.score, Price: f.thread.costs[f.at].quote[p.profile], Index: int32(i)})
	}
	pack.ByDensity(offers)
	seen := map[string]int32{}
	end := len(offers)
	for n, o := range offers {
		if budget-p.quotes.total < leastRoom {
			end = n
			break
		}
		f := &r.fused[o.Index]
		if o.Price > budget && int(o.Index) >= excerptRanks {
			p.dropRanked(o.Index, abi.DroppedTooLarge, "", o.Price)
			continue
		}
		if o.Price > budget-p.quotes.total && int(o.Index) >= excerptRanks {
			p.dropRanked(o.Index, abi.DroppedOverBudget, "", o.Price)
			continue
		}
		e := p.quote(f.thread, f.at, p.quotes.threads, o.Index)
		if len(e.text) >= duplicateBytes {
			key := e.m.Wire.Role + "\x00" + e.m.Wire.Name + "\x00" + e.text
			if first, ok := seen[key]; ok {
				p.dropRanked(o.Index, abi.DroppedDuplicateOf, r.fused[first].id(), o.Price)
				continue
			}
			seen[key] = o.Index
		}
		p.placeQuote(e, o, budget)
	}
	for _, o := range offers[end:] {
		reason := abi.DroppedBelowRank
		if int64(o.Index) < p.set.Retrieval.Candidates {
			reason = abi.DroppedOverBudget
		}
		p.dropRanked(o.Index, reason, "", o.Price)
	}
	p.used.Retrieved = p.quotes.total
}

// cutQuote makes an entry an excerpt of at most limit tokens. It reports false, and changes nothing, when nothing sensible
// fits.
func (p *planner) cutQuote(e *quote, limit int64) bool {
	out, spans, price := pack.Excerpt(p.profile.Text, e.text, limit, p.ranking.best(e.text))
	if out == "" {
		return false
	}
	e.of, e.cut, e.limit, e.spans = len(e.text), true, limit, pairs(spans)
	e.text, e.body = out, price
	return true
}

// abandoned reports whether a message belongs to a group that has calls without a result and is past.
func (p *planner) abandoned(t *thread, at int32) bool {
	if !t.book.Waiting() {
		return false
	}
	g := &t.book.Groups[t.book.Messages[at].Group]
	return g.Open > 0 && (t != p.t || g.Turn != p.liveTurn())
}

// placeQuote adds an entry when it fits, whole or, for the best ranks, as an excerpt.
func (p *planner) placeQuote(e quote, o pack.Offer, budget int64) {
	left := budget - p.quotes.total
	cost := p.quotes.cost(&e)
	if cost > left && int(o.Index) < excerptRanks {
		frame := cost - e.body
		if left-frame >= leastExcerpt {
			if p.cutQuote(&e, left-frame) {
				cost = frame + e.body
			}
		}
	}
	if cost > left {
		reason := abi.DroppedOverBudget
		if o.Price > budget {
			reason = abi.DroppedTooLarge
		}
		p.dropRanked(o.Index, reason, "", o.Price)
		return
	}
	p.quotes.add(e)
	p.ranking.kinds[o.Index] = abi.KindRetrieved
	if e.t == p.t {
		p.fates[e.at] = fateRetrieved
	}
}

// settlePins gives back the room of pinned messages that are among the recent turns, quotes the others as far as there is
// room, and says which are left out.
func (p *planner) settlePins() {
	p.used.Pinned = 0
	p.pinned = p.block(abi.KindPinned)
	reserved := slices.Clone(p.pins)
	slices.Sort(reserved)
	for _, at := range reserved {
		if p.fates[at] == fateNone {
			p.fates[at] = fatePinned
			p.pinned.add(p.quote(p.t, at, false, pinRank))
		}
	}
	p.used.Pinned = p.pinned.total
	pinned := p.t.book.Pinned
	for i := len(pinned) - 1; i >= 0; i-- {
		at := pinned[i]
		if int(at) >= p.stored || p.fates[at] != fateNone {
			continue
		}
		e := p.quote(p.t, at, false, pinRank)
		price := p.pinned.cost(&e)
		if price > p.room() || e.text == "" {
			p.drop(p.t, at, abi.DroppedOverBudget, "", price)
			p.warnID(abi.WarnPinnedLeftOut, e.m.Wire.ID)
			continue
		}
		p.fates[at] = fatePinned
		p.pinned.add(e)
		p.used.Pinned = p.pinned.total
	}
}

// greet quotes what stands before the first user message, which can't begin a conversation, when the whole history is to
// be sent.
func (p *planner) greet(budget int64) {
	if !p.allFits() || p.liveTurn() == 0 {
		return
	}
	for _, g := range p.t.book.Turns[0].Groups {
		for _, at := range p.t.book.Groups[g].Messages {
			if p.fates[at] != fateNone || p.mode(at) == modeOut {
				continue
			}
			e := p.quote(p.t, at, p.quotes.threads, pinRank)
			if e.text != "" && p.quotes.cost(&e) <= budget-p.quotes.total {
				p.quotes.add(e)
				p.fates[at] = fateRetrieved
			}
		}
	}
}

func kindOf(f fate) string {
	switch f {
	case fateInstruction:
		return abi.KindInstruction
	case fatePinned:
		return abi.KindPinned
	case fateRecent:
		return abi.KindRecent
	case fateRetrieved:
		return abi.KindRetrieved
	case fateLive:
		return abi.KindLive
	case fateInput:
		return abi.KindInput
	}
	return ""
}
