package engine

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"strings"
	"testing"

	"github.com/ctxplan/ctxplan/abi"
)

const dimension = 16

// embed is a model of a kind: words are hashed into the components, so that texts with common words are near each other.
func embed(s string) []byte {
	v := make([]float32, dimension)
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return r == ' ' || r == '.' || r == ':' || r == '?' }) {
		h := fnv.New32a()
		h.Write([]byte(w))
		v[h.Sum32()%dimension] += 1
	}
	v[0] += 0.01
	var b []byte
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

func answer(n abi.Need) abi.Result {
	r := abi.Result{Need: n.ID, Status: abi.StatusOK, Model: n.Model, Vectors: &abi.Vectors{Dimension: n.Dimension}}
	for _, t := range n.Texts {
		r.Vectors.F32 = append(r.Vectors.F32, embed(t)...)
	}
	return r
}

func modelled(t *testing.T) *Space {
	t.Helper()
	s := New()
	mustConfigure(t, s, `{"models":{"embed":{"model":"hash","dimension":16,"query_prefix":"query: ","passage_prefix":"passage: ","max_tokens":20}}}`)
	msgs := []abi.Message{}
	for _, text := range []string{"the heron stood on the quay", "we moved the meeting to thursday", "", "bring two copies of the contract",
		"a long one. " + strings.Repeat("the lantern is in the cellar behind the boiler. ", 40), "what about lunch"} {
		m := abi.Message{Role: abi.RoleUser, Content: abi.TextContent(text)}
		if text == "" {
			m = abi.Message{Role: abi.RoleAssistant, ToolCalls: []abi.ToolCall{{ID: "c", Name: "f"}}}
		}
		msgs = append(msgs, m)
	}
	if _, e := s.Append(&abi.AppendRequest{Thread: "t", Messages: msgs}); e != nil {
		t.Fatal(e)
	}
	return s
}

func mustConfigure(t *testing.T, s *Space, patch string) {
	t.Helper()
	if _, e := s.Configure(&abi.ConfigureRequest{Settings: abi.SettingsPatch{Raw: []byte(patch)}}); e != nil {
		t.Fatalf("%+v", e)
	}
}

func fulfil(t *testing.T, s *Space, results ...abi.Result) []abi.Fulfilled {
	t.Helper()
	out, e := s.Fulfil(&abi.FulfilRequest{Results: results})
	if e != nil {
		t.Fatalf("%+v", e)
	}
	return out.Results
}

func needs(t *testing.T, s *Space) []abi.Need {
	t.Helper()
	out, e := s.Needs(&abi.NeedsRequest{Max: 1024})
	if e != nil {
		t.Fatal(e)
	}
	return out.Needs
}

func planFor(question string, results ...abi.Result) *abi.PlanRequest {
	n := int64(400)
	return &abi.PlanRequest{Thread: "t", Question: question, Strategy: abi.StrategyFused, Budget: abi.BudgetRequest{History: &n}, Results: results,
		Settings: abi.SettingsPatch{Raw: []byte(`{"recent":{"turns":0}}`)}}
}

func TestNeedsRoundTrip(t *testing.T) {
	s := modelled(t)
	open := needs(t, s)
	texts, messages := 0, map[string]bool{}
	for _, n := range open {
		texts += len(n.Texts)
		messages[n.Message] = true
		if len(n.Texts) > abi.NeedTexts || n.Role != "passage" || !strings.HasPrefix(n.Texts[0], "passage: user: ") {
			t.Fatalf("%+v", n)
		}
	}
	if len(messages) != 5 || texts <= abi.NeedTexts || len(open) != 6 {
		t.Fatalf("%d needs with %d texts for %d messages; the long message has more than one need", len(open), texts, len(messages))
	}
	for _, n := range open {
		if got := fulfil(t, s, answer(n)); got[0].Status != resultAccepted {
			t.Fatalf("%+v", got)
		}
	}
	if left := needs(t, s); len(left) != 0 {
		t.Fatalf("%d needs are still open", len(left))
	}
	stats, _ := s.Stats(nil)
	if stats.Vectors != int64(texts) || stats.OpenNeeds != 0 || stats.Calls["embed_ok"] != 6 {
		t.Fatalf("%+v", stats)
	}

	res, e := s.Plan(planFor("Where is the lantern?"))
	if e != nil || len(res.Needs) != 1 || res.Plan != nil {
		t.Fatalf("%+v %+v", res, e)
	}
	q := res.Needs[0]
	if q.Role != "query" || q.Texts[0] != "query: Where is the lantern?" {
		t.Fatalf("%+v", q)
	}
	res, e = s.Plan(planFor("Where is the lantern?", answer(q)))
	if e != nil || res.Plan == nil {
		t.Fatalf("%+v %+v", res, e)
	}
	if len(res.Plan.Warnings) != 0 {
		t.Fatalf("warnings %+v", res.Plan.Warnings)
	}
	found := false
	for _, it := range res.Plan.Items {
		if it.ID == "#5" && it.Why != nil {
			found = it.Why.Lists[listDense] > 0 && it.Why.Lists[listLexical] > 0 && it.Why.Parts["cosine"] > 0
		}
	}
	if !found {
		t.Fatalf("the message is not in both lists: %+v", res.Plan.Items)
	}
}

