package engine

import (
	"math"
	"slices"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/pack"
	"github.com/ctxplan/ctxplan/plugin/text"
)

// The least of a text that is worth sending when it has to be cut down, in tokens.
const (
	leastUser = 256
	leastTool = 50
)

// claim sets aside what has to be in: instructions, the newest user message and the open groups of its turn. It fails
// when the budget has no room for that.
func (p *planner) claim() *abi.Error {
	var must []string
	for _, at := range p.t.book.Standing {
		p.fates[at] = fateInstruction
		p.used.Instructions += p.whole(at)
		must = append(must, p.msg(at).Wire.ID)
	}
	if turn := p.liveTurn(); turn >= 0 {
		p.live = p.units(turn)
	}
	for _, g := range p.mustGroups(p.live) {
		for _, at := range p.t.book.Groups[g].Messages {
			if p.mode(at) == modeOut {
				continue
			}
			f := p.flexible(at, true)
			p.liveFloor += p.price(at) - f.Whole + min(f.Whole, f.Least)
			must = append(must, p.msg(at).Wire.ID)
		}
	}
	floor := p.used.Instructions + p.liveFloor
	if floor <= p.account.History {
		return nil
	}
	for _, m := range p.input {
		if m.Wire.ID != "" {
			must = append(must, m.Wire.ID)
		}
	}
	need, have := p.account.Need(floor)
	return &abi.Error{Code: abi.CodeBudgetTooSmall, Path: "budget",
		Message: "the budget has no room for the instructions, the newest user message and the calls that are still open",
		Details: &abi.ErrorDetails{Need: &need, Have: &have, Pinned: must}}
}

// mustGroups lists the groups that have to be in: those that the input asks for, and those of the live turn that must.
func (p *planner) mustGroups(live []unit) []int32 {
	groups := slices.Clone(p.asked)
	for _, u := range live {
		for _, g := range u.groups {
			if p.must(g) && !slices.Contains(groups, g) {
				groups = append(groups, g)
			}
		}
	}
	return groups
}

// must reports whether a group has to be in: one that the input asks for, and of the live turn that of the user message,
// open ones, and pinned ones.
func (p *planner) must(g int32) bool {
	if slices.Contains(p.asked, g) {
		return true
	}
	gr := &p.t.book.Groups[g]
	if gr.Turn != p.liveTurn() {
		return false
	}
	if gr.Open > 0 {
		return true
	}
	for _, at := range gr.Messages {
		if at == p.t.book.Turns[gr.Turn].User || p.msg(at).Wire.Pin {
			return true
		}
	}
	return false
}

// flexible says how far the body of a message can be cut down: results of tools, and where need be the user message.
// Pinned messages are never cut.
func (p *planner) flexible(at int32, user bool) pack.Flexible {
	m := p.msg(at)
	if m.Text == "" || m.Wire.Pin {
		return pack.Flexible{}
	}
	switch {
	case m.Wire.Role == abi.RoleTool:
		return pack.Flexible{Whole: p.profile.Body(&m.Wire), Least: leastTool}
	case m.Wire.Role == abi.RoleUser && user:
		return pack.Flexible{Whole: p.profile.Body(&m.Wire), Least: leastUser}
	}
	return pack.Flexible{}
}

// reserve is the share of the history that is kept for retrieved text when there is something to retrieve.
func (p *planner) reserve() int64 {
	if !p.ranking.any {
		return 0
	}
	return share(int64(p.set.Retrieval.MinShare), p.account.History)
}

// share is a fixed-point part of a number of tokens, rounded down.
func share(millionths, n int64) int64 {
	if n <= 0 {
		return 0
	}
	return n/1_000_000*millionths + n%1_000_000*millionths/1_000_000
}

// placePins sets room aside for pinned messages, the newest first. Those that end up among the recent turns need it not.
func (p *planner) placePins() {
	room := p.room() - p.liveFloor
	pinned := p.t.book.Pinned
	for i := len(pinned) - 1; i >= 0; i-- {
		at := pinned[i]
		m := p.msg(at)
		if m.Standing() || m.Turn > 0 && m.Turn == p.liveTurn() || p.abandoned(p.t, at) && p.mode(at) == modeOut {
			continue
		}
		price := p.pinPrice(at)
		if price > room {
			p.drop(p.t, at, abi.DroppedOverBudget, "", price)
			p.warnID(abi.WarnPinnedLeftOut, m.Wire.ID)
			continue
		}
		room -= price
		p.used.Pinned += price
		p.pins = append(p.pins, at)
	}
}

