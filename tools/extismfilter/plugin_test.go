package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	extism "github.com/extism/go-sdk"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/abi/wire"
	"github.com/ctxplan/ctxplan/host"
	"github.com/ctxplan/ctxplan/plugin/shell"
)

func module(t testing.TB, variable string) string {
	t.Helper()
	path := os.Getenv(variable)
	if path == "" {
		if os.Getenv("CI") == "true" {
			t.Fatalf("no module: %s is not set", variable)
		}
		t.Skipf("no module: %s is not set", variable)
	}
	return path
}

// shared compiles the plug-in once for all tests.
var shared = sync.OnceValues(func() (*extism.CompiledPlugin, error) {
	return compile(context.Background(), os.Getenv("CTXPLAN_EXTISM_WASM"), 0)
})

func instance(t testing.TB) *extism.Plugin {
	t.Helper()
	module(t, "CTXPLAN_EXTISM_WASM")
	compiled, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return instanceOf(t, compiled)
}

func instanceOf(t testing.TB, compiled *extism.CompiledPlugin) *extism.Plugin {
	t.Helper()
	p, err := open(t.Context(), compiled)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close(context.Background()) })
	return p
}

func call(t testing.TB, p *extism.Plugin, op string, request []byte) []byte {
	t.Helper()
	rc, out, err := p.Call(op, request)
	if rc != 0 || err != nil {
		t.Fatalf("%s returned %d, %v", op, rc, err)
	}
	return out
}

func TestExportsAreTheOps(t *testing.T) {
	p := instance(t)
	exports := p.Module().ExportedFunctions()
	for _, op := range abi.Ops {
		if _, ok := exports[op]; !ok {
			t.Errorf("%s is not exported", op)
		}
		delete(exports, op)
	}
	delete(exports, "_initialize")
	for name := range exports {
		t.Errorf("%s is exported and no op", name)
	}
}

func TestInstancesAreApart(t *testing.T) {
	a, b := instance(t), instance(t)
	empty := call(t, a, abi.OpStats, []byte(`{}`))
	call(t, a, abi.OpAppend, []byte(`{"thread":"t","messages":[{"role":"user","content":"only in one"}]}`))
	if got := call(t, a, abi.OpStats, []byte(`{}`)); bytes.Equal(got, empty) {
		t.Error("an instance kept nothing between two calls")
	}
	if got := call(t, b, abi.OpStats, []byte(`{}`)); !bytes.Equal(got, empty) {
		t.Errorf("another instance has %s", got)
	}
}

// Extism carries bytes eight at a time and the rest one at a time, so every length modulo 8 is a case of its own.
func TestFramesOfEveryLength(t *testing.T) {
	p, twin := instance(t), shell.New()
	for n := range 40 {
		for _, request := range []string{
			fmt.Sprintf(`{"thread":"t","messages":[{"role":"user","content":"%s"}]}`, strings.Repeat("x", n+1)),
			fmt.Sprintf(`{"thread":"é%s"}`, strings.Repeat("y", n)),
		} {
			want := twin.Handle(abi.OpAppend, []byte(request))
			if got := call(t, p, abi.OpAppend, []byte(request)); !bytes.Equal(got, want) {
				t.Fatalf("%s\ngave %s\nwant %s", request, got, want)
			}
		}
	}
}

func TestFramesAroundTheLimit(t *testing.T) {
	p, twin := instance(t), shell.New()
	for _, n := range []int{abi.FrameLimit - 1, abi.FrameLimit, abi.FrameLimit + 1, abi.FrameLimit + 8<<20} {
		request := append(bytes.Repeat([]byte(" "), n-2), "{}"...)
		want := twin.Handle(abi.OpStats, request)
		if got := call(t, p, abi.OpStats, request); !bytes.Equal(got, want) {
			t.Errorf("a request of %d bytes gave %s, want %s", n, got, want)
		}
	}
}

