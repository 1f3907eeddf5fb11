package guest

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tetratelabs/wazero/api"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/abi/wire"
	"github.com/ctxplan/ctxplan/host/internal/guest/guesttest"
)

func compileFake(t testing.TB, config Config) *Module {
	t.Helper()
	wasm, err := guesttest.Fake()
	if err != nil {
		t.Fatal(err)
	}
	return compileModule(t, wasm, config)
}

// compileModule uses the cache of all tests when config names none.
func compileModule(t testing.TB, wasm []byte, config Config) *Module {
	t.Helper()
	if config.CacheDir == "" {
		config.CacheDir = cacheDir()
	}
	m, err := Compile(context.Background(), wasm, config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close(context.Background()) })
	return m
}

// cacheDir is one for all tests of a process, so that the fake is compiled once.
var cacheDir = sync.OnceValue(func() string {
	dir, err := os.MkdirTemp("", "guestcache")
	if err != nil {
		panic(err)
	}
	return dir
})

func TestMain(m *testing.M) {
	code := m.Run()
	os.RemoveAll(cacheDir())
	os.Exit(code)
}

func start(t testing.TB, m *Module) *Instance {
	t.Helper()
	i, err := m.New(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { i.Close() })
	return i
}

func call(t testing.TB, i *Instance, op, request string) string {
	t.Helper()
	response, err := i.Call(context.Background(), op, []byte(request))
	if err != nil {
		t.Fatalf("%s: %v", op, err)
	}
	return string(response)
}

func TestCallAnswers(t *testing.T) {
	for name, config := range map[string]Config{"compiler": {}, "interpreter": {Interpreter: true}} {
		t.Run(name, func(t *testing.T) {
			i := start(t, compileFake(t, config))
			for _, want := range []string{"x", "{}", strings.Repeat("é", 100000)} {
				if got := call(t, i, "echo", want); got != want {
					t.Errorf("echo gave %d bytes, want %d", len(got), len(want))
				}
			}
			if v, err := i.ABI(); v != abi.Major<<16|abi.Minor || err != nil {
				t.Errorf("ABI %d, %v", v, err)
			}
		})
	}
}

func TestModuleOps(t *testing.T) {
	m := compileFake(t, Config{})
	if got, want := strings.Join(m.Ops(), " "), "append configure count echo exit fulfil hold leak lie needs noise panic plan read spin stall"; got != want {
		t.Errorf("ops %q, want %q", got, want)
	}
}

// What a call refuses leaves the instance as it was.
func TestCallRefuses(t *testing.T) {
	i := start(t, compileFake(t, Config{}))
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		name, op string
		ctx      context.Context
		request  []byte
		want     error
	}{
		{"unknown op", "nothing", context.Background(), []byte("x"), ErrUnknownOp},
		{"the allocator is no op", "alloc", context.Background(), []byte("x"), ErrUnknownOp},
		{"empty request", "echo", context.Background(), nil, ErrFrame},
		{"request above the limit", "echo", context.Background(), make([]byte, FrameLimit+1), ErrFrame},
		{"cancelled before", "spin", cancelled, []byte("x"), context.Canceled},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := i.Call(c.ctx, c.op, c.request); !errors.Is(err, c.want) {
				t.Errorf("error %v, want %v", err, c.want)
			}
			if got := call(t, i, "echo", "still here"); got != "still here" {
				t.Errorf("then echo gave %q", got)
			}
		})
	}
	big := bytes.Repeat([]byte("z"), FrameLimit)
	if response, err := i.Call(context.Background(), "echo", big); err != nil || !bytes.Equal(response, big) {
		t.Errorf("a request of exactly the limit: %d bytes, %v", len(response), err)
	}
}

