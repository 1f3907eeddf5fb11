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
		if int(at) >= p.stored {
			break // of the input, where it stays
		}
		p.fates[at] = fateInstruction
		p.used.Instructions += p.whole(at)
		must = append(must, p.msg(at).Wire.ID)
	}
	if turn := p.liveTurn(); turn >= 0 {
		p.live = p.units(turn)
	}
	for _, g := range p.mustGroups(p.live) {
		for _, at := range p.t.book.Groups[g].Messages {
			if p.fates[at] != fateNone || p.mode(at) == modeOut {
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

// must reports whether a group has to be in: one that the input asks for, and of the live turn that of the user message
// and open ones.
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
		if at == p.t.book.Turns[gr.Turn].User {
			return true
		}
	}
	return false
}

// flexible says how far the body of a message can be cut down: results of tools, and where need be the user message.
// Pinned results are never cut.
func (p *planner) flexible(at int32, user bool) pack.Flexible {
	m := p.msg(at)
	body := p.t.costs[at].body[p.profile]
	switch {
	case m.Text == "":
	case m.Wire.Role == abi.RoleTool && !m.Wire.Pin:
		return pack.Flexible{Whole: body, Least: leastTool}
	case m.Wire.Role == abi.RoleUser && user:
		return pack.Flexible{Whole: body, Least: leastUser}
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

// placePins sets room aside for pinned messages, the newest first. Those that end up among the recent turns need it not,
// and when everything fits none does.
func (p *planner) placePins() {
	if p.allFits() {
		return
	}
	room := p.room() - p.liveFloor
	pinned := p.t.book.Pinned
	for i := len(pinned) - 1; i >= 0; i-- {
		at := pinned[i]
		if p.fates[at] != fateNone || int(at) >= p.stored || p.msg(at).Turn == p.liveTurn() {
			continue
		}
		if i%64 == 63 {
			p.s.tick()
		}
		if p.abandoned(p.t, at) && p.mode(at) == modeOut && p.msg(at).Wire.Role != abi.RoleTool {
			continue // nothing of it can be quoted
		}
		if price := p.pinPrice(at); price <= room {
			room -= price
			p.used.Pinned += price
			p.pins = append(p.pins, at)
		}
	}
}

// allFits reports whether the strategy is to send the whole history when there is room for it, and there is.
func (p *planner) allFits() bool {
	if p.strategy != abi.StrategyAuto {
		return false
	}
	room := p.account.History
	if len(p.scope) != 1 || p.scope[0] != p.t {
		room -= p.reserve()
	}
	return p.t.full[p.profile] <= room
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
	groups = slices.DeleteFunc(groups, func(g int32) bool { return p.groupPrice(g) == 0 })
	slices.Sort(groups)
	groups = p.fitting(groups)
	for _, g := range groups {
		f := fateLive
		if p.t.book.Groups[g].Turn != p.liveTurn() {
			f = fateRecent // the input asks for an older message; it stands where it was said
		}
		p.take(g, f)
	}
}

// fitting leaves out the oldest groups that need not be in, as few as have to be, until the rest fits.
func (p *planner) fitting(groups []int32) []int32 {
	room := p.room()
	kept := room - p.reserve()
	var free []int32
	for _, g := range groups {
		if !p.must(g) {
			free = append(free, g)
		}
	}
	without := func(n int) []int32 {
		if n == 0 {
			return groups
		}
		return slices.DeleteFunc(slices.Clone(groups), func(g int32) bool { return g <= free[n-1] && !p.must(g) })
	}
	fits := func(n int, cut bool) bool {
		gs := without(n)
		return p.fit(gs, kept, false, cut) || p.fit(gs, room, false, cut) || p.fit(gs, room, true, cut)
	}
	n := search(len(free), func(n int) bool { return fits(n, false) })
	fits(n, true)
	p.noRoom = append(p.noRoom, free[:n]...)
	return without(n)
}

// fit reports whether the texts of groups can be cut down until all fit into room, and with cut does it.
func (p *planner) fit(groups []int32, room int64, user, cut bool) bool {
	var texts []pack.Flexible
	var ats []int32
	for n, g := range groups {
		if n%256 == 255 {
			p.s.tick()
		}
		for _, at := range p.t.book.Groups[g].Messages {
			if p.fates[at] != fateNone || p.mode(at) == modeOut {
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
	if !cut {
		return true
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
	p.s.tick()
	out, spans, price := pack.Excerpt(p.profile.Payload, m.Text, limit, p.ranking.bestAndEnds(m.Text))
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

// placeRecent places the other steps of the live turn, with results of tools cut down where they have to be, and then the turns before it, the newest first, until one does not
// fit or there are enough.
func (p *planner) placeRecent() {
	live := p.liveTurn()
	if n := len(p.live); n > 0 {
		room := p.room() - p.reserve()
		for i := n - 2; i >= 0; i-- {
			if price := p.unitPrice(&p.live[i]); price > room && !p.fit(p.live[i].groups, room-(price-p.groupsPrice(p.live[i].groups)), false, true) {
				for _, u := range p.live[:i+1] {
					p.noRoom = append(p.noRoom, u.groups...)
				}
				return
			}
			room -= p.takeUnit(&p.live[i], fateLive)
		}
	}
	room, turns := p.recentRoom()
	keep := p.keepTurns()
	for turn := int32(len(p.t.book.Turns) - 1); turn > 0; turn-- {
		if turn == live {
			continue
		}
		us := p.units(turn)
		for i := len(us) - 1; i >= 0; i-- {
			price := p.unitPrice(&us[i])
			if price == 0 {
				continue
			}
			fits := price <= room && turns > 0
			if !fits && (keep <= 0 || !p.keeps(&us[i]) || price > p.room()-p.reserve()) {
				return
			}
			room -= p.takeUnit(&us[i], fateRecent)
			turns--
			keep--
		}
	}
}

// keepTurns is how many turns there may be because the last plan had the oldest of them. The recent turns grow to half as
// many again, and are then cut back, so that their beginning moves in steps and not with each turn.
func (p *planner) keepTurns() int64 {
	if len(p.keepRecent) == 0 {
		return 0
	}
	most := p.set.Recent.Turns + (p.set.Recent.Turns+1)/2
	var n, kept int64
	for turn := int32(len(p.t.book.Turns) - 1); turn > 0 && n <= most; turn-- {
		if turn == p.liveTurn() {
			continue
		}
		us := p.units(turn)
		for i := len(us) - 1; i >= 0; i-- {
			if us[i].price == 0 {
				continue
			}
			n++
			if p.keeps(&us[i]) {
				kept = n
			} else if kept > 0 {
				return kept
			}
		}
	}
	if n > most {
		return 0
	}
	return kept
}

// unitPrice is what a unit costs that is not in the plan yet, with the user message of its turn.
func (p *planner) unitPrice(u *unit) int64 {
	price := p.groupsPrice(u.groups)
	if user := p.t.book.Turns[u.turn].User; !u.first && user >= 0 && price > 0 && p.fates[user] == fateNone {
		price += p.price(user)
	}
	return price
}

func (p *planner) groupsPrice(groups []int32) int64 {
	var price int64
	for _, g := range groups {
		price += p.groupPrice(g)
	}
	return price
}

// takeUnit sends the messages of a unit, and the user message of its turn, and returns what they cost.
func (p *planner) takeUnit(u *unit, f fate) int64 {
	before := p.used.Recent
	if user := p.t.book.Turns[u.turn].User; user >= 0 {
		p.take(p.msg(user).Group, f)
	}
	for _, g := range u.groups {
		p.take(g, f)
	}
	return p.used.Recent - before
}

// recentRoom is the room for recent turns, and how many there may be.
func (p *planner) recentRoom() (room, turns int64) {
	room = p.room()
	if p.strategy == abi.StrategyTruncate || p.allFits() {
		return room, math.MaxInt64
	}
	kept := room - p.reserve()
	room = min(kept, share(int64(p.set.Recent.Share), p.account.History)-p.used.Recent)
	return max(room, 0), p.set.Recent.Turns
}
