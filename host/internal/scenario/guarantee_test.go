package scenario

import (
	"strings"
	"testing"

	"github.com/ctxplan/ctxplan/abi"
)

// sound is a small plan that keeps every guarantee, with its request and what is
// stored.
func sound() (*abi.PlanRequest, *abi.Plan, []abi.ReadMessage) {
	window := int64(200)
	q := &abi.PlanRequest{Thread: "t", Budget: abi.BudgetRequest{Window: &window, Output: 20}}
	text := abi.TextContent
	stored := []abi.ReadMessage{
		{Seq: 1, Message: abi.Message{ID: "s", Role: abi.RoleSystem, Content: text("Be kind.")}},
		{Seq: 2, Turn: 1, Message: abi.Message{ID: "old", Role: abi.RoleUser, Content: text("The key is red. It hangs high.")}},
		{Seq: 3, Turn: 2, Message: abi.Message{ID: "u", Role: abi.RoleUser, Content: text("Look.")}},
		{Seq: 4, Turn: 2, Message: abi.Message{ID: "a", Role: abi.RoleAssistant, ToolCalls: []abi.ToolCall{{ID: "c", Name: "look"}}}},
		{Seq: 5, Turn: 2, Message: abi.Message{ID: "r", Role: abi.RoleTool, ToolCallID: "c", Content: text("red")}},
		{Seq: 6, Turn: 2, Message: abi.Message{ID: "gone", Role: abi.RoleAssistant, Content: text("Hm.")}},
	}
	p := &abi.Plan{Thread: "t",
		Budget: abi.Budget{Window: 200, Output: 20, History: 180, Profile: "generic", Used: abi.Used{Instructions: 5, Retrieved: 21, Recent: 30}, Total: 76, Free: 124},
		Items: []abi.Item{
			{Kind: abi.KindInstruction, ID: "s", Thread: "t", Seq: 1, Role: abi.RoleSystem, Text: "Be kind.", Tokens: 5, Verbatim: true},
			{Kind: abi.KindRetrieved, ID: "old", Thread: "t", Seq: 2, Role: abi.RoleUser, Text: "The key is red.\n[… 30 bytes in all …]", Tokens: 10,
				Excerpt: &abi.Excerpt{Of: 30, Spans: [][2]int64{{0, 15}}}, Why: &abi.Why{Lists: map[string]int64{"lexical": 1}, Fused: 1}},
			{Kind: abi.KindLive, ID: "u", Thread: "t", Seq: 3, Role: abi.RoleUser, Text: "Look.", Tokens: 10, Verbatim: true},
			{Kind: abi.KindLive, ID: "a", Thread: "t", Seq: 4, Role: abi.RoleAssistant, Tokens: 10, Verbatim: true, ToolCalls: []abi.ToolCall{{ID: "c", Name: "look"}}},
			{Kind: abi.KindLive, ID: "r", Thread: "t", Seq: 5, Role: abi.RoleTool, ToolCallID: "c", Text: "red", Tokens: 10, Verbatim: true},
		},
		DroppedCounts: map[string]int64{"below_rank": 1},
		Coverage:      abi.Coverage{Verbatim: [][2]int64{{1, 5}}, Dropped: [][2]int64{{6, 6}}},
	}
	return q, p, stored
}

func TestGuaranteesOfASoundPlan(t *testing.T) {
	q, p, stored := sound()
	for _, f := range Guarantees(q, p, stored) {
		t.Error(f)
	}
}