func TestTrapClosesInstance(t *testing.T) {
	m := compileFake(t, Config{MemoryLimit: 32 << 20})
	for _, c := range []struct {
		name, op, request, reason string
		memory                    bool
	}{
		{"panic", "panic", "fail now", "panic: told to: fail now", false},
		{"exit", "exit", "x", "exit code 3", false},
		{"out of memory", "hold", "64", "out of memory", true},
		{"response beyond the memory", "lie", "far", "outside its memory", false},
		{"response above the limit", "lie", "long", "answered with 16777217 bytes", false},
		{"no response", "lie", "null", "answered with 0 bytes", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			i := start(t, m)
			call(t, i, "echo", "x")
			_, err := i.Call(context.Background(), c.op, []byte(c.request))
			var trap *Trap
			if !errors.As(err, &trap) {
				t.Fatalf("error %v, want a trap", err)
			}
			if !strings.Contains(trap.Reason, c.reason) || strings.Contains(trap.Reason, "\n") {
				t.Errorf("reason %q, want one line with %q", trap.Reason, c.reason)
			}
			if trap.OutOfMemory != c.memory {
				t.Errorf("out of memory: %v", trap.OutOfMemory)
			}
			if _, err := i.Call(context.Background(), "echo", []byte("x")); err != ErrClosed {
				t.Errorf("the next call: %v, want ErrClosed", err)
			}
			if _, err := i.ABI(); err != ErrClosed {
				t.Errorf("ABI: %v, want ErrClosed", err)
			}
			if got := call(t, start(t, m), "echo", "other"); got != "other" {
				t.Errorf("another instance gave %q", got)
			}
		})
	}
}

// A host that never releases runs out of buffers, not of memory.
func TestNoBufferLeft(t *testing.T) {
	i := start(t, compileFake(t, Config{}))
	if got := call(t, i, "leak", "x"); got != "full" {
		t.Fatal(got)
	}
	// The slot of the answer itself is free again after its release.
	if got := call(t, i, "echo", "x"); got != "x" {
		t.Fatal(got)
	}
	ctx := context.Background()
	if _, err := i.alloc.Call(ctx, 1); err != nil {
		t.Fatal(err)
	}
	var trap *Trap
	if _, err := i.Call(ctx, "echo", []byte("x")); !errors.As(err, &trap) || !strings.Contains(trap.Reason, "no buffer") {
		t.Errorf("error %v, want no buffer", err)
	}
}

// Frames that no honest host sends, straight to the exports of the fake and of
// the engine itself.
func TestAttackFrames(t *testing.T) {
	t.Run("fake", func(t *testing.T) {
		i := start(t, compileFake(t, Config{}))
		attack(t, i, "echo")
		if got := call(t, i, "count", "x"); got != "1" {
			t.Errorf("%s ops ran, want only this one", got)
		}
	})
	t.Run("engine", func(t *testing.T) {
		i := start(t, compileEngine(t))
		before := call(t, i, abi.OpStats, "{}")
		for _, op := range abi.Ops {
			attack(t, i, op)
		}
		if after := call(t, i, abi.OpStats, "{}"); after != before {
			t.Errorf("stats\ngot  %s\nwant %s", after, before)
		}
	})
}

// compileEngine compiles the module that CTXPLAN_WASM names, or the one that is
// built in.
func compileEngine(t *testing.T) *Module {
	t.Helper()
	wasm, err := Embedded()
	if path := os.Getenv("CTXPLAN_WASM"); path != "" {
		wasm, err = os.ReadFile(path)
	}
	if err == ErrNotEmbedded && os.Getenv("CI") != "true" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return compileModule(t, wasm, Config{})
}

