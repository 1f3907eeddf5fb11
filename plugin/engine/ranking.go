package engine

import (
	"slices"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/calendar"
	"github.com/ctxplan/ctxplan/plugin/lexical"
	"github.com/ctxplan/ctxplan/plugin/message"
	"github.com/ctxplan/ctxplan/plugin/rank"
	"github.com/ctxplan/ctxplan/plugin/text"
)

// Names of the ranked lists.
const (
	listLexical = "lexical"
	listDense   = "dense"
)

// listDepth bounds a ranked list: deeper ranks can't reach a plan.
const listDepth = 1000

// ranking is the fused ranking and what it was made of.
type ranking struct {
	// found is what the lexical search found, nil when there was none.
	found *lexical.Result
	// any says that a message outside the live turn was found.
	any   bool
	fused []ranked
	// kinds and reasons say what became of each entry of fused.
	kinds   []string
	reasons []string
	dense   []denseHit
}

// ranked is one message of the fused ranking.
type ranked struct {
	thread *thread
	at     int32
	score  int64
	// lexical and dense are the ranks in the lists, from 1; 0 where the list has it not.
	lexical, dense int32
}

func (r *ranked) msg() *message.Message { return r.thread.book.Messages[r.at] }

func (r *ranked) id() string { return r.msg().Wire.ID }

// rank makes the ranked lists and fuses them.
func (p *planner) rank() {
	r := &p.ranking
	if p.strategy == abi.StrategyTruncate {
		return
	}
	indexes := make([]*lexical.Index, len(p.scope))
	for i, t := range p.scope {
		indexes[i] = t.index
	}
	visible := p.hideLive(p.visible())
	p.s.searcher.Tick = p.s.tick
	query := lexical.Compile(p.question)
	p.noWords = query.Empty()
	r.found = p.s.searcher.Search(query, indexes, visible, listDepth)
	if w := p.set.Retrieval.Weights.Dense; w > 0 {
		r.dense = p.denseList(visible)
	}
	p.fuse()
	r.any = p.anyElsewhere()
	r.kinds = make([]string, len(r.fused))
	r.reasons = make([]string, len(r.fused))
	if !r.found.Evidence && len(r.dense) == 0 && p.question != "" {
		p.noEvidence = true
	}
}

// anyElsewhere reports whether a message was found that is not in the live turn.
func (p *planner) anyElsewhere() bool {
	live := p.liveTurn()
	for i := range p.ranking.fused {
		if f := &p.ranking.fused[i]; f.thread != p.t || f.msg().Turn != live {
			return true
		}
	}
	return false
}

// fuse joins the lists by weighted reciprocal rank fusion.
func (p *planner) fuse() {
	r := &p.ranking
	var lists []rank.List
	w := &p.set.Retrieval.Weights
	lex := rank.List{Weight: int64(w.Lexical), Docs: make([]rank.Doc, len(r.found.Hits))}
	for i, h := range r.found.Hits {
		lex.Docs[i] = rank.Doc{Thread: int32(h.Thread), Doc: int32(h.Doc), Score: h.Score}
	}
	lists = append(lists, lex)
	if len(r.dense) > 0 {
		d := rank.List{Weight: int64(w.Dense), Docs: make([]rank.Doc, len(r.dense))}
		for i, h := range r.dense {
			d.Docs[i] = rank.Doc{Thread: h.thread, Doc: h.at, Score: h.score}
		}
		lists = append(lists, d)
	}
	fused := rank.Fuse(lists, p.set.Retrieval.Fusion, p.set.Retrieval.K)
	r.fused = make([]ranked, len(fused))
	for i, f := range fused {
		r.fused[i] = ranked{thread: p.scope[f.Thread], at: f.Doc, score: f.Score, lexical: f.Ranks[0]}
		if len(lists) > 1 {
			r.fused[i].dense = f.Ranks[1]
		}
	}
}

// bestSentences is how many sentences of a text an excerpt is built around at most.
const bestSentences = 12

// best are the sentences of a text that matter most for the question, the best first.
func (r *ranking) best(s string) []text.Span {
	if r.found == nil {
		return nil
	}
	scored := r.found.BestSentences(s)
	spans := make([]text.Span, 0, bestSentences)
	for i := range scored[:min(len(scored), bestSentences)] {
		spans = append(spans, scored[i].Span)
	}
	return spans
}

// bestAndEnds are the best sentences and then all others, from both ends towards the middle, so that an excerpt fills its
// room. Without a search there are none, which means both ends too.
func (r *ranking) bestAndEnds(s string) []text.Span {
	spans := r.best(s)
	if len(spans) == 0 {
		return nil
	}
	all := text.Sentences(nil, s)
	for i, j := 0, len(all)-1; i <= j; i, j = i+1, j-1 {
		spans = append(spans, all[i])
		if i < j {
			spans = append(spans, all[j])
		}
	}
	return spans
}

// visible marks the messages that are searched; nil when that is all of them.
func (p *planner) visible() []lexical.Bitmap {
	if !p.filtered() {
		return nil
	}
	maps := make([]lexical.Bitmap, len(p.scope))
	for i, t := range p.scope {
		maps[i] = lexical.NewBitmap(len(t.book.Messages))
		for at, m := range t.book.Messages {
			if p.searched(m) {
				maps[i].Set(at)
			}
		}
		p.s.tick()
	}
	return maps
}

// hideLive takes the messages that have to be in out of the search: they would only find themselves.
func (p *planner) hideLive(visible []lexical.Bitmap) []lexical.Bitmap {
	groups := p.mustGroups(p.live)
	place := slices.Index(p.scope, p.t)
	if len(groups) == 0 || place < 0 {
		return visible
	}
	if visible == nil {
		visible = make([]lexical.Bitmap, len(p.scope))
		for i, t := range p.scope {
			n := t.index.Len()
			visible[i] = lexical.NewBitmap(n)
			for w := range visible[i] {
				visible[i][w] = ^uint64(0)
			}
			if n%64 > 0 {
				visible[i][len(visible[i])-1] = 1<<(n%64) - 1
			}
		}
	}
	for _, g := range groups {
		for _, at := range p.t.book.Groups[g].Messages {
			if int(at) < p.stored {
				visible[place][at>>6] &^= 1 << (at & 63)
			}
		}
	}
	return visible
}

// filtered reports whether the request lets only some messages be searched.
func (p *planner) filtered() bool {
	if p.since.Valid || p.until.Valid || p.req.Scope != nil && len(p.req.Scope.Labels) > 0 {
		return true
	}
	for _, role := range [...]string{abi.RoleUser, abi.RoleAssistant, abi.RoleTool} {
		if !slices.Contains(p.set.Retrieval.Roles, role) {
			return true
		}
	}
	return false
}

// searched reports whether the filters of the request let a message be searched.
func (p *planner) searched(m *message.Message) bool {
	if m.Gone || m.Standing() || !p.inTime(m.Time) {
		return false
	}
	if p.req.Scope != nil {
		for k, v := range p.req.Scope.Labels {
			if got, ok := m.Wire.Labels[k]; !ok || got != v {
				return false
			}
		}
	}
	return slices.Contains(p.set.Retrieval.Roles, m.Wire.Role)
}

func (p *planner) inTime(t calendar.Time) bool {
	if !p.since.Valid && !p.until.Valid {
		return true
	}
	return t.Valid && (!p.since.Valid || !t.Before(p.since)) && (!p.until.Valid || t.Before(p.until))
}
