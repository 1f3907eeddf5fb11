package lexical

import "slices"

// scored is a candidate before it becomes a hit.
type scored struct {
	score float64
	rank  int32 // among the messages of all threads
}

// factors are one for each score: 1 / its largest value, or its weight / that.
type factors struct{ run, context, sentence, session float64 }

func factor(x, largest float64) float64 {
	if largest == 0 {
		return 0
	}
	return x / largest
}

// collect joins the four scores and keeps the best.
func (s *Searcher) collect(q *Query, r *Result, limit int) {
	r.sentences = s.sentences
	m := factors{largest(s.run), largest(s.context), largest(s.best), largest(s.session)}
	f := factors{factor(weightRun, m.run), factor(weightContext, m.context), factor(weightSentence, m.sentence), factor(weightSession, m.session)}
	var top float64
	for ti := range s.threads {
		n, most := s.join(q, &f, ti)
		r.Candidates += n
		top = max(top, most)
	}
	s.choose(limit, top)
	r.Hits = make([]Hit, len(s.scored))
	f = factors{factor(1, m.run), factor(1, m.context), factor(1, m.sentence), factor(1, m.session)}
	for i, c := range s.scored {
		r.Hits[i] = s.hit(q, &f, c)
	}
	s.did(len(s.scored))
}

// join adds the four scores of each message of a thread and applies the boosts. It returns the number of candidates and
// the largest score.
func (s *Searcher) join(q *Query, f *factors, ti int) (n int, top float64) {
	th := &s.threads[ti]
	v := th.v
	boosted := q.asksWhen || q.named.month != 0 || s.participants.one >= 0
	for rank, doc := range v.doc {
		g := th.rank + rank
		run := s.run[th.run+int(v.run[rank])]
		if run == 0 && s.context[g] == 0 && s.best[g] == 0 {
			s.total[g] = 0
			continue
		}
		sum := float64(f.run*run) + float64(f.context*s.context[g])
		sum = sum + float64(f.sentence*s.best[g])
		sum = sum + float64(f.session*s.session[th.session+int(v.session[rank])])
		if boosted {
			sum = sum * s.boost(q, ti, &th.x.docs[doc])
		}
		s.total[g] = sum
		n++
		if sum > top {
			top = sum
		}
	}
	s.did(len(v.doc))
	return n, top
}

// boost is what the question gives to a message beside its words.
func (s *Searcher) boost(q *Query, ti int, d *docInfo) float64 {
	b := 1.
	if q.asksWhen && d.time {
		b = b * boostTime
	}
	if q.named.month != 0 && q.named.covers(d.date) {
		b = b * boostDate
	}
	if s.participants.one >= 0 && d.speaker >= 0 && s.participants.of[ti][d.speaker] == s.participants.one {
		b = b * boostNamed
	}
	return b
}

// buckets of equal width, by which the best are told from the rest without sorting all.
const buckets = 2048

// choose puts the best candidates in order: score, then thread and message, which the rank follows. A counting sort over
// buckets of scores comes first; few share a bucket.
func (s *Searcher) choose(limit int, top float64) {
	s.scored = s.scored[:0]
	if top == 0 {
		return
	}
	var ends [buckets + 1]int32
	scale := (buckets - 1) / top
	for _, x := range s.total {
		if x > 0 {
			ends[buckets-1-int(x*scale)]++
		}
	}
	n, last := int32(0), 0
	for b := range buckets {
		count := ends[b]
		ends[b] = n
		if limit <= 0 || int(n) < limit {
			n += count
			last = b
		}
	}
	s.scored = grow(s.scored, int(n))
	starts := ends
	for g, x := range s.total {
		if x > 0 {
			if b := buckets - 1 - int(x*scale); b <= last {
				s.scored[ends[b]] = scored{x, int32(g)}
				ends[b]++
			}
		}
	}
	for b := range last + 1 {
		if in := s.scored[starts[b]:ends[b]]; len(in) > 1 {
			slices.SortFunc(in, compare)
		}
	}
	if limit > 0 && len(s.scored) > limit {
		s.scored = s.scored[:limit]
	}
	s.did(2 * len(s.total))
}

func compare(a, b scored) int {
	switch {
	case a.score > b.score:
		return -1
	case a.score < b.score:
		return 1
	}
	return int(a.rank - b.rank)
}

func largest(xs []float64) float64 {
	var m float64
	for _, x := range xs {
		if x > m {
			m = x
		}
	}
	return m
}

// hit describes one candidate.
func (s *Searcher) hit(q *Query, f *factors, c scored) Hit {
	ti := s.threadOf(int(c.rank))
	th := &s.threads[ti]
	v, g := th.v, int(c.rank)
	rank := g - th.rank
	return Hit{
		Thread: ti, Doc: int(v.doc[rank]), Score: c.score,
		Run:      float64(f.run * s.run[th.run+int(v.run[rank])]),
		Context:  float64(f.context * s.context[g]),
		Sentence: float64(f.sentence * s.best[g]),
		Session:  float64(f.session * s.session[th.session+int(v.session[rank])]),
		Boost:    s.boost(q, ti, &th.x.docs[v.doc[rank]]),
	}
}

// threadOf finds the thread of a message by its number among all.
func (s *Searcher) threadOf(g int) int {
	ti, _ := slices.BinarySearchFunc(s.threads, g, func(t thread, g int) int {
		if t.rank+len(t.v.doc) <= g {
			return -1
		}
		return 1
	})
	return ti
}
