package host

import (
	"context"
	"slices"

	"github.com/ctxplan/ctxplan/abi"
)

// Plan makes the context plan for a request. It answers the needs of the engine
// with the model callbacks, round after round, until there is a plan; without
// them, or when they fail, the plan is made without their results and says so.
// The request is not changed; its results, if any, count as those of an earlier
// round.
//
// Nothing of the space is held between two rounds: other calls go on, and the
// plan stands on the state of the last round, which its revision names.
func (s *Space) Plan(ctx context.Context, request *abi.PlanRequest) (*abi.Plan, error) {
	r := *request
	r.Results = slices.Clone(request.Results)
	for round := 0; ; round++ {
		response, err := call(ctx, s, abi.OpPlan, &r, &abi.PlanResponse{})
		if err != nil {
			return nil, err
		}
		if response.Plan != nil {
			return response.Plan, nil
		}
		if len(response.Needs) == 0 || round == abi.MaxRounds {
			return nil, &Error{Code: abi.CodeInternal, Message: "the engine gave neither a plan nor a need that it may still have"}
		}
		r.Results = append(r.Results, s.runtime.options.models.answer(ctx, response.Needs, s.runtime.options.parallel)...)
		// Results of a cancelled context would make a plan that nobody asked for.
		if err := ctx.Err(); err != nil {
			return nil, stopped(err)
		}
	}
}

// Progress is what became of background needs.
type Progress struct {
	// Asked counts model calls, Accepted, Refused and Failed what became of them.
	Asked, Accepted, Refused, Failed int
	// Open is how many needs were open when Work began, less those settled since.
	Open int64
}

// fulfilBytes bounds what one fulfil brings in, below the frame limit with room
// for base64.
const fulfilBytes = 4 << 20

// Work answers background needs with the model callbacks, at most limit of
// them, and stops when none is left or when the rest fails. A failure of a
// model is not an error of Work; it is counted, and the need stays open.
func (s *Space) Work(ctx context.Context, limit int) (Progress, error) {
	var p Progress
	models := &s.runtime.options.models
	kinds := models.kinds()
	if len(kinds) == 0 {
		return p, nil
	}
	failed := map[string]bool{}
	for p.Asked < limit {
		open, err := s.Needs(ctx, &abi.NeedsRequest{Kinds: kinds, Max: int64(min(limit-p.Asked+len(failed), 1024))})
		if err != nil {
			return p, err
		}
		p.Open = open.Open
		// Needs that failed come again, and calling at once again helps nobody.
		needs := slices.DeleteFunc(open.Needs, func(n abi.Need) bool { return failed[n.ID] })
		needs = needs[:min(len(needs), limit-p.Asked, 4*s.runtime.options.parallel)]
		if len(needs) == 0 {
			return p, nil
		}
		results := models.answer(ctx, needs, s.runtime.options.parallel)
		if err := ctx.Err(); err != nil {
			return p, stopped(err)
		}
		p.Asked += len(needs)
		for len(results) > 0 {
			n := batch(results)
			response, err := s.Fulfil(ctx, &abi.FulfilRequest{Results: results[:n]})
			if err != nil {
				return p, err
			}
			results = results[n:]
			for _, f := range response.Results {
				switch f.Status {
				case "accepted":
					p.Accepted++
					p.Open--
				case "refused":
					p.Refused++
					failed[f.Need] = true
				default:
					p.Failed++
					failed[f.Need] = true
				}
			}
		}
	}
	return p, nil
}

// batch is how many results go into one request, at least one.
func batch(results []abi.Result) int {
	size := 0
	for i, r := range results {
		if r.Vectors != nil {
			size += len(r.Vectors.F32) + len(r.Vectors.I8)
		}
		if size > fulfilBytes && i > 0 {
			return i
		}
	}
	return len(results)
}
