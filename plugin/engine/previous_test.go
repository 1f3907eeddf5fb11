package engine

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/ctxplan/ctxplan/abi"
)

func sent(it *abi.Item) string {
	c := *it
	c.Why = nil
	return string(c.AppendWire(nil))
}

// before is the number of items that stand before the live turn.
func before(p *abi.Plan) int {
	for i := range p.Items {
		if k := p.Items[i].Kind; k == abi.KindLive || k == abi.KindInput {
			return i
		}
	}
	return len(p.Items)
}

// Within a turn of 20 calls every item before the live turn stays as it is, byte for byte, also where there is more to
// quote than there is room.
func TestPrefixIsStableWithinATurn(t *testing.T) {
	for seed := range 40 {
		r := rand.New(rand.NewSource(int64(seed)))
		s := New()
		messages := append([]abi.Message{{Role: abi.RoleSystem, Content: abi.TextContent("Be brief.")}}, randomThread(r, 60)...)
		messages = append(messages, abi.Message{Role: abi.RoleUser, Content: abi.TextContent("where is the heron lantern, and what about order A123?")})
		appendAll(t, s, messages)
		roomy := seed%2 == 0
		budget := int64(6000)
		if roomy {
			budget = 400_000
		}
		req := &abi.PlanRequest{Thread: "t", Budget: abi.BudgetRequest{History: &budget}, Strategy: abi.StrategyFused}
		res, e := s.Plan(req)
		if e != nil {
			t.Fatal(e)
		}
		if n := before(res.Plan); n < 5 || len(res.Plan.Prefix) != n || res.Plan.Cache.Items != 0 {
			t.Fatalf("seed %d: %d items before the live turn, %d digests, cache %+v", seed, n, len(res.Plan.Prefix), res.Plan.Cache)
		}
		if !roomy {
			// What the last plan had may not be of this turn: a host gives the prefix of the last plan, whatever that was.
			req.Previous = []string{"s.0.0.of-another-turn"}
			if res, e = s.Plan(req); e != nil {
				t.Fatal(e)
			}
		}
		first := res.Plan
		last := first
		for call := range 20 {
			id := fmt.Sprintf("call%d", call)
			appendAll(t, s, []abi.Message{{Role: abi.RoleAssistant, ToolCalls: []abi.ToolCall{{ID: id, Name: "look", Arguments: "{}"}}},
				{Role: abi.RoleTool, ToolCallID: id, Content: abi.TextContent(sentence(r, 8))}})
			req.Previous = last.Prefix
			was := last
			res, e := s.Plan(req)
			if e != nil {
				t.Fatal(e)
			}
			last = res.Plan
			checkPlan(t, s, req, last, fmt.Sprintf("seed %d call %d", seed, call))
			if int(last.Cache.Items) != len(was.Prefix) {
				t.Fatalf("seed %d call %d: %d of %d items are as they were", seed, call, last.Cache.Items, len(was.Prefix))
			}
			var tokens int64
			for i := range int(last.Cache.Items) {
				if sent(&last.Items[i]) != sent(&was.Items[i]) {
					t.Fatalf("seed %d call %d: item %d was %s and is %s", seed, call, i, sent(&was.Items[i]), sent(&last.Items[i]))
				}
				tokens += last.Items[i].Tokens
			}
			if tokens != last.Cache.Tokens {
				t.Fatalf("seed %d: cache says %d tokens, the items %d", seed, last.Cache.Tokens, tokens)
			}
		}
	}
}

// From turn to turn the recent turns begin where they began in most plans, and the guarantees hold with any previous.
func TestRecentTurnsMoveInSteps(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	s := New()
	budget := int64(5000)
	var previous []string
	begin, moved := int64(0), 0
	const turns = 60
	for turn := range turns {
		appendAll(t, s, []abi.Message{{Role: abi.RoleUser, Content: abi.TextContent(sentence(r, 12))},
			{Role: abi.RoleAssistant, Content: abi.TextContent(sentence(r, 20))}, {Role: abi.RoleUser, Content: abi.TextContent(sentence(r, 6))}})
		req := &abi.PlanRequest{Thread: "t", Budget: abi.BudgetRequest{History: &budget}, Strategy: abi.StrategyFused, Previous: previous}
		res, e := s.Plan(req)
		if e != nil {
			t.Fatal(e)
		}
		checkPlan(t, s, req, res.Plan, fmt.Sprint("turn ", turn))
		for i := range res.Plan.Items {
			if it := &res.Plan.Items[i]; it.Kind == abi.KindRecent {
				if it.Seq != begin {
					begin = it.Seq
					moved++
				}
				break
			}
		}
		previous = res.Plan.Prefix
	}
	if moved > turns*2/3 {
		t.Fatalf("the recent turns began anew %d times in %d turns", moved, turns)
	}
}

// A previous of another space, of forgotten messages or of nonsense is no fault and keeps nothing that must not be kept.
func TestPreviousIsOnlyAHint(t *testing.T) {
	for seed := range 60 {
		r := rand.New(rand.NewSource(int64(seed)))
		s := New()
		appendAll(t, s, randomThread(r, 12))
		var previous []string
		for n := range 6 {
			req := randomPlan(r, "t", s)
			req.Previous = append(previous, "nonsense", "q.00000000.99999.ff", "c..1.", "q.x.-1.y")
			r.Shuffle(len(req.Previous), func(i, j int) { req.Previous[i], req.Previous[j] = req.Previous[j], req.Previous[i] })
			res, e := s.Plan(req)
			if e != nil {
				continue
			}
			checkPlan(t, s, req, res.Plan, fmt.Sprintf("seed %d plan %d", seed, n))
			previous = res.Plan.Prefix
		}
	}
}

func appendAll(t *testing.T, s *Space, messages []abi.Message) {
	t.Helper()
	if _, e := s.Append(&abi.AppendRequest{Thread: "t", Messages: messages}); e != nil {
		t.Fatal(e)
	}
}
