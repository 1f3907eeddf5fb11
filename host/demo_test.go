package host

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/ctxplan/ctxplan/abi"
)

// lines reads a file of JSON Lines.
func lines[T any](t *testing.T, path string) []T {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []T
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		var v T
		if err := json.Unmarshal(s.Bytes(), &v); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		out = append(out, v)
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// The demonstration: a question whose answer needs two half-sentences far apart, the later one changing the first. Both are in
// a plan of 1,500 tokens out of a conversation of more than 40,000, whether it is asked in English or in Chinese.
func TestBothHalvesOfTheAnswerAreInThePlan(t *testing.T) {
	messages := lines[json.RawMessage](t, "../testdata/conversations/move.jsonl")
	questions := lines[struct {
		Lang, Question string
		Evidence       []int64
	}](t, "../testdata/conversations/questions.jsonl")[:2]
	if questions[0].Lang == questions[1].Lang {
		t.Fatalf("both questions are %s", questions[0].Lang)
	}
	onRoads(t, func(t *testing.T, opts []Option) {
		s := space(t, newRuntime(t, opts...), "demo")
		request, err := json.Marshal(map[string]any{"thread": "move", "messages": messages})
		if err != nil {
			t.Fatal(err)
		}
		do(t, s, abi.OpAppend, string(request))
		for _, q := range questions {
			budget := int64(1500)
			plan, err := s.Plan(context.Background(), &abi.PlanRequest{Thread: "move", Budget: abi.BudgetRequest{History: &budget},
				Input: []abi.Message{{Role: abi.RoleUser, Content: abi.TextContent(q.Question)}}})
			if err != nil {
				t.Fatal(err)
			}
			var in []int64
			for i := range plan.Items {
				if plan.Items[i].Verbatim {
					in = append(in, plan.Items[i].Seq)
				}
			}
			if len(q.Evidence) != 2 || q.Evidence[1]-q.Evidence[0] < 250 {
				t.Fatalf("the halves are %v", q.Evidence)
			}
			for _, seq := range q.Evidence {
				if !slices.Contains(in, seq) {
					t.Errorf("%q: #%d is not in the plan, word for word", q.Question, seq)
				}
			}
			if plan.Budget.FullHistory < 40_000 || plan.Budget.Used.Recent == 0 {
				t.Errorf("%+v", plan.Budget)
			}
		}
	})
}
