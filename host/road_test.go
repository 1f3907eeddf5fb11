package host

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/ctxplan/ctxplan/host/internal/guest"
)

// module gives the module that tests run: a fresh build when the environment
// names one, else the one that is built in.
func module(t testing.TB) []byte { return moduleFrom(t, "CTXPLAN_WASM") }

func moduleFrom(t testing.TB, variable string) []byte {
	t.Helper()
	if path := os.Getenv(variable); path != "" {
		wasm, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return wasm
	}
	wasm, err := guest.Embedded()
	if err == nil && variable == "CTXPLAN_WASM" {
		return wasm
	}
	if os.Getenv("CI") == "true" {
		t.Fatalf("no module: %s is not set", variable)
	}
	t.Skipf("no module: %s is not set", variable)
	return nil
}

// road is one way of running the engine.
type road struct {
	name string
	slow bool
	opts func(t testing.TB) []Option
}

var roads = []road{
	{"native", false, func(testing.TB) []Option { return []Option{Native()} }},
	{"wasm", false, func(t testing.TB) []Option { return []Option{WithWasm(module(t))} }},
	{"wasm with seed and clock", false, func(t testing.TB) []Option {
		return []Option{WithWasm(module(t)), WithSeed([32]byte{7}), WithClock(time.Hour, 3*time.Microsecond)}
	}},
	{"wasm with another seed and clock", false, func(t testing.TB) []Option {
		return []Option{WithWasm(module(t)), WithSeed([32]byte{8}), WithClock(0, time.Nanosecond)}
	}},
	{"wasm with little memory", false, func(t testing.TB) []Option {
		return []Option{WithWasm(module(t)), WithMemoryLimit(64 << 20)}
	}},
	{"scalar wasm", false, func(t testing.TB) []Option { return []Option{WithWasm(moduleFrom(t, "CTXPLAN_SCALAR_WASM"))} }},
	{"interpreter", true, func(t testing.TB) []Option { return []Option{WithWasm(module(t)), WithInterpreter()} }},
}

// onRoads runs a test on native and wasm.
func onRoads(t *testing.T, test func(t *testing.T, opts []Option)) {
	for _, r := range roads[:2] {
		t.Run(r.name, func(t *testing.T) { test(t, r.opts(t)) })
	}
}

// step is one request of a sequence.
type step struct{ op, request string }

// sequence holds what a space may be asked, refusals included.
var sequence = []step{
	{"describe", `{}`},
	{"stats", `{}`},
	{"read", `{}`},
	{"append", `{"thread":"t","messages":[{"role":"system","content":"Answer in Finnish."},{"role":"user","time":"2026-05-22T22:45:00+08:00","name":"Ana","content":"The piano must stay upright, and the cellar key hangs behind the boiler."},{"role":"assistant","content":"Noted: upright, and behind the boiler."}]}`},
	{"append", `{"thread":"t","messages":[{"id":"m4","role":"user","content":"我们选择了数据库PostgreSQL，会议改到周四上午九点。"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","name":"get_order","arguments":"{\"order\":\"A123\"}"}]},{"role":"tool","tool_call_id":"c1","content":"{\"state\":\"sent\",\"weight\":12.5}"},{"role":"assistant","content":"It was sent 📦."}]}`},
	{"append", `{"thread":"t","messages":[{"id":"m4","role":"user","content":"something else"}]}`},
	{"append", `{"thread":"t","messages":[{"role":"user"}]}`},
	{"append", `{"thread":"t","messages":[{"role":"user","content":"a","colour":"red"}]}`},
	{"append", `{"thread":"t","messages":[{"role":"user","content":"a \ud800 b"}]}`},
	{"append", `{"thread":"t","messages":` + strings.Repeat("[", 500) + strings.Repeat("]", 500) + `}`},
	{"append", "{\"thread\":\"t\",\"messages\":[{\"role\":\"user\",\"content\":\"\xff\"}]}"},
	{"append", `{`},
	{"append", `null`},
	{"plan", `{"thread":"t","question":"Where is the cellar key?","budget":{"history":200},"explain":true}`},
	{"plan", `{"thread":"t","question":"数据库","budget":{"window":400,"output":50,"margin":10},"strategy":"fused"}`},
	{"plan", `{"thread":"t","question":"key","budget":{"history":60},"strategy":"truncate"}`},
	{"plan", `{"thread":"t","question":"key","budget":{"history":1}}`},
	{"plan", `{"thread":"nobody","question":"key","budget":{"history":100}}`},
	{"configure", `{"settings":{"recent":{"turns":1},"tokens":{"profile":"chars4"},"models":{"embed":{"model":"m","dimension":2}}}}`},
	{"needs", `{}`},
	{"plan", `{"thread":"t","question":"Where is the cellar key?","budget":{"history":100}}`},
	{"fulfil", `{"results":[{"need":"nobody asked","status":"ok","vectors":{"dimension":2,"f32":"AACAPwAAAAA="}}]}`},
	{"configure", `{"settings":{"models":{"embed":null}}}`},
	{"configure", `{"settings":{"nothing":1}}`},
	{"plan", `{"thread":"t","question":"Where is the cellar key?","budget":{"history":100}}`},
	{"read", `{"thread":"t","from":2,"limit":3}`},
	{"stats", `{}`},
}

// run gives the responses to a sequence, in order.
func run(t testing.TB, s *Space, steps []step) []string {
	t.Helper()
	out := make([]string, len(steps))
	for i, st := range steps {
		out[i] = do(t, s, st.op, st.request)
	}
	return out
}
