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
	s.candidates = 0
	var top float64
	for ti := range s.threads {
		n, most := s.join(q, &f, ti)
		s.candidates += n
		top = max(top, most)
	}
	r.Candidates = s.candidates
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
	boosted := s.boosts(q)
	for rank, doc := range v.doc {
		g := th.rank + rank
		sum := float64(f.run*s.run[th.run+int(v.run[rank])]) + float64(f.context*s.context[g])
		sum = sum + float64(f.sentence*s.best[g])
		if sum > 0 {
			sum = sum + float64(f.session*s.session[th.session+int(v.session[rank])])
			n++
			if boosted {
				sum = sum * s.boost(q, ti, &th.x.docs[doc])
			}
			if sum > top {
				top = sum
			}
		}
		s.total[g] = sum
	}
	s.did(len(v.doc))
	return n, top
}

// boosts says whether a question has any boost to give.
func (s *Searcher) boosts(q *Query) bool {
	return q.asksWhen || q.named.month != 0 || s.participants.one >= 0
}

// boost is what the question gives to a message beside its words.
func (s *Searcher) boost(q *Query, ti int, d *docInfo) float64 {
	b := 1.
	if !s.boosts(q) {
		return b
	}
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
	var counts, ends [buckets]int32
	scale := (buckets - 1) / top
	for _, x := range s.total {
		counts[int(x*scale)]++
	}
	counts[0] -= int32(len(s.total) - s.candidates) // those with score 0
	least, n := buckets-1, int32(0)
	for ; ; least-- {
		ends[least] = n
		if n += counts[least]; least == 0 || limit > 0 && int(n) >= limit {
			break
		}
	}
	s.scored = grow(s.scored, int(n))
	// A little below the border, for the rounding of the product; the bucket decides.
	border := (float64(least) - .001) / scale
	for g, x := range s.total {
		if x > border && x > 0 {
			if b := int(x * scale); b >= least {
				s.scored[ends[b]] = scored{x, int32(g)}
				ends[b]++
			}
		}
	}
	for b := least; b < buckets; b++ {
		if in := s.scored[ends[b]-counts[b] : ends[b]]; len(in) > fewInBucket {
			slices.SortFunc(in, compare)
		} else {
			insertionSort(in)
		}
	}
	if limit > 0 && len(s.scored) > limit {
		s.scored = s.scored[:limit]
	}
	s.did(2 * len(s.total))
}

// fewInBucket is up to how many are sorted by insertion.
const fewInBucket = 12

func insertionSort(in []scored) {
	for i := 1; i < len(in); i++ {
		x := in[i]
		j := i
		// In order of rank from the start, so that equal scores stay.
		for ; j > 0 && in[j-1].score < x.score; j-- {
			in[j] = in[j-1]
		}
		in[j] = x
	}
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
	for len(xs) >= 4 {
		a, b, c, d := xs[0], xs[1], xs[2], xs[3]
		if a > m || b > m || c > m || d > m {
			m = max(m, a, b, c, d)
		}
		xs = xs[4:]
	}
	for _, x := range xs {
		m = max(m, x)
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
	if len(s.threads) == 1 {
		return 0
	}
	ti, _ := slices.BinarySearchFunc(s.threads, g, func(t thread, g int) int {
		if t.rank+len(t.v.doc) <= g {
			return -1
		}
		return 1
	})
	return ti
}
