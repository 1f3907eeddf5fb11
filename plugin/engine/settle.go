package engine

import "github.com/ctxplan/ctxplan/abi"

// reason is the place of a reason for dropping in abi.Reasons, plus one; 0 is none yet.
type reason uint8

func reasonOf(name string) reason {
	for i, r := range abi.Reasons {
		if r == name {
			return reason(i) + 1
		}
	}
	return 0
}

// settle gives every message that is not in the plan its reason, and counts them. Of the messages that no list has only
// the number is needed, unless all are to be listed.
func (p *planner) settle(cover *abi.Coverage) map[string]int64 {
	var counts [16]int64
	reasons := make([]reason, len(p.fates))
	give := func(at int32, r reason) {
		if p.fates[at] == fateNone && reasons[at] == 0 {
			reasons[at] = r
			counts[r]++
		}
	}
	open := reasonOf(abi.DroppedOpenGroup)
	for _, g := range p.t.book.OpenGroups() {
		for _, at := range p.t.book.Groups[g].Messages {
			if p.mode(at) == modeOut && p.fates[at] == fateNone {
				give(at, open)
				p.drop(p.t, at, abi.DroppedOpenGroup, "", p.whole(at))
			}
		}
	}
	for _, at := range p.t.book.Orphans {
		if p.fates[at] == fateNone {
			give(at, open)
			p.drop(p.t, at, abi.DroppedOpenGroup, "", p.whole(at))
		}
	}
	for _, g := range p.noRoom {
		for _, at := range p.t.book.Groups[g].Messages {
			if int(at) < p.stored && p.fates[at] == fateNone && reasons[at] == 0 {
				price := p.price(at)
				name := abi.DroppedOverBudget
				if price > p.account.History {
					name = abi.DroppedTooLarge
				}
				give(at, reasonOf(name))
				p.drop(p.t, at, name, "", price)
			}
		}
	}
	for i, name := range p.ranking.reasons {
		if name == "" {
			continue
		}
		if f := &p.ranking.fused[i]; f.thread != p.t {
			counts[reasonOf(name)]++
		} else {
			give(f.at, reasonOf(name))
		}
	}
	for _, d := range p.dropped {
		if d.t == p.t {
			give(d.at, reasonOf(d.reason))
		}
	}
	p.settleRest(reasons, &counts, cover)
	p.reasons = reasons
	named := map[string]int64{}
	for i, n := range counts {
		if n > 0 {
			named[abi.Reasons[i-1]] = n
		}
	}
	return named
}

// settleRest counts the messages of the thread that have no reason yet. With explain it lists them, and for truncate the
// newest of them.
func (p *planner) settleRest(reasons []reason, counts *[16]int64, cover *abi.Coverage) {
	rest, out := p.leftOver()
	list := p.req.Explain || p.strategy == abi.StrategyTruncate
	if out == 0 && !list {
		var explained int64
		for i, r := range p.ranking.reasons {
			if r != "" && p.ranking.fused[i].thread != p.t {
				explained--
			}
		}
		for _, n := range counts {
			explained += n
		}
		var dropped int64
		for _, r := range cover.Dropped {
			dropped += r[1] - r[0] + 1
		}
		counts[rest] += dropped - explained
		return
	}
	most := int64(len(p.fates))
	if !p.req.Explain {
		most = p.set.Retrieval.Candidates
	}
	for i := p.stored - 1; i >= 0; i-- {
		if p.fates[i] != fateNone || reasons[i] != 0 {
			continue
		}
		if i%256 == 0 {
			p.s.tick()
		}
		r := rest
		if out != 0 && !p.searched(p.msg(int32(i))) {
			r = out
		}
		reasons[i] = r
		if list && most > 0 {
			p.drop(p.t, int32(i), abi.Reasons[r-1], "", p.whole(int32(i)))
			most--
		}
		counts[r]++
	}
}

// leftOver gives the reason for messages that no list has, and, when the request lets only some be searched, the reason
// for the others.
func (p *planner) leftOver() (rest, out reason) {
	switch {
	case p.strategy == abi.StrategyTruncate:
		return reasonOf(abi.DroppedOverBudget), 0
	case !p.inScope(p.t):
		return reasonOf(abi.DroppedOutOfScope), 0
	case p.filtered():
		return reasonOf(abi.DroppedBelowRank), reasonOf(abi.DroppedOutOfScope)
	}
	return reasonOf(abi.DroppedBelowRank), 0
}

func (p *planner) inScope(t *thread) bool {
	for _, s := range p.scope {
		if s == t {
			return true
		}
	}
	return false
}
