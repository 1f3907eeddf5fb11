package engine

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/ctxplan/ctxplan/abi"
)

// mutator does random things to a space.
type mutator struct {
	t *testing.T
	r *rand.Rand
	s *Space
	// said counts messages, for ids and words that are nowhere else.
	said int
}

// message that the space may be given, with an id of its own or none, and one of several acls.
func (m *mutator) dress(msg abi.Message) abi.Message {
	m.said++
	msg.ID = ""
	if m.r.Intn(2) == 0 {
		msg.ID = fmt.Sprint("m", m.said)
	}
	if m.r.Intn(3) == 0 {
		msg.ACL = acls[m.r.Intn(len(acls))]
	}
	if m.r.Intn(4) == 0 {
		msg.Labels = map[string]string{"session": string(rune('A' + m.r.Intn(3))), "order": string(rune('A' + m.r.Intn(2)))}
	}
	msg.Partial = m.r.Intn(12) == 0
	return msg
}

func (m *mutator) thread() *thread {
	var open []*thread
	for _, t := range m.s.order {
		if !t.gone {
			open = append(open, t)
		}
	}
	return open[m.r.Intn(len(open))]
}

// some message of a thread that is not gone; nil when there is none.
func (m *mutator) some(t *thread) *abi.Message {
	for range 20 {
		if x := t.book.Messages[m.r.Intn(len(t.book.Messages))]; !x.Gone {
			return &x.Wire
		}
	}
	return nil
}

// list is a thread as its caller might send it again.
func (m *mutator) list(t *thread) []abi.Message {
	var out []abi.Message
	for _, x := range t.book.Messages {
		if x.Gone || m.r.Intn(12) == 0 {
			continue
		}
		w := x.Wire
		if w.ID[0] == '#' || m.r.Intn(8) == 0 {
			w.ID = ""
		}
		if m.r.Intn(10) == 0 && len(w.Content.Parts) == 0 && w.ToolCallID == "" {
			w.Content = abi.TextContent(sentence(m.r, 6))
		}
		out = append(out, w)
		if m.r.Intn(12) == 0 {
			out = append(out, m.dress(abi.Message{Role: abi.RoleUser, Content: abi.TextContent(sentence(m.r, 5))}))
		}
	}
	if len(out) > 3 && m.r.Intn(3) == 0 {
		out = out[m.r.Intn(len(out)/2):]
	}
	if len(out) > 3 && m.r.Intn(6) == 0 {
		i := m.r.Intn(len(out) - 1)
		out[i], out[i+1] = out[i+1], out[i]
	}
	return out
}

// step does one thing and says which, and what came of it.
func (m *mutator) step() (string, *abi.Error) {
	t := m.thread()
	w := m.some(t)
	kind := m.r.Intn(10)
	if w == nil && kind > 1 {
		kind = 0
	}
	switch kind {
	case 0, 1:
		var messages []abi.Message
		for _, msg := range randomThread(m.r, 1+m.r.Intn(2)) {
			messages = append(messages, m.dress(msg))
		}
		id := t.id
		if m.r.Intn(6) == 0 {
			id = fmt.Sprint("t", m.r.Intn(4))
		}
		_, e := m.s.Append(&abi.AppendRequest{Thread: id, Messages: messages})
		return "append", e
	case 2:
		again := *w
		again.Content = abi.TextContent(paragraph(m.r))
		_, e := m.s.Append(&abi.AppendRequest{Thread: t.id, Mode: modeUpsert, Messages: []abi.Message{again}})
		return "upsert", e
	case 3, 4:
		_, e := m.s.Append(&abi.AppendRequest{Thread: t.id, Mode: modeSync, Messages: m.list(t), Prune: m.r.Intn(3) == 0})
		return "sync", e
	case 5:
		req := &abi.ForgetRequest{Thread: t.id, DryRun: m.r.Intn(4) == 0}
		for range 1 + m.r.Intn(3) {
			if x := m.some(t); x != nil {
				req.Messages = append(req.Messages, x.ID)
			}
		}
		if m.r.Intn(5) == 0 {
			req.Since, req.Until = "2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z"
		}
		if m.r.Intn(12) == 0 && len(m.s.threads) > 2 {
			req = &abi.ForgetRequest{Threads: []string{t.id}}
		}
		_, e := m.s.Forget(req)
		return "forget", e
	}
	req := &abi.AmendRequest{Thread: t.id}
	switch m.r.Intn(5) {
	case 0:
		req.Edit = &abi.Edit{ID: w.ID, Content: abi.TextContent(paragraph(m.r))}
	case 1:
		if req.Pin = []string{w.ID}; m.r.Intn(3) == 0 {
			req.Pin, req.Unpin = nil, req.Pin
		}
	case 2:
		req.Label = &abi.LabelEdit{IDs: []string{w.ID}, Labels: map[string]string{"session": []string{"", "A", "B"}[m.r.Intn(3)]}}
	case 3:
		req.CloseCall = &abi.CloseCall{ID: fmt.Sprintf("c%d", m.r.Intn(5)*10+m.r.Intn(3)), Result: sentence(m.r, 3)}
	case 4:
		req = &abi.AmendRequest{Fork: &abi.Fork{From: t.id, At: w.ID, To: fmt.Sprint("f", m.r.Intn(3))}}
	}
	_, e := m.s.Amend(req)
	return "amend", e
}

