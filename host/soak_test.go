package host

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ctxplan/ctxplan/abi"
)

// soak gives the number of rounds: CTXPLAN_SOAK is long or short, and without it
// soak tests don't run.
func soak(t *testing.T, short, long int) int {
	t.Helper()
	switch os.Getenv("CTXPLAN_SOAK") {
	case "short":
		return short
	case "long":
		return long
	}
	t.Skip("CTXPLAN_SOAK is neither short nor long")
	return 0
}

// resident is the memory of this process in bytes, after a collection; 0 where
// the system doesn't tell.
func resident() int64 {
	debug.FreeOSMemory()
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var size, pages int64
	fmt.Sscan(string(statm), &size, &pages)
	return pages * int64(os.Getpagesize())
}

// Plans change nothing, so the guest's memory must stop growing.
func TestSoakPlansTakeNoMemory(t *testing.T) {
	rounds := soak(t, 400, 10000)
	s := space(t, newRuntime(t, WithWasm(module(t))), "a")
	if _, err := s.Append(background, messages("t", 0, 2000)); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	var warm int64
	for n := range rounds {
		request := fmt.Sprintf(`{"thread":"t","question":"word%d word%d","budget":{"history":1500}}`, n%50*131, n%50*17)
		got := do(t, s, "plan", request)
		if w, ok := want[request]; ok && w != got {
			t.Fatalf("round %d: another plan for the same request", n)
		}
		want[request] = got
		if n == rounds/4 {
			warm, _ = s.MemoryBytes(background)
		}
	}
	if end, _ := s.MemoryBytes(background); end > warm+warm/4 {
		t.Errorf("memory went from %d to %d bytes", warm, end)
	} else {
		t.Logf("memory %d bytes after a quarter, %d at the end", warm, end)
	}
}

// Spaces that are opened and closed leave nothing behind in the host.
func TestSoakOpenAndClose(t *testing.T) {
	rounds := soak(t, 200, 5000)
	r := newRuntime(t, WithWasm(module(t)))
	open := func(n int) {
		for i := range n {
			s := space(t, r, fmt.Sprint(i))
			do(t, s, "append", sequence[3].request)
			if err := s.Close(background); err != nil {
				t.Fatal(err)
			}
		}
	}
	open(rounds / 4)
	warm := resident()
	open(rounds)
	if end := resident(); end > warm+32<<20 {
		t.Errorf("the process went from %d to %d bytes", warm, end)
	} else {
		t.Logf("process %d bytes before, %d after %d rounds", warm, end, rounds)
	}
	if n := len(r.Spaces()); n != 0 {
		t.Errorf("%d spaces left", n)
	}
}

// Calls that are stopped at random points, in several spaces at once, lose
// nothing that was stored and store nothing that was lost.
func TestSoakStoppedCalls(t *testing.T) {
	rounds := soak(t, 20, 1000)
	r := newRuntime(t, WithWasm(module(t)))
	before := runtime.NumGoroutine()
	var group sync.WaitGroup
	for worker := range 3 {
		group.Go(func() {
			s := space(t, r, fmt.Sprint("w", worker))
			var stored int64
			stops := 0
			for n := range rounds {
				if n%50 == 0 {
					if err := s.Close(background); err != nil {
						t.Error(err)
						return
					}
					s, stored = space(t, r, fmt.Sprint("w", worker)), 0
				}
				ctx, cancel := context.WithTimeout(background, time.Duration(1+(n*37+worker*11)%80)*time.Millisecond)
				response, err := s.Append(ctx, messages("t", int(stored), 40))
				cancel()
				switch {
				case err == nil:
					stored += int64(len(response.Messages))
				case code(err) == abi.CodeDeadline:
					stops++
				default:
					t.Errorf("worker %d, round %d: %v", worker, n, err)
					return
				}
				stats, err := s.Stats(background)
				if err != nil || stats.Messages != stored {
					t.Errorf("worker %d, round %d: %d messages, want %d, %v", worker, n, stats.Messages, stored, err)
					return
				}
			}
			t.Logf("worker %d: %d of %d calls stopped", worker, stops, rounds)
		})
	}
	group.Wait()
	time.Sleep(100 * time.Millisecond)
	if after := runtime.NumGoroutine(); after > before+3 {
		t.Errorf("%d goroutines before, %d after", before, after)
	}
}

// A large response and a large request go through whole.
func TestSoakLargeFrames(t *testing.T) {
	rounds := soak(t, 2, 50)
	onRoads(t, func(t *testing.T, opts []Option) {
		s := space(t, newRuntime(t, opts...), "a")
		text := strings.Repeat("Ä long line of a pasted file. ", 30000)
		for n := range rounds {
			id := fmt.Sprint("m", n)
			if _, err := s.Append(background, &abi.AppendRequest{Thread: id, Messages: []abi.Message{
				{ID: id, Role: abi.RoleUser, Content: abi.TextContent(text)}}}); err != nil {
				t.Fatal(err)
			}
			read, err := s.Read(background, &abi.ReadRequest{Thread: id, From: 1, Limit: 1})
			if err != nil {
				t.Fatal(err)
			}
			if len(read.Messages) != 1 || read.Messages[0].Message.Content.Text != text {
				t.Fatalf("round %d: the text came back changed", n)
			}
		}
	})
}
