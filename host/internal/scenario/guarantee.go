package scenario

import (
	"fmt"
	"slices"

	"github.com/ctxplan/ctxplan/abi"
)

// frameTokens is charged once for a block of quoted texts, and once for a block
// of evidence: the tags around it, by profile and kind.
var frameTokens = map[string]map[string]int64{
	"chars4":  {abi.KindPinned: 8, abi.KindRetrieved: 9, abi.KindEvidence: 14},
	"generic": {abi.KindPinned: 10, abi.KindRetrieved: 11, abi.KindEvidence: 16},
}

// Guarantees says which guarantees a plan breaks, given its request and all
// messages of its thread. Nothing is changed.
func Guarantees(q *abi.PlanRequest, p *abi.Plan, stored []abi.ReadMessage) []string {
	g := &guard{q: q, p: p, stored: stored}
	g.ledger()
	g.order()
	g.groups()
	g.musts()
	g.coverage()
	g.open()
	g.words()
	g.prices()
	g.ranking()
	return g.faults
}

type guard struct {
	q      *abi.PlanRequest
	p      *abi.Plan
	stored []abi.ReadMessage
	faults []string
}

func (g *guard) fault(format string, args ...any) {
	g.faults = append(g.faults, fmt.Sprintf(format, args...))
}

func (g *guard) same(what string, got, want int64) {
	if got != want {
		g.fault("%s is %d and should be %d", what, got, want)
	}
}

// ledger adds everything up.
func (g *guard) ledger() {
	b := &g.p.Budget
	fixed := b.Output + b.Margin + b.System + b.Tools + b.Evidence + b.Input
	used := b.Used.Instructions + b.Used.Pinned + b.Used.Retrieved + b.Used.Recent
	g.same("budget.total", b.Total, fixed+used)
	g.same("budget.free", b.Free, b.Window-b.Total)
	if b.Total > b.Window {
		g.fault("the total %d is above the window %d", b.Total, b.Window)
	}
	g.same("budget.history", b.History, b.Window-fixed)
	if used > b.History {
		g.fault("the memory uses %d of %d tokens", used, b.History)
	}
	sums := map[string]int64{}
	for i := range g.p.Items {
		it := &g.p.Items[i]
		sums[it.Kind] += it.Tokens
		if it.Tokens <= 0 {
			g.fault("item %d costs %d tokens", i, it.Tokens)
		}
	}
	framed := func(kind string) int64 {
		if sums[kind] == 0 {
			return 0
		}
		return sums[kind] + frameTokens[b.Profile][kind]
	}
	g.same("used.instructions", b.Used.Instructions, sums[abi.KindInstruction])
	g.same("used.pinned", b.Used.Pinned, framed(abi.KindPinned))
	g.same("used.retrieved", b.Used.Retrieved, framed(abi.KindRetrieved))
	g.same("used.recent", b.Used.Recent, sums[abi.KindRecent]+sums[abi.KindLive])
	g.same("budget.input", b.Input, sums[abi.KindInput])
	if !g.q.System.Counted {
		g.same("budget.system", b.System, sums[abi.KindSystem])
	}
	if !g.q.Evidence.Counted {
		g.same("budget.evidence", b.Evidence, framed(abi.KindEvidence))
	}
}

var kinds = []string{abi.KindSystem, abi.KindInstruction, abi.KindPinned, abi.KindRecent, abi.KindRetrieved, abi.KindEvidence,
	abi.KindLive, abi.KindInput}

// order looks at the order of kinds, and of messages inside a kind.
func (g *guard) order() {
	last := 0
	for i := range g.p.Items {
		it := &g.p.Items[i]
		at := slices.Index(kinds, it.Kind)
		if it.Kind == abi.KindInput && it.Role == abi.RoleTool && i > 0 && at > last && g.p.Items[i-1].Kind != abi.KindInput &&
			(len(g.p.Items[i-1].ToolCalls) > 0 || g.p.Items[i-1].Role == abi.RoleTool) {
			continue // a result of the input stands behind its stored call
		}
		if it.Kind == abi.KindInput && it.Role == abi.RoleTool && i > 0 && g.p.Items[i-1].Kind == abi.KindInput && g.p.Items[i-1].Role == abi.RoleTool {
			continue // and so does the next one
		}
		if at < last {
			g.fault("item %d is %s and stands behind %s", i, it.Kind, kinds[last])
		}
		last = max(at, last)
		if it.Kind == abi.KindRetrieved && (it.Role == abi.RoleSystem || it.Role == abi.RoleDeveloper) {
			g.fault("item %d is recalled as a %s message", i, it.Role)
		}
	}
	newest := map[string]int64{}
	for i := range g.p.Items {
		it := &g.p.Items[i]
		if it.Thread != g.p.Thread || it.Seq == 0 {
			continue
		}
		// Groups that a user's message cuts keep together.
		if it.Seq < newest[it.Kind] && it.Kind != abi.KindLive && it.Kind != abi.KindRecent {
			g.fault("item %d, #%d, stands behind #%d", i, it.Seq, newest[it.Kind])
		}
		newest[it.Kind] = max(newest[it.Kind], it.Seq)
	}
	for i := range g.p.Items {
		it := &g.p.Items[i]
		if it.Kind == abi.KindRecent || it.Kind == abi.KindLive || it.Kind == abi.KindInput {
			if it.Role != abi.RoleUser && !g.inputOnly() && g.users() > 0 {
				g.fault("the first message that is sent is %s's", it.Role)
			}
			break
		}
	}
}