// What a model gives that words do not: a message that shares no word with the question.
func TestDenseFindsWhatWordsDoNot(t *testing.T) {
	s := modelled(t)
	for _, n := range needs(t, s) {
		fulfil(t, s, answer(n))
	}
	req := planFor("xyzzy")
	res, _ := s.Plan(req)
	vector := answer(res.Needs[0])
	vector.Vectors.F32 = embed("we moved the meeting to thursday")
	res, e := s.Plan(planFor("xyzzy", vector))
	if e != nil || len(res.Plan.Items) == 0 {
		t.Fatalf("%+v %+v", res, e)
	}
	if id := best(res.Plan); id != "#2" {
		t.Fatalf("the nearest message is %s", id)
	}
}

func best(p *abi.Plan) string {
	for _, it := range p.Items {
		if it.Why != nil && it.Why.Fused == 1 {
			return it.ID
		}
	}
	return ""
}

func TestDegradesLoudly(t *testing.T) {
	s := modelled(t)
	question := "the heron"
	res, _ := s.Plan(planFor(question))
	need := res.Needs[0]
	zero, short, other, nan := answer(need), answer(need), answer(need), answer(need)
	zero.Vectors.F32 = make([]byte, 4*dimension)
	short.Vectors.Dimension, short.Vectors.F32 = 3, embed("x")[:12]
	other.Model = "another"
	binary.LittleEndian.PutUint32(nan.Vectors.F32, math.Float32bits(float32(math.NaN())))
	for name, c := range map[string]struct {
		result abi.Result
		reason string
	}{
		"error":           {abi.Result{Need: need.ID, Status: abi.StatusError}, "error"},
		"refused":         {abi.Result{Need: need.ID, Status: abi.StatusRefused}, "refused"},
		"zero vector":     {zero, "bad_vector"},
		"NaN":             {nan, "bad_vector"},
		"wrong dimension": {short, "model_mismatch"},
		"wrong model":     {other, "model_mismatch"},
		"no vectors yet":  {answer(need), "no_vectors"},
	} {
		res, e := s.Plan(planFor(question, c.result))
		if e != nil || res.Plan == nil {
			t.Fatalf("%s: %+v %+v", name, res, e)
		}
		w := res.Plan.Warnings
		if len(w) != 1 || w[0].Code != abi.WarnDegraded || w[0].Reason != c.reason || len(w[0].Lists) != 1 || w[0].Lists[0] != "dense" {
			t.Errorf("%s: warnings %+v", name, w)
		}
		if best(res.Plan) != "#1" {
			t.Errorf("%s: lexical results are gone", name)
		}
	}
}

func TestFulfilJudgesEachResult(t *testing.T) {
	s := modelled(t)
	open := needs(t, s)
	bad := answer(open[1])
	bad.Vectors.F32 = bad.Vectors.F32[:8]
	wrong := answer(open[2])
	wrong.Model = "another"
	got := fulfil(t, s, answer(open[0]), answer(open[0]), bad, wrong, abi.Result{Need: "p.0.99.0.000000000000000000000000", Status: abi.StatusError},
		abi.Result{Need: "p.0.1.0.000000000000000000000000", Status: abi.StatusError}, abi.Result{Need: open[1].ID, Status: abi.StatusError},
		abi.Result{Need: open[3].ID, Status: abi.StatusRefused})
	want := []string{"accepted", "refused duplicate", "refused bad_vector", "refused model_mismatch", "refused unknown_need", "refused stale", "noted", "noted"}
	for i, w := range want {
		if g := strings.TrimSpace(got[i].Status + " " + got[i].Reason); g != w {
			t.Errorf("result %d: %s, want %s", i, g, w)
		}
	}
	left := map[string]bool{}
	for _, n := range needs(t, s) {
		left[n.ID] = true
	}
	if left[open[0].ID] || !left[open[1].ID] || !left[open[2].ID] || left[open[3].ID] {
		t.Errorf("open: %v", left)
	}
	mustConfigure(t, s, `{"models":{"embed":{"passage_prefix":"text: "}}}`)
	if n := len(needs(t, s)); n != len(open) {
		t.Errorf("after a change of prefix %d of %d needs are open", n, len(open))
	}
	mustConfigure(t, s, `{"models":{"embed":{"passage_prefix":"passage: "}}}`)
	if n := len(needs(t, s)); n >= len(open) {
		t.Errorf("back at the old prefix %d needs are open, as many as before", n)
	}
	mustConfigure(t, s, `{"models":{"embed":{"model":"new"}}}`)
	if n := len(needs(t, s)); n != len(open) {
		t.Errorf("after a change of model %d of %d needs are open", n, len(open))
	}
	if got := fulfil(t, s, answer(open[1])); got[0].Reason != abi.RefusedStale {
		t.Errorf("a late result of the old model: %+v", got)
	}
	mustConfigure(t, s, `{"models":null}`)
	if n := len(needs(t, s)); n != 0 {
		t.Errorf("without a model %d needs are open", n)
	}
}
