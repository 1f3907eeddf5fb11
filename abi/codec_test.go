package abi_test

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/abi/internal/twin"
	"github.com/ctxplan/ctxplan/abi/wire"
)

var unions = map[reflect.Type]map[byte]string{
	reflect.TypeFor[abi.Content]():         {'"': "Text", '[': "Parts"},
	reflect.TypeFor[abi.SettingsPatch]():   {'{': "Raw"},
	reflect.TypeFor[abi.TextOrCount]():     {'"': "Text", '0': "Count"},
	reflect.TypeFor[abi.JSONOrCount]():     {'{': "JSON", '[': "JSON", '0': "Count"},
	reflect.TypeFor[abi.EvidenceOrCount](): {'[': "List", '0': "Count"},
}

// sample is a type of the contract with documents of it.
type sample struct {
	name  string
	fresh func() twin.Codec
	docs  []string
}

var samples = []sample{
	{"describe_request", func() twin.Codec { return new(abi.DescribeRequest) }, []string{`{}`}},
	{"configure_request", func() twin.Codec { return new(abi.ConfigureRequest) }, []string{
		`{"settings":{}}`, `{"settings":{"recent":{"turns":4,"share":0.25},"models":{"embed":null}},"now":"2026-05-22T22:45:00+08:00"}`}},
	{"append_request", func() twin.Codec { return new(abi.AppendRequest) }, []string{
		`{"thread":"t1","messages":[]}`,
		`{"thread":"t1","mode":"add","now":"2026-05-22T22:45:00+08:00","messages":[
		{"id":"m1","role":"system","content":"answer in Finnish"},
		{"id":"m2","role":"user","name":"Ana","time":"2026-05-22T22:45:00+08:00","content":"订单 A123 到哪了？\n"},
		{"id":"m3","role":"assistant","content":null,"tool_calls":[{"id":"c1","name":"get_order","arguments":"{\"order\":\"A123\"}"},{"id":"c2","name":"now"}]},
		{"role":"tool","tool_call_id":"c1","error":false,"content":[{"type":"json","json":{"signed_on": "2026-05-20"}},{"type":"text","text":"ok"}]},
		{"role":"tool","tool_call_id":"c2","content":[{"type":"image","mime":"image/png","bytes":900000,"alt":"chart","url":"data:image/png;base64,AAAA"}],"pin":true}]}`}},
	{"plan_request", func() twin.Codec { return new(abi.PlanRequest) }, []string{
		`{"thread":"t1","budget":{"history":1500}}`,
		`{"thread":"t1","question":"Where is it?","input":[{"role":"user","content":"Where is it?"}],"now":"2026-09-25T10:00:00+08:00",
		"budget":{"window":8000,"output":1200,"margin":500},"system":"be kind","tools":[{"name":"get_order"}],"evidence":[{"text":"v3"}],
		"scope":{"threads":["t1","t2"],"since":"2026-01-01T00:00:00Z"},"strategy":"fused","explain":true,"settings":{"retrieval":{"k":10}},
		"results":[{"need":"e1","status":"ok","model":"e5","vectors":{"dimension":3,"i8":"AQID"},"usage":{"input":7}},{"need":"e2","status":"error","message":"busy"}]}`,
		`{"thread":"t1","budget":{"window":8000},"system":1500,"tools":0,"evidence":900}`}},
	{"needs_request", func() twin.Codec { return new(abi.NeedsRequest) }, []string{`{}`, `{"kinds":["embed"],"max":32,"now":"2026-09-25T10:00:00Z"}`}},
	{"fulfil_request", func() twin.Codec { return new(abi.FulfilRequest) }, []string{
		`{"results":[{"need":"e1","status":"ok","vectors":{"dimension":1,"f32":"AACAPwAAAEA="}},{"need":"e2","status":"refused"}]}`}},
	{"read_request", func() twin.Codec { return new(abi.ReadRequest) }, []string{`{}`, `{"thread":"t1","from":1,"limit":100,"ids":["m1","#2"]}`}},
	{"stats_request", func() twin.Codec { return new(abi.StatsRequest) }, []string{`{}`}},
	{"error_response", func() twin.Codec { return new(abi.ErrorResponse) }, []string{
		`{"error":{"code":"budget_too_small","message":"no room","path":"budget","retryable":false,"details":{"need":950,"have":0,"pinned":["m1"]}}}`}},
	{"append_response", func() twin.Codec { return new(abi.AppendResponse) }, []string{
		`{"thread":"t1","revision":3,"messages":[{"id":"m1","seq":1,"status":"added"},{"id":"#2","seq":2,"status":"duplicate"}],"repaired":["messages[0].content"]}`}},
	{"needs_response", func() twin.Codec { return new(abi.NeedsResponse) }, []string{
		`{"needs":[{"id":"e1","kind":"embed","model":"e5","role":"passage","texts":["passage: a"],"dimension":384,"thread":"t1","message":"m1"}],"open":1}`}},
	{"plan_response", func() twin.Codec { return new(abi.PlanResponse) }, []string{`{}`, plan()}},
}