// inputOnly says that the input begins with no user message and nothing of the
// thread is sent before it.
func (g *guard) inputOnly() bool {
	for i := range g.p.Items {
		if k := g.p.Items[i].Kind; k == abi.KindRecent || k == abi.KindLive {
			return false
		}
	}
	return true
}

// sent says that an item is sent as a message of the thread.
func (g *guard) sent(it *abi.Item) bool {
	return (it.Kind == abi.KindRecent || it.Kind == abi.KindLive) && it.Thread == g.p.Thread
}

// answers pairs the results of the thread with the newest open call of their
// id: by the number of the result the number of its call.
func (g *guard) answers() map[int64]int64 {
	type open struct {
		id  string
		seq int64
	}
	var calls []open
	pairs := map[int64]int64{}
	for i := range g.stored {
		m := &g.stored[i]
		for _, c := range m.Message.ToolCalls {
			calls = append(calls, open{c.ID, m.Seq})
		}
		if m.Message.Role != abi.RoleTool {
			continue
		}
		for j := len(calls) - 1; j >= 0; j-- {
			if calls[j].id == m.Message.ToolCallID {
				pairs[m.Seq] = calls[j].seq
				calls = slices.Delete(calls, j, j+1)
				break
			}
		}
	}
	return pairs
}

// groups looks for calls without their known results and results without calls.
func (g *guard) groups() {
	place := map[int64]int{}
	calling := map[int64]bool{}
	for i := range g.p.Items {
		if it := &g.p.Items[i]; g.sent(it) {
			place[it.Seq] = i
			calling[it.Seq] = len(it.ToolCalls) > 0
		}
	}
	pairs := g.answers()
	for result, call := range pairs {
		at, sent := place[result]
		from, called := place[call]
		switch {
		case sent && (!called || !calling[call]):
			g.fault("#%d, the result of #%d, is sent without its call", result, call)
		case !sent && called && calling[call]:
			g.fault("#%d is sent without its result #%d", call, result)
		case sent && at < from:
			g.fault("#%d, the result of #%d, stands before it", result, call)
		}
	}
	for i := range g.p.Items {
		it := &g.p.Items[i]
		if _, ok := pairs[it.Seq]; g.sent(it) && it.Role == abi.RoleTool && !ok {
			g.fault("#%d answers no call and is sent as a message", it.Seq)
		}
	}
}

// open looks for calls of the turn that still goes on which wait for a result:
// they have to be sent, and told.
func (g *guard) open() {
	for i := range g.q.Input {
		if g.q.Input[i].Role == abi.RoleUser && !slices.ContainsFunc(g.stored, func(m abi.ReadMessage) bool { return m.Message.ID == g.q.Input[i].ID }) {
			return
		}
	}
	last := int64(0)
	for i := range g.stored {
		last = max(last, g.stored[i].Turn)
	}
	for i := range g.stored {
		m := &g.stored[i]
		if last == 0 || m.Turn != last || !m.Open || len(m.Message.ToolCalls) == 0 {
			continue
		}
		at := slices.IndexFunc(g.p.Items, func(it abi.Item) bool { return g.sent(&it) && it.Seq == m.Seq })
		if at < 0 || len(g.p.Items[at].ToolCalls) != len(m.Message.ToolCalls) || !g.p.Items[at].Open {
			g.fault("#%d waits for a result and is not sent as it is", m.Seq)
		}
	}
}

// musts looks for what has to be in every plan.
func (g *guard) musts() {
	has := map[int64]string{}
	inputs := 0
	for i := range g.p.Items {
		it := &g.p.Items[i]
		if it.Kind == abi.KindInput && it.Seq == 0 {
			inputs++
		} else if it.Thread == g.p.Thread {
			has[it.Seq] = it.Kind
		}
	}
	known := map[string]int64{}
	user := int64(0)
	for i := range g.stored {
		m := &g.stored[i]
		known[m.Message.ID] = m.Seq
		switch m.Message.Role {
		case abi.RoleSystem, abi.RoleDeveloper:
			if has[m.Seq] != abi.KindInstruction {
				g.fault("#%d, a %s message, is not among the instructions", m.Seq, m.Message.Role)
			}
		case abi.RoleUser:
			user = m.Seq
		}
	}
	fresh := 0
	for i := range g.q.Input {
		m := &g.q.Input[i]
		if seq := known[m.ID]; seq > 0 {
			if has[seq] == "" {
				g.fault("#%d, which the input repeats, is not in", seq)
			}
			continue
		}
		fresh++
		if m.Role == abi.RoleUser {
			user = 0
		}
	}
	g.same("the number of input items", int64(inputs), int64(fresh))
	if user > 0 && has[user] == "" {
		g.fault("#%d, the newest user message, is not in", user)
	}
}

