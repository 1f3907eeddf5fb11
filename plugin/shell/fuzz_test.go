package shell

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/abi/wire"
)

// talk is a small space to fuzz against: tools in parallel, a call without a result, three scripts, a model.
var talk = []struct{ op, in string }{
	{"configure", `{"settings":{"models":{"embed":{"model":"m","dimension":2}}}}`},
	{"append", `{"thread":"t","messages":[
		{"role":"system","content":"Answer in Finnish."},
		{"role":"user","name":"Ana","time":"2026-05-22T22:45:00+08:00","content":"Where is order A123? 耳机还能检测吗?"},
		{"role":"assistant","content":null,"tool_calls":[{"id":"c1","name":"get_order","arguments":"{\"order\":\"A123\"}"},{"id":"c2","name":"get_policy","arguments":"{}"}]},
		{"role":"tool","tool_call_id":"c2","content":"policy v3"},
		{"role":"tool","tool_call_id":"c1","content":[{"type":"json","json":{"opened":true,"days":[1,2,3]}}]},
		{"role":"assistant","content":[{"type":"thinking","text":"hm"},{"type":"text","text":"It was opened on 9 May."}]},
		{"role":"user","content":"مرحبا, is the heron lantern there? 👨‍👩‍👧","pin":true},
		{"role":"assistant","content":"I will look.","tool_calls":[{"id":"c3","name":"find","arguments":"not json {"}]}]}`},
	{"append", `{"thread":"u","messages":[{"role":"user","content":"tea ready"},{"role":"assistant","content":"coffee ready"}]}`},
}

func prepared(t testing.TB) *Engine {
	e := New()
	for _, c := range talk {
		if out := e.Handle(c.op, []byte(c.in)); bytes.HasPrefix(out, []byte(`{"error"`)) {
			t.Fatalf("%s: %s", c.op, out)
		}
	}
	return e
}

// state is all that can be read of a space, as bytes.
func state(e *Engine) string {
	var b strings.Builder
	b.Write(e.Handle("stats", []byte(`{}`)))
	b.Write(e.Handle("export", []byte(`{}`))) // settings, vectors and counters are in it
	b.Write(e.Handle("read", []byte(`{"limit":1000}`)))
	for _, id := range []string{"t", "u", "v"} {
		b.Write(e.Handle("read", []byte(`{"thread":"`+id+`","limit":1000}`)))
	}
	b.Write(e.Handle("needs", []byte(`{"max":1024}`)))
	b.Write(e.Handle("plan", []byte(`{"thread":"t","question":"order A123","budget":{"history":5000},"explain":true,"settings":{"models":{"embed":null}}}`)))
	return b.String()
}

func FuzzHandle(f *testing.F) {
	for _, op := range abi.Ops {
		for _, in := range []string{`{}`, `{"thread":"t"}`, `[]`, `{"thread":"t","messages":[]}`, "\xff", `{"a":"\ud800"}`} {
			f.Add(op, in)
		}
	}
	for _, c := range talk {
		f.Add(c.op, c.in)
	}
	f.Add("plan", `{"thread":"t","question":"order","budget":{"window":4000,"output":100,"margin":50},"system":"s","tools":[{}],"evidence":[{"text":"e"}],"input":[{"role":"user","content":"x"}],"explain":true,"strategy":"fused","settings":{"tokens":{"profile":"chars4"},"models":{"embed":null}}}`)
	f.Add("plan", `{"thread":"t","budget":{"history":60},"results":[{"need":"q.x","status":"error"}],"settings":{"models":null}}`)
	f.Add("plan", `{"thread":"t","scope":{"threads":["*"],"since":"2020-01-01T00:00:00Z"},"budget":{"history":9007199254740991},"settings":{"models":{"embed":null}}}`)
	f.Add("needs", `{"kinds":["embed"],"max":3,"now":"2026-01-01T00:00:00Z"}`)
	f.Add("fulfil", `{"results":[{"need":"p.0.2.0.000000000000000000000000","status":"ok","vectors":{"dimension":2,"f32":"AACAPwAAgD8="}}]}`)
	f.Add("read", `{"thread":"t","ids":["#1","#2"]}`)
	seeds, _ := filepath.Glob("../../testdata/conformance/*.jsonl")
	for _, name := range seeds {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, line := range strings.Split(string(b), "\n") {
			var c struct {
				Op string          `json:"op"`
				In json.RawMessage `json:"in"`
			}
			if json.Unmarshal([]byte(line), &c) == nil && len(c.In) > 0 && len(c.In) < 4096 {
				f.Add(c.Op, string(c.In))
			}
		}
	}
	f.Fuzz(func(t *testing.T, op, in string) {
		e := prepared(t)
		before := state(e)
		out := e.Handle(op, []byte(in))
		checkResponse(t, e, op, in, out)
		changed := state(e) != before
		if failed := bytes.HasPrefix(out, []byte(`{"error"`)); changed && (failed || !abi.Mutating(op)) {
			t.Fatalf("%s %s\nchanged the state and answered %s", op, in, out)
		}
	})
}

