package engine

import (
	"slices"
	"strings"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/lexical"
	"github.com/ctxplan/ctxplan/plugin/need"
	"github.com/ctxplan/ctxplan/plugin/vector"
)

// denseHit is one message of the dense list.
type denseHit struct {
	thread int32
	at     int32
	score  float64
	// cosine of the question and the best piece, in millionths.
	cosine int64
}

// needs are the model calls that this plan waits for: the vector of the question, once.
func (p *planner) needs() []abi.Need {
	model := p.set.Models.Embed
	if model == nil || !p.dense() {
		return nil
	}
	n := need.Query(p.question, model)
	for i := range p.req.Results {
		if p.req.Results[i].Need == n.ID {
			return nil
		}
	}
	return []abi.Need{n}
}

// dense reports whether the plan has a use for a dense list.
func (p *planner) dense() bool {
	return p.strategy != abi.StrategyTruncate && p.set.Retrieval.Weights.Dense > 0 && strings.TrimSpace(p.question) != ""
}

// denseList ranks the visible messages by the cosine of their best piece. Without a vector of the question, or without
// any of a message, the list is missing, and a warning says why.
func (p *planner) denseList(visible []lexical.Bitmap) []denseHit {
	model := p.set.Models.Embed
	if model == nil || !p.dense() {
		return nil
	}
	q, reason := p.questionVector(model)
	if reason != "" {
		p.degraded(reason, nil)
		return nil
	}
	key := p.s.keyOf(model)
	var hits []denseHit
	var with, all int64
	for ti, t := range p.scope {
		for at, m := range t.book.Messages {
			if m.Gone || m.Standing() || !hasWords(m.Text) || visible != nil && !visible[ti].Has(at) {
				continue
			}
			all++
			v := &t.vectors[at]
			if v.model != key {
				continue
			}
			best, found := int64(0), false
			for _, piece := range v.pieces {
				if piece.Empty() {
					continue
				}
				if c := q.Cosine(piece); !found || c > best {
					best, found = c, true
				}
			}
			if found {
				with++
				if best > 0 {
					hits = append(hits, denseHit{thread: int32(ti), at: int32(at), score: float64(best), cosine: best})
				}
			}
			if all%256 == 0 {
				p.s.tick()
			}
		}
	}
	if with < all {
		permille := int64(0)
		if all > 0 {
			permille = with * 1000 / all
		}
		p.degraded("no_vectors", &permille)
	}
	slices.SortFunc(hits, func(a, b denseHit) int {
		switch {
		case a.cosine != b.cosine:
			if a.cosine > b.cosine {
				return -1
			}
			return 1
		case a.thread != b.thread:
			return int(a.thread - b.thread)
		}
		return int(a.at - b.at)
	})
	return hits[:min(len(hits), listDepth)]
}

// questionVector finds the vector of the question among the results, or says why there is none.
func (p *planner) questionVector(model *abi.EmbedModel) (vector.Query, string) {
	id := need.Query(p.question, model).ID
	for i := range p.req.Results {
		r := &p.req.Results[i]
		if r.Need != id {
			continue
		}
		switch {
		case r.Status != abi.StatusOK:
			return vector.Query{}, r.Status
		case r.Model != "" && r.Model != model.Model, r.Vectors.Dimension != model.Dimension:
			return vector.Query{}, abi.RefusedModelMismatch
		}
		q, ok := readQuery(r.Vectors)
		if !ok {
			return vector.Query{}, abi.RefusedBadVector
		}
		return q, ""
	}
	return vector.Query{}, abi.StatusError
}

// readVectors reads the vectors of a result; false when they are not n vectors, or one of them has no direction.
func readVectors(v *abi.Vectors, n int) ([]vector.Vector, bool) {
	if len(v.F32) > 0 {
		return vector.FromF32(v.F32, int(v.Dimension), n)
	}
	return vector.FromI8(v.I8, int(v.Dimension), n)
}

func readQuery(v *abi.Vectors) (vector.Query, bool) {
	if len(v.F32) > 0 {
		return vector.QueryF32(v.F32, int(v.Dimension))
	}
	return vector.QueryI8(v.I8, int(v.Dimension))
}

func (p *planner) degraded(reason string, permille *int64) {
	p.warned = append(p.warned, abi.Warning{Code: abi.WarnDegraded, Lists: []string{listDense}, Reason: reason,
		SharePermille: permille})
}