// coverage checks that each message is in exactly one range.
func (g *guard) coverage() {
	c := &g.p.Coverage
	where := make([]string, len(g.stored)+1)
	for _, list := range []struct {
		name   string
		ranges [][2]int64
	}{{"verbatim", c.Verbatim}, {"summarised", c.Summarised}, {"dropped", c.Dropped}} {
		end := int64(-1)
		for _, r := range list.ranges {
			if r[0] > r[1] || r[0] < 1 || r[1] > int64(len(g.stored)) || r[0] <= end+1 && end > 0 {
				g.fault("coverage.%s has the range %v", list.name, r)
				continue
			}
			end = r[1]
			for s := r[0]; s <= r[1]; s++ {
				if where[s] != "" {
					g.fault("#%d is %s and %s", s, where[s], list.name)
				}
				where[s] = list.name
			}
		}
	}
	has := map[int64]bool{}
	for i := range g.p.Items {
		if it := &g.p.Items[i]; it.Thread == g.p.Thread && it.Seq > 0 {
			has[it.Seq] = true
		}
	}
	dropped := int64(0)
	for s := int64(1); s <= int64(len(g.stored)); s++ {
		switch {
		case where[s] == "":
			g.fault("#%d is nowhere in the coverage", s)
		case has[s] != (where[s] == "verbatim"):
			g.fault("#%d is %s, and in the items: %v", s, where[s], has[s])
		}
		if where[s] == "dropped" {
			dropped++
		}
	}
	var counted int64
	for reason, n := range g.p.DroppedCounts {
		counted += n
		if !slices.Contains(abi.Reasons, reason) || n <= 0 {
			g.fault("dropped_counts has %d for %q", n, reason)
		}
	}
	if g.ownThread() {
		g.same("the sum of dropped_counts", counted, dropped)
	}
	for _, d := range g.p.Dropped {
		if !slices.Contains(abi.Reasons, d.Reason) {
			g.fault("#%d is dropped for %q", d.Seq, d.Reason)
		}
		if d.Thread == g.p.Thread && has[d.Seq] {
			g.fault("#%d is dropped and in the items", d.Seq)
		}
	}
}

// ownThread says that nothing but the thread of the plan is searched.
func (g *guard) ownThread() bool {
	s := g.q.Scope
	return s == nil || len(s.Threads) == 0 || len(s.Threads) == 1 && s.Threads[0] == g.p.Thread
}

// users counts the user messages of the thread.
func (g *guard) users() int {
	n := 0
	for i := range g.stored {
		if g.stored[i].Message.Role == abi.RoleUser {
			n++
		}
	}
	return n
}

// beforeFirstUser reports whether a message belongs to what stands before the first user message. Such a one is quoted without having been
// found when the whole history fits.
func (g *guard) beforeFirstUser(seq int64) bool {
	for i := range g.stored {
		if g.stored[i].Seq == seq {
			return g.stored[i].Turn == 0
		}
	}
	return false
}

// ranking looks at the reasons of retrieved items and at the candidates.
func (g *guard) ranking() {
	ranks := map[int64]bool{}
	for i := range g.p.Items {
		it := &g.p.Items[i]
		greeting := it.Kind == abi.KindRetrieved && it.Thread == g.p.Thread && g.beforeFirstUser(it.Seq)
		if (it.Why != nil) != (it.Kind == abi.KindRetrieved) && !greeting {
			g.fault("item %d is %s, and has a why: %v", i, it.Kind, it.Why != nil)
		}
		if it.Why == nil {
			continue
		}
		if ranks[it.Why.Fused] || it.Why.Fused < 1 || len(it.Why.Lists) == 0 {
			g.fault("item %d has the fused rank %d of %d lists", i, it.Why.Fused, len(it.Why.Lists))
		}
		ranks[it.Why.Fused] = true
	}
	score := int64(-1)
	for i := range g.p.Candidates {
		c := &g.p.Candidates[i]
		if c.Why.Fused != int64(i)+1 || i > 0 && c.Why.Score > score {
			g.fault("candidate %d has rank %d and score %d behind %d", i+1, c.Why.Fused, c.Why.Score, score)
		}
		score = c.Why.Score
		if (c.Kind == "") == (c.Reason == "") {
			g.fault("candidate %d is %q and dropped for %q", i+1, c.Kind, c.Reason)
		}
	}
}
