package lexical

import "slices"

// flat is a message that holds a term.
type flat struct {
	rank int32 // in its thread
	tf   int32 // in halves
	to   int32 // end of its sentences in Searcher.sentTFs; they begin where those of the flat before end
}

type sentTF struct{ sent, tf int32 }

// part is what a thread has in Searcher.flats, and where its sentences begin.
type part struct{ from, to, sents int }

// score adds one term to all accumulators.
func (s *Searcher) score(t *searchTerm, r *Result) {
	s.flats, s.sentTFs, s.parts, s.worded = s.flats[:0], s.sentTFs[:0], s.parts[:0], 0
	for ti := range s.threads {
		from, sents := len(s.flats), len(s.sentTFs)
		s.flatten(ti, t)
		s.parts = append(s.parts, part{from, len(s.flats), sents})
	}
	n := len(s.flats)
	res := t.result
	res.Taken, res.Messages = true, n
	res.IDF = idf(s.messages.total, n)
	if t.class == content && (!t.replaced || t.typo) && s.worded > 0 && s.worded*20 < s.messages.total+40 {
		r.Evidence = true
	}
	if k := len(s.sentTFs); k > 0 {
		res.SentenceIDF = idf(s.sentences.total, k)
		s.addSentences(res.Weight)
	}
	s.addRuns(res.Weight)
	s.addContext(res.Weight)
	s.addSessions(res.Weight)
}

// flatten lists the visible messages of a thread that hold a term, in order, with the sentences that do.
func (s *Searcher) flatten(ti int, t *searchTerm) {
	th := &s.threads[ti]
	s.entries = s.entries[:0]
	ids := s.ids[t.ids[ti].from:t.ids[ti].to]
	for _, id := range ids {
		s.entries = th.x.terms[id].decode(s.entries)
	}
	s.did(len(s.entries))
	if len(ids) > 1 {
		s.mergeEntries()
	}
	if t.name || t.role != (date{}) {
		s.flattenAll(ti, t)
		return
	}
	docs, ranks := th.x.docs, th.v.rank
	flats, sents := s.flats, s.sentTFs
	doc, rank, base := int32(-1), int32(-1), int32(0)
	for _, e := range s.entries {
		if e.doc != doc {
			doc = e.doc
			if rank = ranks[doc]; rank >= 0 {
				base = int32(th.sent) + int32(docs[doc].sent0)
				flats = append(flats, flat{rank: rank})
			}
		}
		if rank >= 0 {
			sents = append(sents, sentTF{base + e.sent, e.tf})
			f := &flats[len(flats)-1]
			f.tf += halvesToken * e.tf
			f.to = int32(len(sents))
		}
	}
	s.worded += len(flats) - len(s.flats)
	s.flats, s.sentTFs = flats, sents
}

// flattenAll does so for terms that may be in the name of a speaker or in a date: it looks at every message.
func (s *Searcher) flattenAll(ti int, t *searchTerm) {
	th := &s.threads[ti]
	v, x := th.v, th.x
	names := s.participants.counts(ti, t)
	es := s.entries
	for rank, doc := range v.doc {
		for len(es) > 0 && es[0].doc < doc {
			es = es[1:]
		}
		d := &x.docs[doc]
		base := int32(th.sent) + int32(d.sent0)
		tf := halvesDate * t.role.matches(d.date)
		name := int32(0)
		if d.speaker >= 0 {
			name = names[d.speaker]
		}
		first := len(s.sentTFs)
		if name > 0 {
			tf += halvesToken * name
			from, to := x.sentencesOf(int(doc))
			for sent := range int32(to - from) {
				s.sentTFs = append(s.sentTFs, sentTF{base + sent, name})
			}
		}
		worded := name > 0
		for ; len(es) > 0 && es[0].doc == doc; es = es[1:] {
			tf += halvesToken * es[0].tf
			worded = true
			if name > 0 {
				s.sentTFs[first+int(es[0].sent)].tf += es[0].tf
			} else {
				s.sentTFs = append(s.sentTFs, sentTF{base + es[0].sent, es[0].tf})
			}
		}
		if worded {
			s.worded++
		}
		if tf > 0 {
			s.flats = append(s.flats, flat{int32(rank), tf, int32(len(s.sentTFs))})
		}
	}
	s.did(len(v.doc))
}

