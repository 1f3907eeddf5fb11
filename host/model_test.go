package host

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ctxplan/ctxplan/abi"
)

func embedNeeds(n int) []abi.Need {
	needs := make([]abi.Need, n)
	for i := range needs {
		needs[i] = abi.Need{ID: fmt.Sprint("n", i), Kind: abi.NeedEmbed, Texts: []string{"a"}, Dimension: 2}
	}
	return needs
}

func TestAnswerKeepsOrderAndBound(t *testing.T) {
	var running, most atomic.Int32
	m := Models{Embed: func(ctx context.Context, need *abi.Need) (*Embedding, error) {
		now := running.Add(1)
		defer running.Add(-1)
		for old := most.Load(); now > old && !most.CompareAndSwap(old, now); old = most.Load() {
		}
		time.Sleep(time.Millisecond)
		return &Embedding{Model: need.ID, Vectors: [][]float32{{1, 2}}}, nil
	}}
	needs := embedNeeds(20)
	results := m.answer(background, needs, 3)
	for i, r := range results {
		if r.Need != needs[i].ID || r.Model != needs[i].ID || r.Status != abi.StatusOK {
			t.Errorf("result %d: %+v", i, r)
		}
	}
	if most.Load() > 3 {
		t.Errorf("%d calls at one time, want at most 3", most.Load())
	}
}

func TestResultOfACallback(t *testing.T) {
	two := abi.Need{ID: "n", Kind: abi.NeedEmbed, Texts: []string{"a", "b"}}
	give := func(e *Embedding, err error) Models {
		return Models{Embed: func(context.Context, *abi.Need) (*Embedding, error) { return e, err }}
	}
	for _, c := range []struct {
		name    string
		models  Models
		need    abi.Need
		status  string
		message string
	}{
		{"vectors", give(&Embedding{Vectors: [][]float32{{1, 2}, {3, 4}}}, nil), two, abi.StatusOK, ""},
		{"error", give(nil, errors.New("no line")), two, abi.StatusError, "no line"},
		{"refusal", give(nil, fmt.Errorf("filter: %w", ErrRefused)), two, abi.StatusRefused, "filter: the model refused"},
		{"nothing", give(nil, nil), two, abi.StatusError, "0 vectors for 2 texts"},
		{"one vector too few", give(&Embedding{Vectors: [][]float32{{1}}}, nil), two, abi.StatusError, "1 vectors for 2 texts"},
		{"empty vectors", give(&Embedding{Vectors: [][]float32{{}, {}}}, nil), two, abi.StatusError, "the vectors are empty"},
		{"two dimensions", give(&Embedding{Vectors: [][]float32{{1}, {1, 2}}}, nil), two, abi.StatusError, "vector 1 has dimension 2, vector 0 has 1"},
		{"no callback", Models{}, two, abi.StatusError, "there is no callback for embed"},
		{"unknown kind", give(nil, nil), abi.Need{ID: "n", Kind: "paint"}, abi.StatusError, "there is no callback for paint"},
		{"panic", Models{Embed: func(context.Context, *abi.Need) (*Embedding, error) { panic("oh") }}, two, abi.StatusError, "the callback panicked: oh"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := c.models.result(background, &c.need)
			if r.Need != "n" || r.Status != c.status || r.Message != c.message {
				t.Errorf("result %+v", r)
			}
			if (r.Vectors != nil) != (c.status == abi.StatusOK) {
				t.Errorf("vectors %+v with status %s", r.Vectors, r.Status)
			}
		})
	}
	ctx, cancel := context.WithCancel(background)
	cancel()
	m := Models{Embed: func(context.Context, *abi.Need) (*Embedding, error) {
		t.Error("called in spite of the cancellation")
		return nil, nil
	}}
	if r := m.result(ctx, &two); r.Status != abi.StatusError {
		t.Errorf("result %+v", r)
	}
}

func TestPackIsLittleEndian(t *testing.T) {
	need := abi.Need{Texts: []string{"a", "b"}}
	v, err := pack(&need, &Embedding{Vectors: [][]float32{{1, -2}, {0, float32(math.Inf(1))}}})
	if err != nil {
		t.Fatal(err)
	}
	want := []byte{0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0, 0, 0, 0, 0, 0, 0, 0x80, 0x7f}
	if v.Dimension != 2 || string(v.F32) != string(want) {
		t.Errorf("dimension %d, bytes % x", v.Dimension, v.F32)
	}
}

