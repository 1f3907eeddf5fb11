package scenario

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/abi/wire"
)

// Engine answers requests of spaces, byte for byte. Spaces are made when they
// are named first.
type Engine interface {
	Do(ctx context.Context, space, op string, request []byte) ([]byte, error)
}

// Report is what came of a story.
type Report struct {
	// Failures says what did not hold, in the order of the steps.
	Failures []string
	// Answers holds the answer of each step.
	Answers [][]byte
}

// Run runs a story from empty spaces on. The error is one of the engine or of
// the form of the story.
func Run(ctx context.Context, engine Engine, s *Scenario) (*Report, error) {
	r := &Report{}
	saved := map[string]any{}
	for i := range s.Steps {
		st := &s.Steps[i]
		fail := func(what string) {
			if what != "" {
				r.Failures = append(r.Failures, fmt.Sprintf("step %d (%s): %s", i+1, st.Op, what))
			}
		}
		space := st.Space
		if space == "" {
			space = "main"
		}
		value, err := parse(st.In)
		if err == nil {
			value, err = expand(value, saved)
		}
		if err != nil {
			return r, fmt.Errorf("step %d: %w", i+1, err)
		}
		request := encode(value)
		raw, err := engine.Do(ctx, space, st.Op, request)
		if err != nil {
			return r, fmt.Errorf("step %d: %w", i+1, err)
		}
		r.Answers = append(r.Answers, raw)
		for n := 1; n < st.Times; n++ {
			again, err := engine.Do(ctx, space, st.Op, request)
			if err != nil {
				return r, fmt.Errorf("step %d: %w", i+1, err)
			}
			if !bytes.Equal(raw, again) {
				fail(fmt.Sprintf("the answer of time %d differs from the first", n+1))
				break
			}
		}
		answer, err := parse(raw)
		if err != nil {
			return r, fmt.Errorf("step %d: the answer is no JSON: %w", i+1, err)
		}
		wantsError := false
		for j := range st.Expect {
			fail(st.Expect[j].judge(answer, saved))
			wantsError = wantsError || st.Expect[j].Error != ""
		}
		if code, _ := at(answer, "error.code"); code != (missing{}) && !wantsError {
			fail("it failed: " + short(answer))
		}
		for name, path := range st.Save {
			v, err := at(answer, path)
			if err != nil {
				return r, fmt.Errorf("step %d: %w", i+1, err)
			}
			if _, none := v.(missing); none {
				fail("there is no " + path + " to be saved")
				v = nil
			}
			saved[name] = v
		}
		if st.Op == abi.OpPlan {
			faults, err := checkPlan(ctx, engine, space, request, raw)
			if err != nil {
				return r, fmt.Errorf("step %d: %w", i+1, err)
			}
			for _, f := range faults {
				fail("guarantee: " + f)
			}
		}
	}
	return r, nil
}

// checkPlan checks the guarantees of a plan against what is stored.
func checkPlan(ctx context.Context, engine Engine, space string, request, answer []byte) ([]string, error) {
	var response abi.PlanResponse
	if err := wire.Unmarshal(answer, &response); err != nil || response.Plan == nil {
		return nil, nil // needs, or an error
	}
	var q abi.PlanRequest
	if err := wire.Unmarshal(request, &q); err != nil {
		return nil, fmt.Errorf("a plan for a request that can't be read: %w", err)
	}
	stored, err := stored(ctx, engine, space, q.Thread)
	if err != nil {
		return nil, err
	}
	plan, stored := dense(response.Plan, seen(&q, response.Plan, stored))
	return Guarantees(&q, plan, stored), nil
}

// stored reads all messages of a thread.
func stored(ctx context.Context, engine Engine, space, thread string) ([]abi.ReadMessage, error) {
	var all []abi.ReadMessage
	for from := int64(1); ; {
		request := encode(map[string]any{"thread": thread, "from": json.Number(fmt.Sprint(from)), "limit": json.Number("1000")})
		answer, err := engine.Do(ctx, space, abi.OpRead, request)
		if err != nil {
			return nil, err
		}
		if bytes.HasPrefix(answer, []byte(`{"error":`)) {
			return nil, nil // no such thread
		}
		var page abi.ReadResponse
		if err := wire.Unmarshal(answer, &page); err != nil {
			return nil, err
		}
		all = append(all, page.Messages...)
		if page.Next == 0 {
			return all, nil
		}
		from = page.Next
	}
}
