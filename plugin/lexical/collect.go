package lexical

import (
	"math"
	"slices"
)

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
	s.boosted = s.boosted[:0]
	for ti := range s.threads {
		s.boosted = append(s.boosted, s.boostsOf(q, ti))
	}
	for i, c := range s.scored {
		s.describe(&r.Hits[i], &f, c)
	}
	s.did(len(s.scored))
}

// join adds the four scores of each message of a thread and applies the boosts. It returns the number of candidates and
// the largest score.
func (s *Searcher) join(q *Query, f *factors, ti int) (n int, top float64) {
	th := &s.threads[ti]
	v := th.v
	size := len(v.doc)
	runs, sessions := s.run[th.run:], s.session[th.session:]
	context, best, total := s.context[th.rank:][:size], s.best[th.rank:][:size], s.total[th.rank:][:size]
	run, session := v.run[:size], v.session[:size]
	w := *f
	for i := range total {
		sum := float64(w.run*runs[run[i]]) + float64(w.context*context[i])
		sum = sum + float64(w.sentence*best[i])
		// All ones if there is anything but the session.
		own := uint64(-int64(math.Float64bits(sum)) >> 63)
		n += int(own & 1)
		part := float64(w.session * sessions[session[i]])
		sum = sum + math.Float64frombits(math.Float64bits(part)&own)
		top = larger(top, sum)
		total[i] = sum
	}
	s.did(size)
	if s.messages.total < fewMessages {
		n = s.ownOnly(th, total)
	}
	if b := s.boostsOf(q, ti); b.any {
		top = s.boost(&b, th, total)
	}
	return n, top
}

// ownOnly takes out the messages that hold no term themselves, and returns how many are left.
func (s *Searcher) ownOnly(th *thread, total []float64) (n int) {
	for i := range total {
		if s.own(th.rank + i) {
			n++
		} else {
			total[i] = 0
		}
	}
	return n
}

func (s *Searcher) own(g int) bool { return s.best[g] > 0 || s.dated[g] }

// boost applies the boosts to the scores of a thread and returns the largest.
func (s *Searcher) boost(b *boosts, th *thread, total []float64) (top float64) {
	docs := th.x.docs
	for i, doc := range th.v.doc {
		x := float64(total[i] * b.of(&docs[doc]))
		total[i] = x
		top = larger(top, x)
	}
	s.did(len(total))
	return top
}

// larger is the larger of two numbers that are not negative. Their bits are ordered as they are.
func larger(a, b float64) float64 {
	x, y := int64(math.Float64bits(a)), int64(math.Float64bits(b))
	d := x - y
	return math.Float64frombits(uint64(x - d&(d>>63)))
}

// boosts are what a question gives to messages of a thread beside its words.
type boosts struct {
	any, time bool
	date      date
	speaker   int32 // the only participant that is named, as a speaker of the thread
}

func (s *Searcher) boostsOf(q *Query, ti int) boosts {
	b := boosts{time: q.asksWhen, date: q.named, speaker: noSpeaker}
	if one := s.participants.one; one >= 0 {
		for sp, id := range s.participants.of[ti] {
			if id == one {
				b.speaker = int32(sp)
			}
		}
	}
	b.any = b.time || b.date.month != 0 || b.speaker != noSpeaker
	return b
}

const noSpeaker = -2

func (b *boosts) of(d *docInfo) float64 {
	x := 1.
	if d.speaker == b.speaker {
		x = boostNamed
	}
	if b.time && d.time {
		x = float64(x * boostTime)
	}
	if b.date.month != 0 && b.date.covers(d.date) {
		x = float64(x * boostDate)
	}
	return x
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
		m = larger(larger(larger(m, xs[0]), larger(xs[1], xs[2])), xs[3])
		xs = xs[4:]
	}
	for _, x := range xs {
		m = larger(m, x)
	}
	return m
}

// describe fills in one hit.
func (s *Searcher) describe(h *Hit, f *factors, c scored) {
	ti, g := s.threadOf(int(c.rank)), int(c.rank)
	th := &s.threads[ti]
	v, rank := th.v, g-th.rank
	h.Thread, h.Doc, h.Score = ti, int(v.doc[rank]), c.score
	h.Run = float64(f.run * s.run[th.run+int(v.run[rank])])
	h.Context = float64(f.context * s.context[g])
	h.Sentence = float64(f.sentence * s.best[g])
	h.Session = float64(f.session * s.session[th.session+int(v.session[rank])])
	h.Own = s.own(g)
	h.Boost = s.boosted[ti].of(&th.x.docs[h.Doc])
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