// The fake engine asks for ever; a host ends that after the rounds of the ABI.
// Its callback uses the space meanwhile, which must neither wait nor fail.
func TestPlanEndsAfterItsRounds(t *testing.T) {
	var s *Space
	var calls atomic.Int32
	r := fakeRuntime(t, WithModels(Models{Embed: func(ctx context.Context, need *abi.Need) (*Embedding, error) {
		calls.Add(1)
		if got := do(t, s, "echo", "inside"); got != "inside" {
			t.Errorf("a call inside a callback gave %q", got)
		}
		return &Embedding{Vectors: [][]float32{{1, 0}, {0, 1}}}, nil
	}}))
	s = space(t, r, "a")
	ctx, cancel := context.WithTimeout(background, time.Minute)
	defer cancel()
	request := &abi.PlanRequest{Thread: "t", Results: []abi.Result{{Need: "n0", Status: abi.StatusError}}}
	if _, err := s.Plan(ctx, request); code(err) != abi.CodeInternal {
		t.Errorf("error %v", err)
	}
	if calls.Load() != abi.MaxRounds {
		t.Errorf("%d callbacks, want %d", calls.Load(), abi.MaxRounds)
	}
	if len(request.Results) != 1 {
		t.Errorf("the request of the caller has %d results now", len(request.Results))
	}
}

func TestPlanStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(background)
	r := fakeRuntime(t, WithModels(Models{Embed: func(context.Context, *abi.Need) (*Embedding, error) {
		cancel()
		return nil, ctx.Err()
	}}))
	_, err := space(t, r, "a").Plan(ctx, &abi.PlanRequest{Thread: "t"})
	if code(err) != abi.CodeDeadline || !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestWorkGivesUpOnWhatFails(t *testing.T) {
	calls := 0
	r := fakeRuntime(t, WithModels(Models{Embed: func(context.Context, *abi.Need) (*Embedding, error) {
		calls++
		return nil, errors.New("no line")
	}}))
	p, err := space(t, r, "a").Work(background, 100)
	if err != nil {
		t.Fatal(err)
	}
	if want := (Progress{Asked: 1, Failed: 1, Open: 1}); p != want || calls != 1 {
		t.Errorf("%+v after %d calls, want %+v", p, calls, want)
	}
	if p, err := space(t, fakeRuntime(t), "a").Work(background, 100); err != nil || p != (Progress{}) {
		t.Errorf("without models: %+v, %v", p, err)
	}
}

func TestBatchBounds(t *testing.T) {
	result := func(mb int) abi.Result { return abi.Result{Vectors: &abi.Vectors{F32: make([]byte, mb<<20)}} }
	for _, c := range []struct {
		name  string
		sizes []int
		want  int
	}{
		{"all fit", []int{1, 1, 1}, 3},
		{"exactly full", []int{2, 2, 1}, 2},
		{"one too large goes alone", []int{9, 1}, 1},
		{"none", nil, 0},
	} {
		var results []abi.Result
		for _, mb := range c.sizes {
			results = append(results, result(mb))
		}
		if got := batch(results); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// What the host rounds is what the engine would have stored.
func TestPassagesAreRoundedAsTheEngineDoes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	vectors := map[string][]float32{}
	embed := func(_ context.Context, need *abi.Need) (*Embedding, error) {
		e := &Embedding{}
		for _, text := range need.Texts {
			if vectors[text] == nil {
				v := make([]float32, 16)
				for i := range v {
					v[i] = float32(random.NormFloat64() * math.Pow(10, float64(random.IntN(60)-30)))
				}
				vectors[text] = v
			}
			e.Vectors = append(e.Vectors, vectors[text])
		}
		return e, nil
	}
	stored := func(fill func(s *Space)) string {
		s := space(t, newRuntime(t, Native(), WithParallel(1), WithModels(Models{Embed: embed})), "a")
		do(t, s, "configure", `{"settings":{"models":{"embed":{"model":"m","dimension":16}}}}`)
		if _, err := s.Append(background, messages("t", 0, 60)); err != nil {
			t.Fatal(err)
		}
		fill(s)
		var b strings.Builder
		if _, err := s.Export(background, &b); err != nil {
			t.Fatal(err)
		}
		return strings.Join(regexp.MustCompile(`"i8":"[^"]*"`).FindAllString(b.String(), -1), "\n")
	}
	rounded := stored(func(s *Space) {
		if p, err := s.Work(background, 1000); err != nil || p.Accepted < 60 {
			t.Fatal(p, err)
		}
	})
	whole := stored(func(s *Space) {
		open, err := s.Needs(background, &abi.NeedsRequest{Max: 1000})
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range open.Needs {
			e, _ := embed(background, &n)
			n.Role = "query"
			v, err := pack(&n, e)
			if err != nil || len(v.F32) == 0 {
				t.Fatal(err)
			}
			if _, err := s.Fulfil(background, &abi.FulfilRequest{Results: []abi.Result{{Need: n.ID, Status: abi.StatusOK, Vectors: v}}}); err != nil {
				t.Fatal(err)
			}
		}
	})
	if rounded != whole || strings.Count(whole, "\n") < 50 {
		t.Errorf("the host rounds otherwise than the engine:\n%.300s\n%.300s", rounded, whole)
	}
	if _, ok := appendI8(nil, []float32{0, 0}); ok {
		t.Error("a vector without a direction is rounded")
	}
	if _, ok := appendI8(nil, []float32{1, float32(math.NaN()), 2}); ok {
		t.Error("a vector that is not finite is rounded")
	}
}