// Each break is found, and named by the words given.
func TestGuaranteesThatAreBroken(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(q *abi.PlanRequest, p *abi.Plan)
		words string
	}{
		{"total", func(_ *abi.PlanRequest, p *abi.Plan) { p.Budget.Total++ }, "budget.total"},
		{"free", func(_ *abi.PlanRequest, p *abi.Plan) { p.Budget.Free-- }, "budget.free"},
		{"an item's tokens", func(_ *abi.PlanRequest, p *abi.Plan) { p.Items[1].Tokens++ }, "used.retrieved"},
		{"no tokens", func(_ *abi.PlanRequest, p *abi.Plan) { p.Items[0].Tokens = 0 }, "costs 0"},
		{"window", func(_ *abi.PlanRequest, p *abi.Plan) { p.Budget.Window, p.Budget.Free, p.Budget.History = 60, -9, 40 }, "above the window"},
		{"order of kinds", func(_ *abi.PlanRequest, p *abi.Plan) { p.Items[0], p.Items[1] = p.Items[1], p.Items[0] }, "stands behind"},
		{"result without call", func(_ *abi.PlanRequest, p *abi.Plan) {
			p.Items = append(p.Items[:3:3], p.Items[4])
			p.Budget.Used.Recent -= 10
		}, "without its call"},
		{"call without result", func(_ *abi.PlanRequest, p *abi.Plan) { p.Items = p.Items[:4] }, "without its result"},
		{"result before call", func(_ *abi.PlanRequest, p *abi.Plan) { p.Items[3], p.Items[4] = p.Items[4], p.Items[3] }, "stands before it"},
		{"call sent without its calls", func(_ *abi.PlanRequest, p *abi.Plan) { p.Items[3].ToolCalls = nil }, "without its call"},
		{"instruction missing", func(_ *abi.PlanRequest, p *abi.Plan) { p.Items = p.Items[1:] }, "not among the instructions"},
		{"newest user message missing", func(_ *abi.PlanRequest, p *abi.Plan) { p.Items = p.Items[:2] }, "newest user message"},
		{"begins with the assistant", func(_ *abi.PlanRequest, p *abi.Plan) { p.Items[2].Role = abi.RoleAssistant }, "first message"},
		{"input missing", func(q *abi.PlanRequest, _ *abi.Plan) { q.Input = []abi.Message{{Role: abi.RoleUser}} }, "input items"},
		{"input that is stored missing", func(q *abi.PlanRequest, _ *abi.Plan) { q.Input = []abi.Message{{ID: "gone", Role: abi.RoleAssistant}} }, "which the input repeats"},
		{"in two ranges", func(_ *abi.PlanRequest, p *abi.Plan) { p.Coverage.Dropped = [][2]int64{{5, 6}} }, "#5 is verbatim and dropped"},
		{"in no range", func(_ *abi.PlanRequest, p *abi.Plan) { p.Coverage.Dropped = nil }, "nowhere"},
		{"range out of bounds", func(_ *abi.PlanRequest, p *abi.Plan) { p.Coverage.Dropped = [][2]int64{{6, 7}} }, "has the range"},
		{"ranges that touch", func(_ *abi.PlanRequest, p *abi.Plan) { p.Coverage.Verbatim = [][2]int64{{1, 2}, {3, 5}} }, "has the range"},
		{"counts", func(_ *abi.PlanRequest, p *abi.Plan) { p.DroppedCounts["below_rank"] = 2 }, "sum of dropped_counts"},
		{"an unknown reason", func(_ *abi.PlanRequest, p *abi.Plan) { p.DroppedCounts = map[string]int64{"bad_luck": 1} }, "bad_luck"},
		{"dropped and there", func(_ *abi.PlanRequest, p *abi.Plan) {
			p.Dropped = []abi.Dropped{{ID: "u", Thread: "t", Seq: 3, Reason: "over_budget"}}
		}, "dropped and in the items"},
		{"other words", func(_ *abi.PlanRequest, p *abi.Plan) { p.Items[0].Text = "Be quick." }, "whole text"},
		{"other role", func(_ *abi.PlanRequest, p *abi.Plan) { p.Items[2].Name = "Ana" }, "not what is stored"},
		{"other span", func(_ *abi.PlanRequest, p *abi.Plan) { p.Items[1].Excerpt.Spans[0] = [2]int64{1, 16} }, "lacks the bytes"},
		{"overlapping spans", func(_ *abi.PlanRequest, p *abi.Plan) { p.Items[1].Excerpt.Spans = [][2]int64{{0, 15}, {10, 20}} }, "has the span"},
		{"wrong size", func(_ *abi.PlanRequest, p *abi.Plan) { p.Items[1].Excerpt.Of = 31 }, "31 bytes"},
		{"excerpt of everything", func(_ *abi.PlanRequest, p *abi.Plan) { p.Items[1].Excerpt.Spans[0] = [2]int64{0, 30} }, "excerpt of all"},
		{"whole and an excerpt", func(_ *abi.PlanRequest, p *abi.Plan) { p.Items[1].Verbatim = true }, "is whole and an excerpt"},
		{"why missing", func(_ *abi.PlanRequest, p *abi.Plan) { p.Items[1].Why = nil }, "has a why"},
		{"no rank", func(_ *abi.PlanRequest, p *abi.Plan) { p.Items[1].Why.Fused = 0 }, "fused rank"},
		{"a recalled system message", func(_ *abi.PlanRequest, p *abi.Plan) { p.Items[1].Role = abi.RoleSystem }, "recalled as a system"},
		{"price", func(_ *abi.PlanRequest, p *abi.Plan) { p.Budget.Profile = "chars4" }, "costs 5 tokens and should cost 6"},
		{"candidates out of order", func(_ *abi.PlanRequest, p *abi.Plan) {
			p.Candidates = []abi.Candidate{{Kind: "live", Why: abi.Why{Fused: 1, Score: 1}}, {Kind: "live", Why: abi.Why{Fused: 2, Score: 2}}}
		}, "candidate 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			q, p, stored := sound()
			c.spoil(q, p)
			faults := strings.Join(Guarantees(q, p, stored), "\n")
			if !strings.Contains(faults, c.words) {
				t.Errorf("found %q, and should have said %q", faults, c.words)
			}
		})
	}
}

// A call that waits has to be sent with all its calls, and told.
func TestGuaranteesOfACallThatWaits(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(*abi.Plan)
		holds bool
	}{
		"as it is":   {func(*abi.Plan) {}, true},
		"not told":   {func(p *abi.Plan) { p.Items[3].Open = false }, false},
		"not sent":   {func(p *abi.Plan) { p.Items = p.Items[:3] }, false},
		"text alone": {func(p *abi.Plan) { p.Items[3].ToolCalls = nil }, false},
	} {
		q, p, stored := sound()
		for i := range stored {
			stored[i].Turn = 1
		}
		stored[3].Open, p.Items[3].Open = true, true
		c.spoil(p)
		faults := strings.Join(Guarantees(q, p, stored), "\n")
		if strings.Contains(faults, "#4 waits for a result") == c.holds {
			t.Errorf("%s: %s", name, faults)
		}
	}
}
