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

// settle gives every message that is not in the plan its reason, and counts them.
func (p *planner) settle() map[string]int64 {
	var counts [16]int64
	reasons := make([]reason, len(p.fates))
	for _, g := range p.t.book.OpenGroups() {
		for _, at := range p.t.book.Groups[g].Messages {
			if p.mode(at) == modeOut {
				reasons[at] = reasonOf(abi.DroppedOpenGroup)
			}
		}
	}
	for _, at := range p.t.book.Orphans {
		reasons[at] = reasonOf(abi.DroppedOpenGroup)
	}
	for at, r := range reasons {
		if r != 0 && p.fates[at] == fateNone {
			p.drop(p.t, int32(at), abi.DroppedOpenGroup, "", p.whole(int32(at)))
		}
	}
	for i, name := range p.ranking.reasons {
		if name == "" {
			continue
		}
		if f := &p.ranking.fused[i]; f.thread != p.t {
			counts[reasonOf(name)]++
		} else if reasons[f.at] == 0 {
			reasons[f.at] = reasonOf(name)
		}
	}
	for _, d := range p.dropped {
		if d.t == p.t && reasons[d.at] == 0 {
			reasons[d.at] = reasonOf(d.reason)
		}
	}
	rest, out := p.leftOver()
	list := p.req.Explain || p.strategy == abi.StrategyTruncate
	for i, f := range p.fates {
		if f != fateNone {
			continue
		}
		r := reasons[i]
		if r == 0 {
			r = rest
			if out != 0 && !p.searched(p.msg(int32(i))) {
				r = out
			}
			if list {
				p.drop(p.t, int32(i), abi.Reasons[r-1], "", p.whole(int32(i)))
			}
		}
		counts[r&15]++
	}
	named := map[string]int64{}
	for i, n := range counts {
		if n > 0 {
			named[abi.Reasons[i-1]] = n
		}
	}
	return named
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