// The pages of snapshot and export are the largest responses, and not JSON behind their first line.
func TestLargePagesComeWhole(t *testing.T) {
	p, twin := instance(t), shell.New()
	both := func(op string, request []byte) []byte {
		t.Helper()
		want := twin.Handle(op, request)
		got := call(t, p, op, request)
		if !bytes.Equal(got, want) {
			t.Fatalf("%s gave %d bytes that begin with %.200s, want %d that begin with %.200s", op, len(got), got, len(want), want)
		}
		return got
	}
	both(abi.OpConfigure, []byte(`{"settings":{"models":{"embed":{"model":"m","dimension":2}}}}`))
	text := strings.Repeat("the lamp of the heron is 灯. ", 1000)
	for i := range 64 {
		both(abi.OpAppend, fmt.Appendf(nil, `{"thread":"t","messages":[{"role":"user","content":"%d %s"}]}`, i, text))
	}
	both(abi.OpExport, []byte(`{}`))
	restored := instance(t)
	largest := 0
	for from, more := int64(0), true; more; {
		page := both(abi.OpSnapshot, fmt.Appendf(nil, `{"from":%d,"limit_bytes":2000000}`, from))
		largest = max(largest, len(page))
		call(t, restored, abi.OpRestore, page)
		line, _, _ := bytes.Cut(page, []byte("\n"))
		var header abi.Page
		if err := wire.Unmarshal(line, &header); err != nil || header.Next != 0 && header.Next <= from {
			t.Fatalf("the page from %d begins with %.200s: %v", from, line, err)
		}
		from, more = header.Next, header.Next != 0
	}
	if largest < 1<<20 {
		t.Errorf("the largest page has %d bytes, too few to show anything", largest)
	}
	want := both(abi.OpStats, []byte(`{}`))
	if got := call(t, restored, abi.OpStats, []byte(`{}`)); !bytes.Equal(got, want) {
		t.Errorf("restored %s, want %s", got, want)
	}
}

// A plug-in can't see the max_pages of its manifest. Told by its configuration, it collects early enough that a space fills
// up to state_bytes and stays usable.
func TestFullSpaceUnderLowCeiling(t *testing.T) {
	if testing.Short() {
		t.Skip("takes ten seconds")
	}
	const ceiling = 128 << 20
	compiled, err := compile(t.Context(), module(t, "CTXPLAN_EXTISM_WASM"), ceiling)
	if err != nil {
		t.Fatal(err)
	}
	defer compiled.Close(t.Context())
	p, twin := instanceOf(t, compiled), shell.New()
	both := func(op string, request []byte) string {
		t.Helper()
		want := twin.Handle(op, request)
		if got := call(t, p, op, request); !bytes.Equal(got, want) {
			t.Fatalf("%s %.200s gave %.200s, want %.200s", op, request, got, want)
		}
		return string(want)
	}
	both(abi.OpConfigure, fmt.Appendf(nil, `{"settings":{"limits":{"state_bytes":%d}}}`, ceiling/3))
	text := strings.Repeat("the lamp of the heron is old and brown in it. ", 100)
	for i := 0; ; i++ {
		out := both(abi.OpAppend, fmt.Appendf(nil, `{"thread":"t","messages":[{"role":"user","content":"q%dx %s"}]}`, i, text))
		if strings.HasPrefix(out, `{"error":{"code":"too_large"`) {
			break
		}
		if strings.HasPrefix(out, `{"error"`) || i > 1_000_000 {
			t.Fatalf("message %d: %s", i, out)
		}
	}
	for _, c := range []struct{ op, in string }{
		{abi.OpPlan, `{"thread":"t","question":"where is q77x?","budget":{"history":4000}}`},
		{abi.OpExport, `{}`},
		{abi.OpSnapshot, `{}`},
		{abi.OpForget, `{"thread":"t","messages":["#1","#2"]}`},
		{abi.OpAppend, `{"thread":"t","messages":[{"role":"user","content":"there is room again"}]}`},
	} {
		if out := both(c.op, []byte(c.in)); strings.HasPrefix(out, `{"error"`) {
			t.Errorf("%s of a full space gave %s", c.op, out)
		}
	}
}

func BenchmarkRequest(b *testing.B) {
	p := instance(b)
	wasm, err := os.ReadFile(module(b, "CTXPLAN_SCALAR_WASM"))
	if err != nil {
		b.Fatal(err)
	}
	runtime, err := host.New(b.Context(), host.WithWasm(wasm))
	if err != nil {
		b.Fatal(err)
	}
	defer runtime.Close(b.Context())
	space, err := runtime.Space(b.Context(), "s")
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{100, 10_000, 100_000, 1_000_000} {
		// Refused at its first byte, so that what is measured is the way there and back.
		request := bytes.Repeat([]byte("x"), n)
		b.Run(fmt.Sprintf("extism/%d", n), func(b *testing.B) {
			for b.Loop() {
				call(b, p, abi.OpStats, request)
			}
		})
		b.Run(fmt.Sprintf("host/%d", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := space.Do(b.Context(), abi.OpStats, request); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
