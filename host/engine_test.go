package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/shell"
)

func TestSameBytesOnAllRoads(t *testing.T) {
	want := run(t, space(t, newRuntime(t, Native()), "a"), sequence)
	for i, w := range want {
		if !json.Valid([]byte(w)) {
			t.Fatalf("step %d, %s: not JSON: %q", i, sequence[i].op, w)
		}
		if strings.HasPrefix(w, `{"error":{"code":"internal"`) {
			t.Errorf("step %d, %s: %s", i, sequence[i].op, w)
		}
	}
	for _, r := range roads[1:] {
		t.Run(r.name, func(t *testing.T) {
			if r.slow && testing.Short() {
				t.Skip("slow")
			}
			got := run(t, space(t, newRuntime(t, r.opts(t)...), "a"), sequence)
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("step %d, %s %s\ngot  %s\nwant %s", i, sequence[i].op, sequence[i].request, got[i], want[i])
				}
			}
		})
	}
}

// A space that was rebuilt answers like one that never failed.
func TestSameBytesAfterRebuild(t *testing.T) {
	onRoads(t, func(t *testing.T, opts []Option) {
		r := newRuntime(t, opts...)
		calm, shaken := space(t, r, "calm"), space(t, r, "shaken")
		for i, st := range sequence {
			want := do(t, calm, st.op, st.request)
			if got := do(t, shaken, st.op, st.request); got != want {
				t.Fatalf("step %d, %s\ngot  %s\nwant %s", i, st.op, got, want)
			}
			<-shaken.turn
			shaken.discard()
			shaken.release()
		}
	})
}

func TestOpsOfTheModule(t *testing.T) {
	want := slices.Sorted(slices.Values(shell.Ops()))
	onRoads(t, func(t *testing.T, opts []Option) {
		if got := newRuntime(t, opts...).Ops(); !slices.Equal(got, want) {
			t.Errorf("ops %q, want %q", got, want)
		}
	})
}

func TestFreshInstanceIsSmall(t *testing.T) {
	r := newRuntime(t, WithWasm(module(t)))
	s := space(t, r, "a")
	do(t, s, "describe", "{}")
	n, err := s.MemoryBytes(background)
	if err != nil {
		t.Fatal(err)
	}
	if n == 0 || n > 8<<20 {
		t.Errorf("a fresh instance takes %d bytes, want at most 8 MiB", n)
	}
	if r.MemoryLimit() != 1<<30 {
		t.Errorf("the ceiling is %d bytes, want that of the build, 1 GiB", r.MemoryLimit())
	}
}

// messages makes an append request of n messages of different words.
func messages(thread string, from, n int) *abi.AppendRequest {
	request := &abi.AppendRequest{Thread: thread}
	for i := from; i < from+n; i++ {
		var text strings.Builder
		for w := range 60 {
			fmt.Fprintf(&text, "word%d ", (i*7919+w*104729)%20011)
		}
		role := abi.RoleUser
		if i%2 == 1 {
			role = abi.RoleAssistant
		}
		request.Messages = append(request.Messages, abi.Message{Role: role, Content: abi.TextContent(text.String())})
	}
	return request
}

// A call stopped in the middle of its work leaves the space as it was.
func TestDeadlineLeavesNoTrace(t *testing.T) {
	onRoads(t, func(t *testing.T, opts []Option) {
		s := space(t, newRuntime(t, opts...), "a")
		if _, err := s.Append(background, messages("t", 0, 10)); err != nil {
			t.Fatal(err)
		}
		before := do(t, s, "stats", "{}")
		big := messages("t", 10, 20000).AppendWire(nil)
		ctx, cancel := context.WithTimeout(background, 10*time.Millisecond)
		defer cancel()
		_, err := s.Do(ctx, "append", big)
		if !errors.Is(err, context.DeadlineExceeded) || code(err) != abi.CodeDeadline {
			t.Fatalf("error %v, want the deadline", err)
		}
		if after := do(t, s, "stats", "{}"); after != before {
			t.Errorf("stats\ngot  %s\nwant %s", after, before)
		}
	})
}

