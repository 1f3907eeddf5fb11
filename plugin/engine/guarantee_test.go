package engine

import (
	"bytes"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/render"
	"github.com/ctxplan/ctxplan/plugin/tokens"
)

// Guarantees 1 to 5 and 9 of the plan over random threads and requests.
func TestGuarantees(t *testing.T) {
	rounds := 400
	if testing.Short() {
		rounds = 60
	}
	refused, planned := 0, 0
	for seed := range rounds {
		r := rand.New(rand.NewSource(int64(seed)))
		s := New()
		messages := randomThread(r, 1+r.Intn(25))
		if _, e := s.Append(&abi.AppendRequest{Thread: "t", Messages: messages}); e != nil {
			t.Fatalf("seed %d: append: %+v", seed, e)
		}
		for n := range 4 {
			req := randomPlan(r, "t", s)
			before := s.revision
			res, e := s.Plan(req)
			if s.revision != before {
				t.Fatalf("seed %d: a plan changed the revision", seed)
			}
			if e != nil {
				checkRefusal(t, s, req, e, fmt.Sprintf("seed %d plan %d", seed, n))
				refused++
				continue
			}
			planned++
			checkPlan(t, s, req, res.Plan, fmt.Sprintf("seed %d plan %d", seed, n))
			again, _ := s.Plan(req)
			if a, b := res.AppendWire(nil), again.AppendWire(nil); !bytes.Equal(a, b) {
				t.Fatalf("seed %d plan %d: two plans differ", seed, n)
			}
		}
	}
	if planned < rounds || refused == 0 {
		t.Fatalf("%d planned, %d refused: the generator has lost its reach", planned, refused)
	}
}

// checkRefusal: only budget_too_small, and one token more than it needs is enough while one less is not.
func checkRefusal(t *testing.T, s *Space, req *abi.PlanRequest, e *abi.Error, name string) {
	t.Helper()
	if e.Code == abi.CodeInvalidRequest && strings.HasPrefix(e.Path, "input[") && len(req.Input) > 1 {
		return // a result whose group has other calls that wait, before a user message
	}
	if e.Code != abi.CodeBudgetTooSmall || e.Details == nil || e.Details.Need == nil || *e.Details.Need <= *e.Details.Have {
		t.Fatalf("%s: %+v", name, e)
	}
	enough := *req
	need := *e.Details.Need
	less := need - 1
	if req.Budget.History != nil {
		enough.Budget.History = &need
	} else {
		enough.Budget.Window = &need
	}
	res, e2 := s.Plan(&enough)
	if e2 != nil {
		t.Fatalf("%s: needs %d, and with it: %+v", name, need, e2)
	}
	checkPlan(t, s, &enough, res.Plan, name+" with what it needs")
	if req.Budget.History != nil {
		enough.Budget.History = &less
	} else {
		enough.Budget.Window = &less
	}
	if _, e3 := s.Plan(&enough); e3 == nil {
		t.Fatalf("%s: needs %d, but %d is enough", name, need, less)
	}
}

func checkPlan(t *testing.T, s *Space, req *abi.PlanRequest, p *abi.Plan, name string) {
	t.Helper()
	checkLedger(t, s, req, p, name)
	checkGroups(t, s, req, p, name)
	checkCoverage(t, s, req, p, name)
	checkMandatory(t, s, req, p, name)
}

