package host

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/host/internal/guest/guesttest"
)

var background = context.Background()

func TestMain(m *testing.M) {
	code := m.Run()
	os.RemoveAll(testCache())
	os.Exit(code)
}

var testCache = sync.OnceValue(func() string {
	dir, err := os.MkdirTemp("", "hostcache")
	if err != nil {
		panic(err)
	}
	return dir
})

func newRuntime(t testing.TB, opts ...Option) *Runtime {
	t.Helper()
	r, err := New(background, append([]Option{WithCacheDir(testCache())}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(background); err != nil {
			t.Error(err)
		}
	})
	return r
}

// fakeRuntime runs the fake guest, whose append adds to a state that read gives.
func fakeRuntime(t testing.TB, opts ...Option) *Runtime {
	t.Helper()
	wasm, err := guesttest.Fake()
	if err != nil {
		t.Fatal(err)
	}
	return newRuntime(t, append([]Option{WithWasm(wasm)}, opts...)...)
}

func space(t testing.TB, r *Runtime, id string) *Space {
	t.Helper()
	s, err := r.Space(background, id)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func do(t testing.TB, s *Space, op, request string) string {
	t.Helper()
	response, err := s.Do(background, op, []byte(request))
	if err != nil {
		t.Fatalf("%s: %v", op, err)
	}
	return string(response)
}

func code(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

func TestNewRefuses(t *testing.T) {
	for name, opts := range map[string][]Option{
		"negative deadline":     {WithDeadline(-1)},
		"no parallel calls":     {WithParallel(0)},
		"negative memory limit": {WithMemoryLimit(-1)},
		"native with a module":  {Native(), WithWasm([]byte("x"))},
		"no module":             {WithWasm([]byte("not a module"))},
		"cache dir is a file":   {WithWasm([]byte("x")), WithCacheDir(os.Args[0])},
	} {
		if r, err := New(background, opts...); code(err) == "" {
			t.Errorf("%s: error %v", name, err)
			if r != nil {
				r.Close(background)
			}
		}
	}
}

// Without a place for the default cache the module is compiled anew.
func TestDefaultCacheDir(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the module many times")
	}
	wasm, err := guesttest.Fake()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, c := range map[string]struct {
		home  string
		count int
	}{"a directory": {dir, 1}, "a file": {file, 0}, "nothing": {"", 0}} {
		t.Setenv("XDG_CACHE_HOME", c.home)
		t.Setenv("HOME", c.home)
		r, err := New(background, WithWasm(wasm))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := do(t, space(t, r, "a"), "echo", name); got != name {
			t.Errorf("%s: %q", name, got)
		}
		r.Close(background)
		if entries, _ := os.ReadDir(filepath.Join(c.home, "ctxplan")); runtime.GOOS == "linux" && len(entries) != c.count {
			t.Errorf("%s: %d entries in the cache", name, len(entries))
		}
	}
}

func TestSpaceById(t *testing.T) {
	r := fakeRuntime(t)
	a := space(t, r, "a")
	if space(t, r, "a") != a {
		t.Error("one id gave two spaces")
	}
	do(t, a, "append", "heron-lantern")
	for _, id := range []string{"A", "a ", " a", "b", "a\x00"} {
		if got := do(t, space(t, r, id), "read", "x"); got != "state: " {
			t.Errorf("space %q sees %q", id, got)
		}
	}
	if _, err := r.Space(background, ""); code(err) != abi.CodeInvalidRequest {
		t.Errorf("empty id: %v", err)
	}
	if got := strings.Join(r.Spaces(), "|"); got != " a|A|a|a\x00|a |b" {
		t.Errorf("spaces %q", got)
	}
}

func TestSpaceIsMadeOnce(t *testing.T) {
	r := fakeRuntime(t)
	var group sync.WaitGroup
	got := make([]*Space, 16)
	for i := range got {
		group.Go(func() { got[i], _ = r.Space(background, "one") })
	}
	group.Wait()
	for _, s := range got {
		if s == nil || s != got[0] {
			t.Fatal("one id gave two spaces")
		}
	}
}

func TestDoRefuses(t *testing.T) {
	s := space(t, fakeRuntime(t), "a")
	for _, c := range []struct {
		name, op string
		request  []byte
		code     string
	}{
		{"unknown op", "nothing", []byte("{}"), abi.CodeNotImplemented},
		{"op with a control character", "re\x00ad", []byte("{}"), abi.CodeNotImplemented},
		{"allocator", "alloc", []byte("{}"), abi.CodeNotImplemented},
		{"empty request", "read", nil, abi.CodeInvalidRequest},
		{"request above the frame limit", "append", make([]byte, abi.FrameLimit+1), abi.CodeTooLarge},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := s.Do(background, c.op, c.request); code(err) != c.code {
				t.Errorf("error %v, want %s", err, c.code)
			}
		})
	}
	if got := do(t, s, "read", "x"); got != "state: " {
		t.Errorf("state %q", got)
	}
}