// The guarantees of a plan hold whatever was done to the space before, for callers with and without an acl; an op that
// fails changes nothing; and what was derived step by step is what would be derived at once.
func TestGuaranteesAfterChanges(t *testing.T) {
	rounds := 60
	if testing.Short() {
		rounds = 8
	}
	done, failed := map[string]int{}, map[string]int{}
	planned := 0
	for seed := range rounds {
		m := &mutator{t: t, r: rand.New(rand.NewSource(int64(seed))), s: New()}
		mustAppend(t, m.s, "t0", abi.Message{Role: abi.RoleUser, Content: abi.TextContent("begin")})
		for n := range 25 {
			name := fmt.Sprintf("seed %d step %d", seed, n)
			before := ""
			if m.r.Intn(3) == 0 {
				before = dump(t, m.s)
			}
			what, e := m.step()
			if e != nil {
				failed[what+" "+e.Code]++
				if before != "" && dump(t, m.s) != before {
					t.Fatalf("%s: %s failed with %+v and changed the state", name, what, e)
				}
			} else {
				done[what]++
			}
			planned += m.plans(name)
			if n%8 == 7 {
				m.derive(name)
			}
		}
	}
	t.Logf("done %v, failed %v, %d plans", done, failed, planned)
	for _, what := range []string{"append", "upsert", "sync", "forget", "amend"} {
		if done[what] < rounds {
			t.Errorf("only %d times %s", done[what], what)
		}
	}
	if failed["amend "+abi.CodeNotFound] == 0 || failed["amend "+abi.CodeConflict] == 0 || planned < 20*rounds {
		t.Errorf("the generator has lost its reach: %v, %d plans", failed, planned)
	}
}

// derive derives all threads anew and compares.
func (m *mutator) derive(name string) {
	m.t.Helper()
	before := dump(m.t, m.s)
	for _, t := range m.s.order {
		m.s.relabel(t, nil)
	}
	sameDump(m.t, name+": derived anew", dump(m.t, m.s), before)
}