func checkLedger(t *testing.T, s *Space, req *abi.PlanRequest, p *abi.Plan, name string) {
	t.Helper()
	b := p.Budget
	used := b.Used.Instructions + b.Used.Pinned + b.Used.Retrieved + b.Used.Recent
	if used > b.History {
		t.Fatalf("%s: used %d of %d", name, used, b.History)
	}
	if b.Total != b.Output+b.Margin+b.System+b.Tools+b.Evidence+b.Input+used || b.Total > b.Window || b.Free != b.Window-b.Total {
		t.Fatalf("%s: ledger %+v", name, b)
	}
	prof, _ := tokens.Lookup(b.Profile)
	sums := map[string]int64{}
	blocks := map[string]string{}
	for _, it := range p.Items {
		sums[it.Kind] += it.Tokens
		switch it.Kind {
		case abi.KindPinned, abi.KindRetrieved:
			blocks[it.Kind] += it.Header + it.Text + "\n"
		case abi.KindEvidence, abi.KindSystem:
		default:
			m := abi.Message{Role: it.Role, Name: it.Name, Content: abi.Content{Text: it.Text, Parts: it.Parts}, ToolCalls: it.ToolCalls}
			if it.Excerpt != nil && len(it.Parts) > 0 {
				m.Content.Parts = append([]abi.Part{{Type: "text", Text: it.Text}}, it.Parts...)
				m.Content.Text = ""
			}
			if it.Excerpt == nil && prof.Message(&m) != it.Tokens {
				t.Fatalf("%s: item %s says %d tokens, counts %d", name, it.ID, it.Tokens, prof.Message(&m))
			}
			if prof.Message(&m) > it.Tokens+tokens.MessageOverhead {
				t.Fatalf("%s: excerpt %s says %d tokens, counts %d", name, it.ID, it.Tokens, prof.Message(&m))
			}
		}
	}
	for kind, text := range blocks {
		frame := prof.Text(render.Frame(kind))
		if cost := prof.Text(text) + frame; cost > sums[kind]+frame {
			t.Fatalf("%s: the %s block costs %d, its items say %d", name, kind, cost, sums[kind])
		}
		sums[kind] += frame
	}
	if sums[abi.KindInstruction] != b.Used.Instructions || sums[abi.KindPinned] != b.Used.Pinned ||
		sums[abi.KindRetrieved] != b.Used.Retrieved || sums[abi.KindRecent]+sums[abi.KindLive] != b.Used.Recent || sums[abi.KindInput] != b.Input {
		t.Fatalf("%s: items %v, used %+v, input %d", name, sums, b.Used, b.Input)
	}
}

// checkGroups: what is sent as messages has no result without its call before it, and no call without its known results;
// the first message that is not system text is a user's.
func checkGroups(t *testing.T, s *Space, req *abi.PlanRequest, p *abi.Plan, name string) {
	t.Helper()
	users := 0
	for _, m := range s.threads[req.Thread].book.Messages {
		if m.Wire.Role == abi.RoleUser {
			users++
		}
	}
	first := users == 0
	open := map[string]int{}
	for _, it := range p.Items {
		switch it.Kind {
		case abi.KindRecent, abi.KindLive, abi.KindInput:
		default:
			continue
		}
		if !first && it.Kind != abi.KindInput && it.Role != abi.RoleUser {
			t.Fatalf("%s: the first message is of the %s", name, it.Role)
		}
		first = true
		if it.Role == abi.RoleUser {
			for id, n := range open {
				if n > 0 {
					t.Fatalf("%s: call %s has no result before a user message", name, id)
				}
			}
		}
		for _, c := range it.ToolCalls {
			open[c.ID]++
		}
		if it.ToolCallID != "" {
			if open[it.ToolCallID] == 0 {
				t.Fatalf("%s: result %s %s without its call", name, it.Kind, it.ID)
			}
			open[it.ToolCallID]--
		}
	}
	th := s.threads[req.Thread]
	in := map[string]bool{}
	for _, it := range p.Items {
		if it.Kind == abi.KindRecent || it.Kind == abi.KindLive {
			if in[it.ID] {
				t.Fatalf("%s: %s twice", name, it.ID)
			}
			in[it.ID] = true
		}
	}
	liveTurn := len(th.book.Turns) - 1
	for _, m := range req.Input {
		if m.Role == abi.RoleUser && (m.ID == "" || th.find(m.ID) < 0) {
			liveTurn = -1
		}
	}
	for _, it := range p.Items {
		if (it.Kind != abi.KindRecent && it.Kind != abi.KindLive) || len(it.ToolCalls) == 0 {
			continue
		}
		g := th.book.Groups[th.book.Messages[it.Seq-1].Group]
		for _, at := range g.Messages {
			if !in[th.book.Messages[at].Wire.ID] {
				t.Fatalf("%s: call %s is sent without %s of its group", name, it.ID, th.book.Messages[at].Wire.ID)
			}
		}
		closed := int32(0)
		for _, m := range req.Input {
			for _, at := range g.Messages {
				for _, c := range th.book.Messages[at].Wire.ToolCalls {
					if c.ID == m.ToolCallID && !answered(th.book, &g, c.ID) {
						closed++
					}
				}
			}
		}
		if g.Open > closed && int(g.Turn) != liveTurn {
			t.Fatalf("%s: calls of %s are sent though they have no result and are past", name, it.ID)
		}
	}
}