// After each failure the space answers as if the call had not been made, and
// what was stored before is there.
func TestFailureLosesOnlyTheCall(t *testing.T) {
	r := fakeRuntime(t, WithMemoryLimit(32<<20))
	bounded := func() (context.Context, context.CancelFunc) {
		return context.WithTimeout(background, 50*time.Millisecond)
	}
	unbounded := func() (context.Context, context.CancelFunc) { return background, func() {} }
	for _, c := range []struct {
		name, op, request, code, message string
		cause                            error
	}{
		{"panic", "panic", "now", abi.CodeTrapped, "panic: told to: now", nil},
		{"exit", "exit", "x", abi.CodeTrapped, "exit code 3", nil},
		{"out of memory", "hold", "64", abi.CodeTrapped, "out of memory: the ceiling is 33554432 bytes", nil},
		{"answer that breaks the ABI", "lie", "far", abi.CodeTrapped, "outside its memory", nil},
		{"deadline", "spin", "x", abi.CodeDeadline, "deadline", context.DeadlineExceeded},
		{"deadline in the middle of a change", "append", "spin", abi.CodeDeadline, "deadline", context.DeadlineExceeded},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := space(t, r, c.name)
			do(t, s, "configure", "one")
			do(t, s, "append", "two")
			do(t, s, "append", "no, refused")
			limit := unbounded
			if c.cause != nil {
				limit = bounded
			}
			ctx, cancel := limit()
			defer cancel()
			_, err := s.Do(ctx, c.op, []byte(c.request))
			if code(err) != c.code || !strings.Contains(err.Error(), c.message) {
				t.Fatalf("error %v, want %s with %q", err, c.code, c.message)
			}
			if c.cause != nil && !errors.Is(err, c.cause) {
				t.Errorf("error %v does not wrap %v", err, c.cause)
			}
			if got := do(t, s, "read", "x"); got != "state: one two " {
				t.Errorf("state %q", got)
			}
			do(t, s, "append", "three")
			ctx, cancel = limit()
			defer cancel()
			s.Do(ctx, c.op, []byte(c.request))
			if got := do(t, s, "read", "x"); got != "state: one two three " {
				t.Errorf("state after a second failure %q", got)
			}
		})
	}
}

// An internal fault is a response, but nobody knows what it left behind.
func TestInternalFaultRebuilds(t *testing.T) {
	s := space(t, fakeRuntime(t), "a")
	do(t, s, "append", "one")
	if got := do(t, s, "append", "fault"); !strings.Contains(got, "half done") {
		t.Fatal(got)
	}
	if got := do(t, s, "read", "x"); got != "state: one " {
		t.Errorf("state %q", got)
	}
}

