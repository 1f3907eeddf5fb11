package host

import (
	"bytes"
	"encoding/json"
	"os"
	"strconv"
	"testing"

	"github.com/ctxplan/ctxplan/abi"
)

// A conversation that is exported, wiped and imported gives the same plan for
// 120 requests, and so does its snapshot.
func TestReloadedConversationPlansTheSame(t *testing.T) {
	talk, err := os.ReadFile("../testdata/conversations/move.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile("../testdata/conversations/questions.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var requests []string
	for _, line := range bytes.Split(bytes.TrimSpace(list), []byte("\n")) {
		var q struct{ Question string }
		if err := json.Unmarshal(line, &q); err != nil {
			t.Fatal(err)
		}
		text, _ := json.Marshal(q.Question)
		for _, budget := range []int{300, 1000, 1500, 6000} {
			requests = append(requests, `{"thread":"t","explain":true,"question":`+string(text)+`,"budget":{"history":`+strconv.Itoa(budget)+`}}`)
		}
	}
	if len(requests) < 100 {
		t.Fatalf("only %d requests", len(requests))
	}
	messages := bytes.Join(bytes.Split(bytes.TrimSpace(talk), []byte("\n")), []byte(","))
	onRoads(t, func(t *testing.T, opts []Option) {
		r := newRuntime(t, opts...)
		s := space(t, r, "a")
		do(t, s, abi.OpAppend, `{"thread":"t","messages":[`+string(messages)+`]}`)
		var plans []string
		for _, request := range requests {
			plans = append(plans, do(t, s, abi.OpPlan, request))
		}
		var export, image bytes.Buffer
		if _, err := s.Export(background, &export); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Snapshot(background, &image); err != nil {
			t.Fatal(err)
		}
		for name, data := range map[string]*bytes.Buffer{"export": &export, "snapshot": &image} {
			if err := space(t, r, "a").Close(background); err != nil {
				t.Fatal(err)
			}
			again, err := r.Restore(background, "a", data)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for i, request := range requests {
				if got := do(t, again, abi.OpPlan, request); got != plans[i] {
					t.Fatalf("%s: another plan for %s:\n%s\n%s", name, request, got, plans[i])
				}
			}
		}
	})
}