// plans makes a plan without and one with an acl, and checks what they guarantee.
func (m *mutator) plans(name string) (planned int) {
	m.t.Helper()
	for range 2 {
		t := m.thread()
		if t.book.Count == 0 {
			continue
		}
		req := randomPlan(m.r, t.id, m.s)
		user := slices.ContainsFunc(req.Input, func(w abi.Message) bool { return w.Role == abi.RoleUser })
		req.Input = slices.DeleteFunc(req.Input, func(w abi.Message) bool {
			// The place of a forgotten message is no message; a result behind a user message comes too late to be sent.
			return w.Role == "" || user && w.Role == abi.RoleTool || w.Role == abi.RoleSystem || w.Role == abi.RoleDeveloper
		})
		if m.r.Intn(3) > 0 {
			req.Scope = randomScope(m.r)
			req.Scope.Threads = nil
		}
		see := m.s
		if m.r.Intn(2) == 0 {
			names := callers[m.r.Intn(len(callers))]
			if req.Scope == nil {
				req.Scope = &abi.Scope{}
			}
			req.Scope.ACL = abi.Names{List: names, Given: true}
			see = New()
			see.settings = m.s.settings
			see.threads[t.id] = m.s.viewOf(t, names).t
			for _, x := range see.threads[t.id].book.Messages {
				if !seen(x.Wire, names) {
					m.t.Fatalf("%s: %v see %+v", name, names, x.Wire)
				}
			}
		}
		res, e := m.s.Plan(req)
		if e != nil {
			if e.Code == abi.CodeBudgetTooSmall {
				need := *e.Details.Need
				if req.Budget.History != nil {
					req.Budget.History = &need
				} else {
					req.Budget.Window = &need
				}
				res, e = m.s.Plan(req)
			} else if e.Code == abi.CodeInvalidRequest || e.Code == abi.CodeConflict {
				continue // an input that can't be sent here
			}
			if e != nil {
				m.t.Fatalf("%s: %+v", name, e)
			}
		}
		planned++
		checkLedger(m.t, see, req, res.Plan, name)
		checkGroups(m.t, see, req, res.Plan, name)
		checkMandatory(m.t, see, req, res.Plan, name)
		checkPresent(m.t, see.threads[t.id], req, res.Plan, name)
	}
	return planned
}

// checkPresent: each message of a thread that is not gone is in exactly one range of the coverage, and the others are in
// none; nothing in the plan is of a message that is not there.
func checkPresent(t *testing.T, th *thread, req *abi.PlanRequest, p *abi.Plan, name string) {
	t.Helper()
	where := make([]int, len(th.book.Messages)+1)
	for kind, ranges := range [][][2]int64{p.Coverage.Verbatim, p.Coverage.Summarised, p.Coverage.Dropped} {
		for _, r := range ranges {
			for i := r[0]; i <= r[1]; i++ {
				if i < 1 || i >= int64(len(where)) {
					t.Fatalf("%s: %d is covered and not there", name, i)
				}
				if where[i] == 0 {
					where[i] = kind + 1
				} else {
					t.Fatalf("%s: %d is covered twice", name, i)
				}
			}
		}
	}
	var dropped int64
	for i := 1; i < len(where); i++ {
		if gone := th.book.Messages[i-1].Gone; gone != (where[i] == 0) {
			t.Fatalf("%s: message %d, gone %v, is covered %d", name, i, gone, where[i])
		}
		if where[i] == 3 {
			dropped++
		}
	}
	for _, it := range p.Items {
		if it.Seq == 0 {
			continue
		}
		if it.Seq >= int64(len(where)) {
			t.Fatalf("%s: %s item %q has the number %d of %d", name, it.Kind, it.ID, it.Seq, len(where)-1)
		}
		if where[it.Seq] != 1 || th.book.Messages[it.Seq-1].Wire.ID != it.ID {
			t.Fatalf("%s: item %s %d is covered %d", name, it.ID, it.Seq, where[it.Seq])
		}
	}
	for _, d := range p.Dropped {
		if where[d.Seq] != 3 || th.book.Messages[d.Seq-1].Wire.ID != d.ID {
			t.Fatalf("%s: dropped %s %d is covered %d", name, d.ID, d.Seq, where[d.Seq])
		}
	}
	var counted int64
	for _, n := range p.DroppedCounts {
		counted += n
	}
	if counted != dropped || req.Explain && int64(len(p.Dropped)) != dropped {
		t.Fatalf("%s: %d dropped, counts %v, %d listed", name, dropped, p.DroppedCounts, len(p.Dropped))
	}
}