func TestDeadlineOfTheRuntime(t *testing.T) {
	s := space(t, fakeRuntime(t, WithDeadline(30*time.Millisecond)), "a")
	if _, err := s.Do(background, "spin", []byte("x")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}

func TestCancelledCall(t *testing.T) {
	s := space(t, fakeRuntime(t), "a")
	do(t, s, "append", "one")
	ctx, cancel := context.WithCancel(background)
	time.AfterFunc(20*time.Millisecond, cancel)
	_, err := s.Do(ctx, "spin", []byte("x"))
	if code(err) != abi.CodeDeadline || !errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	if got := do(t, s, "read", "x"); got != "state: one " {
		t.Errorf("state %q", got)
	}
}

// Whoever waits for its turn gives up at its own deadline, and the call that
// runs goes on.
func TestWaitingEndsAtItsDeadline(t *testing.T) {
	s := space(t, fakeRuntime(t), "a")
	ctx, cancel := context.WithCancel(background)
	ended := make(chan error)
	go func() {
		_, err := s.Do(ctx, "spin", []byte("x"))
		ended <- err
	}()
	for len(s.turn) > 0 {
		time.Sleep(time.Millisecond)
	}
	short, stop := context.WithTimeout(background, 10*time.Millisecond)
	defer stop()
	if _, err := s.Do(short, "read", []byte("x")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	select {
	case err := <-ended:
		t.Fatalf("the running call ended: %v", err)
	default:
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the running call: %v", err)
	}
}

// A replay that takes longer than the caller waits goes on without it.
func TestRebuildOutlivesItsCaller(t *testing.T) {
	s := space(t, fakeRuntime(t), "a")
	for range 400 {
		do(t, s, "append", strings.Repeat("m", 20000))
	}
	s.Do(background, "panic", []byte("x"))
	short, stop := context.WithTimeout(background, time.Millisecond)
	defer stop()
	if _, err := s.Do(short, "count", []byte("x")); !errors.Is(err, context.DeadlineExceeded) {
		t.Skipf("the replay was faster than the caller's patience: %v", err)
	}
	if got := do(t, s, "count", "x"); got != "401" {
		t.Errorf("%s calls in the instance, want one replay of 400 and this", got)
	}
}

func TestClosedSpace(t *testing.T) {
	r := fakeRuntime(t)
	s := space(t, r, "a")
	do(t, s, "append", "one")
	if err := errors.Join(s.Close(background), s.Close(background)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Do(background, "read", []byte("x")); code(err) != abi.CodeUnavailable {
		t.Errorf("error %v", err)
	}
	if got := do(t, space(t, r, "a"), "read", "x"); got != "state: " {
		t.Errorf("the new space holds %q", got)
	}
	if err := s.Close(background); err != nil {
		t.Error(err)
	}
	if got := len(r.Spaces()); got != 1 {
		t.Errorf("%d spaces", got)
	}
}

func TestClosedRuntime(t *testing.T) {
	r := fakeRuntime(t)
	s := space(t, r, "a")
	if err := r.Close(background); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Do(background, "read", []byte("x")); code(err) != abi.CodeUnavailable {
		t.Errorf("call: %v", err)
	}
	if _, err := r.Space(background, "b"); code(err) != abi.CodeUnavailable {
		t.Errorf("space: %v", err)
	}
}

func TestOpenAndClose(t *testing.T) {
	r := fakeRuntime(t)
	for n := range 200 {
		s := space(t, r, strconv.Itoa(n%7))
		do(t, s, "append", "x")
		if err := s.Close(background); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(r.Spaces()); n != 0 {
		t.Errorf("%d spaces left", n)
	}
}

// Spaces run in parallel, calls of one space never do, with failures among them.
func TestConcurrentCalls(t *testing.T) {
	r := fakeRuntime(t)
	var group sync.WaitGroup
	for worker := range 8 {
		group.Go(func() {
			own := space(t, r, "own "+strconv.Itoa(worker))
			shared := space(t, r, "shared")
			for n := range 25 {
				word := strconv.Itoa(worker) + "." + strconv.Itoa(n)
				do(t, own, "append", word)
				do(t, shared, "append", word)
				if got := do(t, shared, "echo", word); got != word {
					t.Errorf("echo gave %q, want %q", got, word)
				}
				if n == 12 {
					own.Do(background, "panic", []byte("x"))
					shared.Do(background, "panic", []byte("x"))
				}
			}
			words := strings.Fields(do(t, own, "read", "x"))
			if len(words) != 26 || words[25] != strconv.Itoa(worker)+".24" {
				t.Errorf("worker %d: %q", worker, words)
			}
		})
	}
	group.Wait()
	words := strings.Fields(do(t, space(t, r, "shared"), "read", "x"))
	if len(words) != 1+8*25 {
		t.Errorf("%d words in the shared space, want %d", len(words)-1, 8*25)
	}
	next := map[string]int{}
	for _, w := range words[1:] {
		worker, n, _ := strings.Cut(w, ".")
		if n != strconv.Itoa(next[worker]) {
			t.Fatalf("%s came when %d was next", w, next[worker])
		}
		next[worker]++
	}
}

func TestErrorOfTheEngine(t *testing.T) {
	s := space(t, fakeRuntime(t), "a")
	// "no" is no request of the ABI, but the fake refuses what begins with it.
	if got := do(t, s, "append", "no"); !strings.HasPrefix(got, `{"error":{"code":"conflict"`) {
		t.Fatal(got)
	}
	var response abi.AppendResponse
	err := decode([]byte(do(t, s, "append", "no")), &response)
	var e *Error
	if !errors.As(err, &e) || e.Code != "conflict" || e.Message != "not this" || e.Path != "messages[1]" || e.Retryable {
		t.Fatalf("error %+v", err)
	}
	if got := err.Error(); got != "ctxplan: conflict at messages[1]: not this" {
		t.Errorf("text %q", got)
	}
	if !errors.Is(err, &Error{Code: "conflict"}) || errors.Is(err, &Error{Code: "stale"}) {
		t.Error("codes do not compare")
	}
	if got := string(e.Response()); got != `{"error":{"code":"conflict","message":"not this","path":"messages[1]","retryable":false}}` {
		t.Errorf("response %s", got)
	}
	if err := decode([]byte(`{"thread":`), &response); code(err) != abi.CodeInternal {
		t.Errorf("broken response: %v", err)
	}
}