func attack(t *testing.T, i *Instance, op string) {
	t.Helper()
	ctx := context.Background()
	raw := func(name string, args ...uint64) uint64 {
		t.Helper()
		results, err := i.module.ExportedFunction(name).Call(ctx, args...)
		if err != nil {
			t.Fatalf("%s%v: %v", name, args, err)
		}
		if len(results) == 0 {
			return 0
		}
		return results[0]
	}
	for _, n := range []int32{0, -1, -1 << 31, 1<<31 - 1, FrameLimit + 1} {
		if ptr := raw(exportAlloc, api.EncodeI32(n)); ptr != 0 {
			t.Errorf("alloc(%d) = %d, want 0", n, ptr)
		}
	}
	size := uint64(i.memory.Size())
	for _, c := range []struct {
		name string
		ptr  func(buffer uint64) uint64
		n    uint64
	}{
		{"null", func(uint64) uint64 { return 0 }, 8},
		{"one", func(uint64) uint64 { return 1 }, 8},
		{"into the buffer", func(p uint64) uint64 { return p + 1 }, 4},
		{"before the buffer", func(p uint64) uint64 { return p - 1 }, 8},
		{"end of memory", func(uint64) uint64 { return size }, 8},
		{"last byte of memory", func(uint64) uint64 { return size - 1 }, 8},
		{"2 GiB", func(uint64) uint64 { return 1 << 31 }, 8},
		{"last address", func(uint64) uint64 { return 1<<32 - 1 }, 8},
		{"length zero", func(p uint64) uint64 { return p }, 0},
		{"length one too many", func(p uint64) uint64 { return p }, 9},
		{"length of 2 GiB", func(p uint64) uint64 { return p }, 1 << 31},
		{"longest", func(p uint64) uint64 { return p }, 1<<32 - 1},
	} {
		buffer := raw(exportAlloc, 8)
		if buffer == 0 {
			t.Fatalf("%s: no buffer", c.name)
		}
		packed := raw(exportPrefix+op, c.ptr(buffer), c.n)
		answer, ok := i.memory.Read(uint32(packed>>32), uint32(packed))
		var refused abi.ErrorResponse
		if err := wire.Unmarshal(answer, &refused); !ok || err != nil || refused.Error.Code != abi.CodeInvalidRequest {
			t.Errorf("%s: answer %q, %v", c.name, answer, err)
		}
		if canonical := refused.AppendWire(nil); !bytes.Equal(canonical, answer) {
			t.Errorf("%s: answer %q is not canonical", c.name, answer)
		}
		raw(exportRelease, packed>>32)
		raw(exportRelease, c.ptr(buffer))
		raw(exportRelease, buffer)
	}
}

func TestDeadlineStops(t *testing.T) {
	for name, config := range map[string]Config{"compiler": {}, "interpreter": {Interpreter: true}} {
		t.Run(name, func(t *testing.T) {
			i := start(t, compileFake(t, config))
			ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
			defer cancel()
			begin := time.Now()
			_, err := i.Call(ctx, "spin", []byte("x"))
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Fatalf("error %v, want the deadline", err)
			}
			if took := time.Since(begin); took > 10*time.Second {
				t.Errorf("stopped after %v", took)
			}
			if _, err := i.Call(context.Background(), "echo", []byte("x")); err != ErrClosed {
				t.Errorf("the next call: %v, want ErrClosed", err)
			}
		})
	}
}

func TestCancelStops(t *testing.T) {
	i := start(t, compileFake(t, Config{}))
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, err := i.Call(ctx, "spin", []byte("x")); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want the cancellation", err)
	}
	if _, err := i.Call(context.Background(), "echo", []byte("x")); err != ErrClosed {
		t.Errorf("the next call: %v, want ErrClosed", err)
	}
}

// Work that ends without a tick can't be stopped, and its answer counts.
func TestLateAnswerCounts(t *testing.T) {
	i := start(t, compileFake(t, Config{}))
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	response, err := i.Call(ctx, "stall", []byte("50"))
	if err != nil || len(response) == 0 {
		t.Fatalf("%q, %v", response, err)
	}
	if got := call(t, i, "count", "x"); got != "2" {
		t.Errorf("count %s, want 2", got)
	}
}

// A call from inside a tick reaches nothing, and the call around it goes on.
func TestReentryIsRefused(t *testing.T) {
	m := compileFake(t, Config{})
	var inside []error
	m.onTick = func(i *Instance) {
		if i.ops == nil || len(inside) > 2 {
			return
		}
		_, err := i.Call(context.Background(), "hold", []byte("1"))
		inside = append(inside, err)
		_, err = i.ABI()
		inside = append(inside, err)
	}
	i := start(t, m)
	if got := call(t, i, "hold", "3"); got != "held" {
		t.Fatal(got)
	}
	if len(inside) == 0 {
		t.Fatal("no tick came")
	}
	for _, err := range inside {
		if err != ErrBusy {
			t.Errorf("a call inside a tick: %v, want ErrBusy", err)
		}
	}
	if got := call(t, i, "count", "x"); got != "2" {
		t.Errorf("count %s, want 2", got)
	}
}

func TestConcurrentCallsAreRefused(t *testing.T) {
	i := start(t, compileFake(t, Config{}))
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for n := range 50 {
				want := strconv.Itoa(n)
				response, err := i.Call(context.Background(), "echo", []byte(want))
				if err != nil && err != ErrBusy || err == nil && string(response) != want {
					t.Errorf("%q, %v", response, err)
				}
			}
		})
	}
	group.Wait()
}