func checkCoverage(t *testing.T, s *Space, req *abi.PlanRequest, p *abi.Plan, name string) {
	t.Helper()
	th := s.threads[req.Thread]
	where := make([]int, len(th.book.Messages)+1)
	for _, r := range p.Coverage.Verbatim {
		for i := r[0]; i <= r[1]; i++ {
			where[i] |= 1 + where[i]&3<<8
		}
	}
	for _, r := range p.Coverage.Dropped {
		for i := r[0]; i <= r[1]; i++ {
			where[i] |= 2 + where[i]&3<<8
		}
	}
	items := map[int64]bool{}
	for _, it := range p.Items {
		if it.Seq > 0 {
			if items[it.Seq] {
				t.Fatalf("%s: message %d is in the plan twice", name, it.Seq)
			}
			items[it.Seq] = true
		}
	}
	var dropped int64
	for i := 1; i < len(where); i++ {
		if where[i] != 1 && where[i] != 2 {
			t.Fatalf("%s: message %d is covered %d times", name, i, where[i])
		}
		if (where[i] == 1) != items[int64(i)] {
			t.Fatalf("%s: message %d covered %d, among the items %v", name, i, where[i], items[int64(i)])
		}
		if where[i] == 2 {
			dropped++
		}
	}
	var counted int64
	for _, n := range p.DroppedCounts {
		counted += n
	}
	if counted != dropped {
		t.Fatalf("%s: %d dropped, counts say %v", name, dropped, p.DroppedCounts)
	}
	if req.Explain && int64(len(p.Dropped)) != dropped {
		t.Fatalf("%s: %d dropped, %d explained", name, dropped, len(p.Dropped))
	}
	for _, d := range p.Dropped {
		if items[d.Seq] {
			t.Fatalf("%s: %s is dropped and in the plan", name, d.ID)
		}
	}
}

func checkMandatory(t *testing.T, s *Space, req *abi.PlanRequest, p *abi.Plan, name string) {
	t.Helper()
	kinds := map[string]string{}
	inputs := 0
	for _, it := range p.Items {
		if it.Kind == abi.KindInput && it.Seq == 0 {
			inputs++
			continue
		}
		kinds[it.ID] = it.Kind
		if it.Kind == abi.KindInstruction && !it.Verbatim {
			t.Fatalf("%s: instruction %s is not verbatim", name, it.ID)
		}
	}
	th := s.threads[req.Thread]
	fresh, userInput := 0, false
	for _, m := range req.Input {
		userInput = userInput || m.Role == abi.RoleUser && (m.ID == "" || th.find(m.ID) < 0)
	}
	for _, m := range req.Input {
		at := int32(-1)
		if m.ID != "" {
			at = th.find(m.ID)
		}
		if at < 0 {
			fresh++
			continue
		}
		g := th.book.Groups[th.book.Messages[at].Group]
		past := g.Open > 0 && (userInput || int(g.Turn) != len(th.book.Turns)-1) || g.Orphan
		if kinds[m.ID] == "" && !past {
			t.Fatalf("%s: input %s, which is stored, is not in", name, m.ID)
		}
	}
	if inputs != fresh {
		t.Fatalf("%s: %d of %d inputs", name, inputs, fresh)
	}
	for _, m := range th.book.Messages {
		if m.Standing() && kinds[m.Wire.ID] != abi.KindInstruction {
			t.Fatalf("%s: instruction %s is %q", name, m.Wire.ID, kinds[m.Wire.ID])
		}
	}
	if !userInput && th.book.Live() != nil {
		live := th.book.Live()
		if id := th.book.Messages[live.User].Wire.ID; kinds[id] != abi.KindLive {
			t.Fatalf("%s: the newest user message is %q", name, kinds[id])
		}
		for _, g := range live.Groups {
			if th.book.Groups[g].Open == 0 {
				continue
			}
			for _, at := range th.book.Groups[g].Messages {
				if kinds[th.book.Messages[at].Wire.ID] != abi.KindLive {
					t.Fatalf("%s: open group without %s", name, th.book.Messages[at].Wire.ID)
				}
			}
		}
	}
}