// FuzzSequence runs several ops in a row; the oracle is the same, and a second engine that gets the same requests gives
// the same bytes.
func FuzzSequence(f *testing.F) {
	f.Add("append\n{\"thread\":\"t\",\"messages\":[{\"role\":\"tool\",\"tool_call_id\":\"c3\",\"content\":\"\"}]}\nplan\n{\"thread\":\"t\",\"budget\":{\"history\":90},\"settings\":{\"models\":{\"embed\":null}}}")
	f.Add("configure\n{\"settings\":{\"retrieval\":{\"session_gap\":\"1s\",\"roles\":[\"user\"]},\"models\":null}}\nplan\n{\"thread\":\"t\",\"budget\":{\"history\":500}}\nstats\n{}")
	f.Add("configure\n{\"settings\":{\"limits\":{\"messages\":9,\"message_bytes\":40}}}\nappend\n{\"thread\":\"v\",\"messages\":[{\"role\":\"user\",\"content\":\"a\"}]}\nappend\n{\"thread\":\"v\",\"messages\":[{\"role\":\"user\",\"content\":\"b\"}]}")
	f.Fuzz(func(t *testing.T, script string) {
		a, b := prepared(t), prepared(t)
		lines := strings.Split(script, "\n")
		for i := 0; i+1 < len(lines) && i < 24; i += 2 {
			op, in := lines[i], lines[i+1]
			out := a.Handle(op, []byte(in))
			checkResponse(t, a, op, in, out)
			if twin := b.Handle(op, []byte(in)); !bytes.Equal(out, twin) {
				t.Fatalf("%s %s\ngave %s\nand  %s", op, in, out, twin)
			}
		}
		if state(a) != state(b) {
			t.Fatal("two spaces that got the same requests differ")
		}
	})
}

func checkResponse(t *testing.T, e *Engine, op, in string, out []byte) {
	t.Helper()
	head := out
	if op == abi.OpExport || op == abi.OpSnapshot {
		head, _, _ = bytes.Cut(out, []byte("\n")) // raw bytes stand behind the header line
	}
	if !json.Valid(head) {
		t.Fatalf("%s %s\nanswered no JSON: %s", op, in, out)
	}
	if bytes.HasPrefix(out, []byte(`{"error"`)) {
		var r abi.ErrorResponse
		if err := wire.Unmarshal(out, &r); err != nil {
			t.Fatal(err)
		}
		if r.Error.Code == abi.CodeInternal {
			t.Fatalf("%s %s\nanswered %s", op, in, out)
		}
		return
	}
	if op != abi.OpPlan {
		return
	}
	var r abi.PlanResponse
	if err := wire.Unmarshal(out, &r); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if p := r.Plan; p != nil {
		b := p.Budget
		used := b.Used.Instructions + b.Used.Pinned + b.Used.Retrieved + b.Used.Recent
		if used > b.History || b.Total > b.Window || b.Free != b.Window-b.Total {
			t.Fatalf("%s\nledger %+v", in, b)
		}
		checkPairs(t, in, p)
	}
}

// checkPairs: what is sent as messages has no result without its call.
func checkPairs(t *testing.T, in string, p *abi.Plan) {
	t.Helper()
	open := map[string]bool{}
	for _, it := range p.Items {
		if it.Kind != abi.KindRecent && it.Kind != abi.KindLive {
			continue
		}
		for _, c := range it.ToolCalls {
			open[c.ID] = true
		}
		if it.ToolCallID != "" && !open[it.ToolCallID] {
			t.Fatalf("%s\nresult %s without its call", in, it.ID)
		}
	}
}