func TestMemoryLimit(t *testing.T) {
	wasm, err := guesttest.Fake()
	if err != nil {
		t.Fatal(err)
	}
	for name, limit := range map[string]int64{"below the first pages": 1 << 20, "a byte": 1, "above 4 GiB": 5 << 32, "negative": -1} {
		if _, err := Compile(context.Background(), wasm, Config{MemoryLimit: limit}); err == nil {
			t.Errorf("%s: a limit of %d bytes was taken", name, limit)
		}
	}
	m := compileFake(t, Config{MemoryLimit: 48<<20 + 1})
	if m.MemoryMaximum() != 48<<20 {
		t.Errorf("maximum %d", m.MemoryMaximum())
	}
	i := start(t, m)
	// The collector knows the ceiling, so that garbage doesn't hit it.
	for range 200 {
		call(t, i, "echo", strings.Repeat("g", 1<<20))
	}
	if i.Memory() > 48<<20 {
		t.Errorf("memory of %d bytes", i.Memory())
	}
}

func TestOpenAndClose(t *testing.T) {
	m := compileFake(t, Config{})
	for n := range 200 {
		i, err := m.New(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if n%10 == 0 {
			call(t, i, "echo", "x")
		}
		if err := errors.Join(i.Close(), i.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

// The seed reaches the guest: the order of a map in it changes with the seed
// and not from run to run.
func TestSeedAndClock(t *testing.T) {
	run := func(seed byte, clock Clock) string {
		m := compileFake(t, Config{Seed: &[32]byte{seed}, Clock: clock})
		return call(t, start(t, m), "noise", "n")
	}
	first := run(1, Clock{Step: 1000})
	if again := run(1, Clock{Step: 1000}); again != first {
		t.Error("one seed and clock gave two orders")
	}
	if other := run(2, Clock{Start: 1 << 50, Step: 300}); other == first {
		t.Error("the seed did not reach the guest")
	}
}

func TestOutputIsBounded(t *testing.T) {
	var h head
	for range 3000 {
		if n, err := h.Write([]byte("12345678901")); n != 11 || err != nil {
			t.Fatal(n, err)
		}
	}
	if len(h.String()) != headLimit {
		t.Errorf("%d bytes kept, want %d", len(h.String()), headLimit)
	}
	h.reset()
	h.Write([]byte("\xff"))
	if h.String() != "\uFFFD" {
		t.Errorf("%q", h.String())
	}
}

// A damaged cache costs a compilation, not the start of every process to come.
func TestDamagedCache(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the module many times")
	}
	wasm, err := guesttest.Fake()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	entries := func() []string {
		files, err := filepath.Glob(filepath.Join(dir, "wazero-*", "*"))
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	for name, damage := range map[string]func(b []byte) []byte{
		"empty":            func([]byte) []byte { return nil },
		"cut":              func(b []byte) []byte { return b[:len(b)/2] },
		"flipped bit":      func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
		"something else":   func([]byte) []byte { return bytes.Repeat([]byte("cache"), 1000) },
		"another's header": func(b []byte) []byte { copy(b, "XXXXXX"); return b },
	} {
		t.Run(name, func(t *testing.T) {
			start(t, compileModule(t, wasm, Config{CacheDir: dir}))
			if len(entries()) == 0 {
				t.Fatal("nothing was cached")
			}
			for _, file := range entries() {
				b, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, damage(b), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if got := call(t, start(t, compileModule(t, wasm, Config{CacheDir: dir})), "echo", "x"); got != "x" {
				t.Error(got)
			}
			if got := call(t, start(t, compileModule(t, wasm, Config{CacheDir: dir})), "echo", "x"); got != "x" {
				t.Error(got)
			}
			if len(entries()) == 0 {
				t.Error("the cache is not used any more")
			}
		})
	}
	if _, err := Compile(context.Background(), []byte("no module"), Config{CacheDir: dir}); err == nil || strings.Contains(err.Error(), "cache") {
		t.Errorf("error %v, want that of the module", err)
	}
}

func TestCompileRefuses(t *testing.T) {
	for name, wasm := range map[string][]byte{
		"nothing":   nil,
		"text":      []byte("not a module"),
		"no memory": {0, 'a', 's', 'm', 1, 0, 0, 0},
	} {
		if m, err := Compile(context.Background(), wasm, Config{}); err == nil {
			m.Close(context.Background())
			t.Errorf("%s was compiled", name)
		}
	}
}