// mergeEntries puts the entries of several terms in order and adds up those of one sentence.
func (s *Searcher) mergeEntries() {
	slices.SortFunc(s.entries, func(a, b entry) int {
		if a.doc != b.doc {
			return int(a.doc - b.doc)
		}
		return int(a.sent - b.sent)
	})
	out := s.entries[:0]
	for _, e := range s.entries {
		if n := len(out); n > 0 && out[n-1].doc == e.doc && out[n-1].sent == e.sent {
			out[n-1].tf += e.tf
		} else {
			out = append(out, e)
		}
	}
	s.entries = out
}

func (s *Searcher) addSentences(weight float64) {
	c := &s.sentences
	gain := c.gain(weight, len(s.sentTFs))
	for ti, p := range s.parts {
		th := &s.threads[ti]
		lengths := th.x.sentLen
		from := p.sents
		for _, f := range s.flats[p.from:p.to] {
			best := s.best[th.rank+int(f.rank)]
			for _, e := range s.sentTFs[from:f.to] {
				x := s.sentence[e.sent] + c.score(gain, float64(e.tf), float64(lengths[int(e.sent)-th.sent]))
				s.sentence[e.sent] = x
				// Scores only grow, so the best on the way is the best in the end.
				if x > best {
					best = x
				}
			}
			s.best[th.rank+int(f.rank)] = best
			from = int(f.to)
		}
		s.did(p.to - p.from)
	}
}

// addRuns sums a term over each run. Messages of a run follow one another.
func (s *Searcher) addRuns(weight float64) {
	n := 0
	for ti, p := range s.parts {
		n += distinct(s.flats[p.from:p.to], s.threads[ti].v.run)
	}
	c := &s.runs
	gain := c.gain(weight, n)
	for ti, p := range s.parts {
		v := s.threads[ti].v
		s.addUnits(c, gain, p, v.run, v.runLength, s.run[s.threads[ti].run:])
	}
}

// addSessions sums a term over each session.
func (s *Searcher) addSessions(weight float64) {
	n := 0
	for ti, p := range s.parts {
		n += distinct(s.flats[p.from:p.to], s.threads[ti].v.session)
	}
	c := &s.sessions
	gain := c.gain(weight, n)
	for ti, p := range s.parts {
		v := s.threads[ti].v
		s.addUnits(c, gain, p, v.session, v.sessionLength, s.session[s.threads[ti].session:])
	}
}

// distinct counts the runs or sessions of messages, given which each message is in.
func distinct(flats []flat, unit []int32) int {
	n, last := 0, int32(-1)
	for i := range flats {
		if u := unit[flats[i].rank]; u != last {
			n, last = n+1, u
		}
	}
	return n
}

// addUnits adds a term to the scores of the runs or sessions of one thread.
func (s *Searcher) addUnits(c *collection, gain float64, p part, unit []int32, length []int64, scores []float64) {
	for i := p.from; i < p.to; {
		u := unit[s.flats[i].rank]
		tf := int64(0)
		for ; i < p.to && unit[s.flats[i].rank] == u; i++ {
			tf += int64(s.flats[i].tf)
		}
		scores[u] = scores[u] + c.score(gain, float64(tf)/halvesToken, float64(length[u]))
	}
	s.did(p.to - p.from)
}

// addContext spreads a term over the neighbours of each message that holds it. Frequencies are halves and the kernel is
// quarters, so the sums are whole eighths.
func (s *Searcher) addContext(weight float64) {
	s.near = s.near[:0]
	for ti, p := range s.parts {
		th := &s.threads[ti]
		v := th.v
		sums := s.neighbour[th.rank : th.rank+len(v.doc)]
		from, to := 0, -1 // of the session
		for _, f := range s.flats[p.from:p.to] {
			at := int(f.rank)
			if at > to {
				from, to = v.sessionRange(at)
			}
			for r := max(from, at-spread); r <= min(to, at+spread); r++ {
				if sums[r] == 0 {
					s.near = append(s.near, int32(th.rank+r))
				}
				sums[r] += kernel[r-at+spread] * f.tf
			}
		}
		s.did(p.to - p.from)
	}
	c := &s.contexts
	gain := c.gain(weight, len(s.near))
	next := s.near
	for ti := range s.threads {
		th := &s.threads[ti]
		lengths := th.v.context
		end := th.rank + len(lengths)
		for len(next) > 0 && int(next[0]) < end {
			r := next[0]
			next = next[1:]
			tf := float64(s.neighbour[r]) / (4 * halvesToken)
			s.neighbour[r] = 0
			s.context[r] = s.context[r] + c.score(gain, tf, float64(lengths[int(r)-th.rank]))
		}
	}
	s.did(len(s.near))
}