// placeLive places the newest step of the live turn with its user message. Results of tools are cut down when they have
// to be, all to the same level; then the oldest groups go.
func (p *planner) placeLive() {
	groups := p.mustGroups(p.live)
	if n := len(p.live); n > 0 {
		for _, g := range p.live[n-1].groups {
			if !slices.Contains(groups, g) {
				groups = append(groups, g)
			}
		}
	}
	slices.Sort(groups)
	room := p.room()
	kept := room - p.reserve()
	for !p.fit(groups, kept, false) && !p.fit(groups, room, false) && !p.fit(groups, room, true) {
		for i, g := range groups {
			if !p.must(g) {
				groups = append(groups[:i:i], groups[i+1:]...)
				break
			}
		}
	}
	for _, g := range groups {
		f := fateLive
		if p.t.book.Groups[g].Turn != p.liveTurn() {
			f = fateRecent // the input asks for an older message; it stands where it was said
		}
		p.take(g, f)
	}
}

// fit cuts the texts of groups down until all fit into room. It reports false, and cuts nothing, when they can't.
func (p *planner) fit(groups []int32, room int64, user bool) bool {
	var texts []pack.Flexible
	var ats []int32
	for _, g := range groups {
		for _, at := range p.t.book.Groups[g].Messages {
			if p.mode(at) == modeOut {
				continue
			}
			f := p.flexible(at, user)
			room -= p.price(at) - f.Whole
			if f.Whole > 0 {
				texts = append(texts, f)
				ats = append(ats, at)
			}
		}
	}
	level, ok := pack.Level(texts, room)
	if !ok || room < 0 {
		return false
	}
	for i, at := range ats {
		if limit := texts[i].At(level); limit < texts[i].Whole {
			p.excerpts[at] = p.cut(at, limit)
		}
	}
	return true
}

// cut makes an excerpt of the body of a message of at most limit tokens.
func (p *planner) cut(at int32, limit int64) excerpt {
	m := p.msg(at)
	out, spans, price := pack.Excerpt(p.profile, m.Text, limit, p.ranking.bestAndEnds(m.Text))
	return excerpt{text: out, spans: pairs(spans), price: p.profile.Frame(&m.Wire) + price}
}

func pairs(spans []text.Span) [][2]int64 {
	out := make([][2]int64, len(spans))
	for i, s := range spans {
		out[i] = [2]int64{int64(s.Start), int64(s.End)}
	}
	return out
}

// take sends the messages of a group.
func (p *planner) take(g int32, f fate) {
	taken := false
	for _, at := range p.t.book.Groups[g].Messages {
		if p.fates[at] != fateNone || p.mode(at) == modeOut {
			continue
		}
		p.fates[at] = f
		p.used.Recent += p.price(at)
		taken = true
	}
	if !taken {
		return
	}
	if f == fateLive {
		p.liveGroups = append(p.liveGroups, g)
	} else {
		p.recentGroups = append(p.recentGroups, g)
	}
}

// placeRecent places the turns before the live one, the newest first, until one does not fit or there are enough.
func (p *planner) placeRecent() {
	room, turns := p.recentRoom()
	live := p.liveTurn()
	for turn := int32(len(p.t.book.Turns) - 1); turn > 0; turn-- {
		us := p.live
		f := fateLive
		if turn != live {
			us, f = p.units(turn), fateRecent
		} else if len(us) > 0 {
			us = us[:len(us)-1]
		}
		for i := len(us) - 1; i >= 0; i-- {
			price := int64(0)
			for _, g := range us[i].groups {
				price += p.groupPrice(g)
			}
			user := p.t.book.Turns[turn].User
			if !us[i].first && p.fates[user] == fateNone {
				price += p.price(user)
			}
			if price == 0 {
				continue
			}
			if price > room || turns == 0 {
				return
			}
			room -= price
			turns--
			p.take(p.msg(user).Group, f)
			for _, g := range us[i].groups {
				p.take(g, f)
			}
		}
	}
}

// recentRoom is the room for recent turns, and how many there may be.
func (p *planner) recentRoom() (room, turns int64) {
	room = p.room()
	if p.strategy == abi.StrategyTruncate {
		return room, math.MaxInt64
	}
	kept := room - p.reserve()
	if p.strategy == abi.StrategyAuto {
		all := p.account.History
		if len(p.scope) != 1 || p.scope[0] != p.t {
			all -= p.reserve()
		}
		if p.t.full[p.profile]+p.used.Pinned <= all {
			return room, math.MaxInt64
		}
	}
	room = min(kept, share(int64(p.set.Recent.Share), p.account.History)-p.used.Recent)
	return max(room, 0), p.set.Recent.Turns
}