// A space that outgrows its ceiling keeps what it had.
func TestMemoryCeiling(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	s := space(t, newRuntime(t, WithWasm(module(t)), WithMemoryLimit(24<<20)), "a")
	var stored int64
	for range 200 {
		response, err := s.Append(background, messages("t", int(stored), 500))
		if err != nil {
			if c := code(err); c != abi.CodeTrapped && c != abi.CodeTooLarge {
				t.Fatal(err)
			}
			break
		}
		stored += int64(len(response.Messages))
	}
	if stored == 0 || stored == 200*500 {
		t.Fatalf("%d messages fit, so no ceiling was met", stored)
	}
	stats, err := s.Stats(background)
	if err != nil {
		t.Fatal(err)
	}
	if stats.Messages != stored {
		t.Errorf("%d messages are there, want %d", stats.Messages, stored)
	}
	if n, err := s.MemoryBytes(background); err != nil || n > 24<<20 {
		t.Errorf("memory of %d bytes, %v", n, err)
	}
}

// embedder gives each text a direction that depends on its words alone.
func embedder(calls *atomic.Int32) Models {
	return Models{Embed: func(_ context.Context, need *abi.Need) (*Embedding, error) {
		calls.Add(1)
		e := &Embedding{Model: need.Model}
		for _, text := range need.Texts {
			v := make([]float32, need.Dimension)
			for word := range strings.FieldsSeq(text) {
				h := fnv.New32a()
				h.Write([]byte(word))
				v[h.Sum32()%uint32(len(v))]++
			}
			v[0]++
			e.Vectors = append(e.Vectors, v)
		}
		return e, nil
	}}
}

func TestPlanAndWorkWithAModel(t *testing.T) {
	var plans [2]string
	n := 0
	onRoads(t, func(t *testing.T, opts []Option) {
		var calls atomic.Int32
		s := space(t, newRuntime(t, append(opts, WithModels(embedder(&calls)))...), "a")
		configure := &abi.ConfigureRequest{Settings: abi.SettingsPatch{Raw: []byte(`{"models":{"embed":{"model":"words","dimension":64}}}`)}}
		if _, err := s.Configure(background, configure); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Append(background, messages("t", 0, 50)); err != nil {
			t.Fatal(err)
		}
		progress, err := s.Work(background, 7)
		if err != nil || progress.Asked != 7 || progress.Accepted != 7 {
			t.Fatalf("first work: %+v, %v", progress, err)
		}
		if progress, err = s.Work(background, 1000); err != nil || progress.Refused+progress.Failed != 0 || progress.Open != 0 {
			t.Fatalf("second work: %+v, %v", progress, err)
		}
		before := calls.Load()
		history := int64(500)
		history2 := history
		plan, err := s.Plan(background, &abi.PlanRequest{Thread: "t", Question: "word7919 word104729",
			Budget: abi.BudgetRequest{History: &history2}})
		if err != nil {
			t.Fatal(err)
		}
		if calls.Load() == before {
			t.Error("the question was not embedded")
		}
		used := plan.Budget.Used
		if sum := used.Instructions + used.Pinned + used.Retrieved + used.Recent; sum > history {
			t.Errorf("%d tokens used of %d", sum, history)
		}
		plans[n] = string(plan.AppendWire(nil))
		n++
	})
	if n == 2 && plans[0] != plans[1] {
		t.Errorf("native and wasm gave two plans\n%s\n%s", plans[0], plans[1])
	}
}

func TestTypedErrors(t *testing.T) {
	onRoads(t, func(t *testing.T, opts []Option) {
		s := space(t, newRuntime(t, opts...), "a")
		one := &abi.AppendRequest{Thread: "t", Messages: []abi.Message{{ID: "m", Role: abi.RoleUser, Content: abi.TextContent("a")}}}
		if _, err := s.Append(background, one); err != nil {
			t.Fatal(err)
		}
		other := &abi.AppendRequest{Thread: "t", Messages: []abi.Message{{ID: "m", Role: abi.RoleUser, Content: abi.TextContent("b")}}}
		_, err := s.Append(background, other)
		var e *Error
		if !errors.As(err, &e) || e.Code != abi.CodeConflict || !strings.HasPrefix(e.Path, "messages[0]") {
			t.Errorf("error %+v, want a conflict at messages[0]", err)
		}
		zero := int64(0)
		_, err = s.Plan(background, &abi.PlanRequest{Thread: "t", Budget: abi.BudgetRequest{History: &zero}})
		if !errors.As(err, &e) || e.Code != abi.CodeBudgetTooSmall || e.Details == nil || e.Details.Need == nil || *e.Details.Need <= 0 {
			t.Errorf("error %+v, want budget_too_small with its need", err)
		}
	})
}