// plan returns a plan response in which every member stands.
func plan() string {
	share := int64(250)
	r := abi.PlanResponse{Plan: &abi.Plan{
		Thread: "t1", Revision: 1234, Strategy: "fused",
		Budget: abi.Budget{Window: 8000, Output: 1200, Margin: 500, History: 3750, Counting: "estimated", Profile: "generic"},
		Items: []abi.Item{
			{Kind: "retrieved", ID: "m626", Thread: "t1", Seq: 626, Role: "user", Header: "05-22 Fri", Text: "…", Tokens: 88, Trust: "user",
				Excerpt: &abi.Excerpt{Of: 4100, Spans: [][2]int64{{0, 310}, {980, 1200}}},
				Why:     &abi.Why{Lists: map[string]int64{"lexical": 6, "dense": 1040}, Fused: 22, Score: 31_000}},
			{Kind: "recent", ID: "m700", Parts: []abi.Part{{Type: "json", JSON: wire.Raw(`{"a": [1]}`)}}, ToolCalls: []abi.ToolCall{{ID: "c", Name: "n"}}, Verbatim: true},
		},
		Dropped:       []abi.Dropped{{ID: "m12", Thread: "t1", Seq: 12, Reason: "over_budget", Tokens: 900}},
		DroppedCounts: map[string]int64{"below_rank": 2401, "over_budget": 1},
		Coverage:      abi.Coverage{Verbatim: [][2]int64{{601, 626}}, Dropped: [][2]int64{{541, 600}}},
		Candidates:    []abi.Candidate{{ID: "m1", Thread: "t1", Seq: 1, Why: abi.Why{Parts: map[string]int64{"bm25": 5}}}},
		Warnings:      []abi.Warning{{Code: "degraded", Lists: []string{"dense"}, SharePermille: &share}},
	}}
	return string(r.AppendWire(nil))
}

func TestContractAgreesWithTwin(t *testing.T) {
	for _, s := range samples {
		for _, doc := range s.docs {
			if err := (&wire.Decoder{Strict: true}).Decode([]byte(doc), s.fresh()); err != nil {
				t.Errorf("%s: %s: %v", s.name, doc, err)
			}
			for seed := range uint64(400) {
				rng := rand.New(rand.NewPCG(seed, 3))
				r := twin.Reader{Strict: rng.IntN(2) == 0, Unions: unions}
				mutant := []byte(doc)
				if seed > 1 {
					mutant = twin.Mutate(rng, mutant)
				}
				if d := r.Compare(mutant, s.fresh); d != "" {
					t.Fatalf("%s, strict %v, seed %d, %s: %s", s.name, r.Strict, seed, mutant, d)
				}
			}
		}
	}
}

func TestEveryCutOfTheContractIsAnError(t *testing.T) {
	for _, s := range samples {
		for _, doc := range s.docs {
			for i := range len(doc) {
				if wire.Unmarshal([]byte(doc[:i]), s.fresh()) == nil {
					t.Errorf("%s: accepted when cut at %d: %s", s.name, i, doc[:i])
				}
			}
		}
	}
}

func TestPathsOfTheContract(t *testing.T) {
	for _, c := range []struct{ kind, doc, code, path string }{
		{"append_request", `{"thread":"t","messages":[{"role":"user"},{"role":"robot"}]}`, "invalid_request", "messages[1].role"},
		{"append_request", `{"thread":"t","messages":[{"content":""}]}`, "invalid_request", "messages[0].role"},
		{"append_request", `{"thread":"t","messages":[{"role":"user","content":[{"type":"text"},{"type":"text","txt":""}]}]}`, "unknown_field", "messages[0].content[1].txt"},
		{"append_request", `{"thread":"t","messages":[{"role":"user","content":7}]}`, "invalid_request", "messages[0].content"},
		{"append_request", `{"thread":"t","messages":[{"role":"assistant","tool_calls":[{"id":"c"}]}]}`, "invalid_request", "messages[0].tool_calls[0].name"},
		{"append_request", `{"thread":"` + strings.Repeat("t", 513) + `","messages":[]}`, "invalid_request", "thread"},
		{"plan_request", `{"thread":"t","budget":{"history":1.5}}`, "invalid_request", "budget.history"},
		{"plan_request", `{"thread":"t","budget":{},"system":-1}`, "invalid_request", "system"},
		{"plan_request", `{"thread":"t","budget":{},"results":[{"need":"e","status":"ok","vectors":{"dimension":0}}]}`, "invalid_request", "results[0].vectors.dimension"},
		{"describe_request", `{"verbose":true}`, "unknown_field", "verbose"},
	} {
		for _, s := range samples {
			if s.name != c.kind {
				continue
			}
			err := (&wire.Decoder{Strict: true}).Decode([]byte(c.doc), s.fresh())
			if e, ok := err.(*wire.Error); !ok || e.Code != c.code || e.Path != c.path {
				t.Errorf("%s: got %#v, want %s at %s", c.doc, err, c.code, c.path)
			}
		}
	}
}

func FuzzContract(f *testing.F) {
	for i, s := range samples {
		for _, doc := range s.docs {
			f.Add(i, []byte(doc), true)
		}
	}
	f.Fuzz(func(t *testing.T, kind int, doc []byte, strict bool) {
		s := samples[uint(kind)%uint(len(samples))]
		if d := (&twin.Reader{Strict: strict, Unions: unions}).Compare(doc, s.fresh); d != "" {
			t.Errorf("%s: %s", s.name, d)
		}
	})
}
