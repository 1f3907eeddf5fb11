package lexical

import "slices"

// scored is a candidate before it becomes a hit.
type scored struct {
	score float64
	rank  int32 // among the messages of all threads
}

// better is the order of hits: score, then thread and message, which the rank follows.
func better(a, b scored) bool {
	if a.score != b.score {
		return a.score > b.score
	}
	return a.rank < b.rank
}

// maxima are the largest of each score.
type maxima struct{ run, context, session, sentence float64 }

// collect joins the four scores and keeps the best.
func (s *Searcher) collect(q *Query, r *Result, limit int) {
	r.sentences = s.sentences
	m := maxima{run: largest(s.run), context: largest(s.context), session: largest(s.session)}
	for ti := range s.threads {
		th := &s.threads[ti]
		for rank := range th.v.doc {
			g := th.rank + rank
			if s.own[g] {
				from := th.sent + int(th.v.sent[rank])
				s.best[g] = largest(s.sentence[from : from+th.v.sentences(rank)])
				m.sentence = max(m.sentence, s.best[g])
			}
		}
		s.did(len(th.v.doc))
	}
	if limit <= 0 {
		limit = s.messages.total
	}
	s.scored = s.scored[:0]
	for ti := range s.threads {
		th := &s.threads[ti]
		for rank := range th.v.doc {
			g := th.rank + rank
			if s.context[g] > 0 || s.best[g] > 0 || s.run[th.run+int(th.v.run[rank])] > 0 {
				r.Candidates++
				s.keep(scored{s.hit(q, &m, ti, rank).Score, int32(g)}, limit)
			}
		}
		s.did(len(th.v.doc))
	}
	slices.SortFunc(s.scored, func(a, b scored) int {
		if better(a, b) {
			return -1
		}
		return 1
	})
	s.did(len(s.scored))
	r.Hits = make([]Hit, len(s.scored))
	for i, c := range s.scored {
		ti := s.threadOf(int(c.rank))
		r.Hits[i] = s.hit(q, &m, ti, int(c.rank)-s.threads[ti].rank)
	}
}

func (s *Searcher) threadOf(rank int) int {
	ti, _ := slices.BinarySearchFunc(s.threads, rank, func(t thread, rank int) int {
		if t.rank+len(t.v.doc) <= rank {
			return -1
		}
		return 1
	})
	return ti
}

// keep holds the best so far, the worst of them on top of a heap.
func (s *Searcher) keep(c scored, limit int) {
	h := s.scored
	if len(h) < limit {
		h = append(h, c)
		s.scored = h
		if len(h) == limit {
			for i := len(h)/2 - 1; i >= 0; i-- {
				sink(h, i)
			}
		}
		return
	}
	if better(c, h[0]) {
		h[0] = c
		sink(h, 0)
	}
}

func sink(h []scored, i int) {
	for {
		c := 2*i + 1
		if c >= len(h) {
			return
		}
		if c+1 < len(h) && better(h[c], h[c+1]) {
			c++
		}
		if !better(h[i], h[c]) {
			return
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
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

// hit joins the scores of one message.
func (s *Searcher) hit(q *Query, m *maxima, ti, rank int) Hit {
	th := &s.threads[ti]
	v, g := th.v, th.rank+rank
	d := &th.x.docs[v.doc[rank]]
	h := Hit{Thread: ti, Doc: int(v.doc[rank]), Boost: 1,
		Run:      share(s.run[th.run+int(v.run[rank])], m.run),
		Context:  share(s.context[g], m.context),
		Sentence: share(s.best[g], m.sentence),
		Session:  share(s.session[th.session+int(v.session[rank])], m.session),
	}
	if q.asksWhen && d.time {
		h.Boost = h.Boost * boostTime
	}
	if q.named.month != 0 && q.named.covers(d.date) {
		h.Boost = h.Boost * boostDate
	}
	if s.participants.one >= 0 && d.speaker >= 0 && s.participants.of[ti][d.speaker] == s.participants.one {
		h.Boost = h.Boost * boostNamed
	}
	sum := float64(weightRun*h.Run) + float64(weightContext*h.Context)
	sum = sum + float64(weightSentence*h.Sentence)
	sum = sum + float64(weightSession*h.Session)
	h.Score = float64(sum * h.Boost)
	return h
}

func share(x, most float64) float64 {
	if most == 0 {
		return 0
	}
	return x / most
}
