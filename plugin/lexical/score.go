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
	ids := s.ids[t.ids[ti].from:t.ids[ti].to]
	if len(ids) == 1 && !t.name && t.role == (date{}) {
		s.flattenOne(th, &th.x.terms[ids[0]])
		return
	}
	s.entries = s.entries[:0]
	for _, id := range ids {
		s.entries = th.x.terms[id].decode(s.entries)
	}
	s.did(len(s.entries))
	if len(ids) > 1 {
		s.mergeEntries()
	}
	s.flattenAll(ti, t)
}

// flattenOne does so for the plain case, which is the frequent one, straight from the buffer.
func (s *Searcher) flattenOne(th *thread, t *term) {
	docs, ranks := th.x.docs, th.v.rank
	n, k := len(s.flats), int32(len(s.sentTFs))
	flats, sents := grow(s.flats, n+int(t.docs)), grow(s.sentTFs, int(k)+int(t.entries))
	// f is the message at hand. The entries of one that is not visible are written too, and over.
	f := flat{rank: -1}
	doc, base := int32(-1), int32(0)
	buf := t.buf
	for i := 0; i < len(buf); i++ {
		w := buf[i]
		delta, sent, tf := int32(w>>docShift), int32(w>>sentShift&sentMask), int32(w&escape)
		if tf == escape {
			delta, sent, tf = int32(buf[i+1]), int32(buf[i+2]), int32(buf[i+3])
			i += 3
		}
		if delta != 0 {
			if f.rank >= 0 {
				flats[n] = f
				n++
				k = f.to
			}
			doc += delta
			f = flat{rank: ranks[doc], to: k}
			base = int32(th.sent) + int32(docs[doc].sent0)
		}
		sents[f.to] = sentTF{base + sent, tf}
		f.to++
		f.tf += halvesToken * tf
	}
	if f.rank >= 0 {
		flats[n] = f
		n++
		k = f.to
	}
	s.did(len(buf))
	s.worded += n - len(s.flats)
	s.flats, s.sentTFs = flats[:n], sents[:k]
}

// flattenAll does so for terms that may be in the name of a speaker or in a date, and for several terms together: it looks
// at every message.
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
	n := 0
	for ti := range s.parts {
		n += s.spread(ti)
	}
	c := &s.contexts
	gain := c.gain(weight, n)
	for ti, p := range s.parts {
		th := &s.threads[ti]
		lengths := th.v.context
		sums := s.neighbour[th.rank : th.rank+len(lengths)]
		scores := s.context[th.rank : th.rank+len(lengths)]
		from, to, next := 0, -1, 0
		for _, f := range s.flats[p.from:p.to] {
			at := int(f.rank)
			if at > to {
				from, to = th.v.sessionRange(at)
				next = from
			}
			end := min(to, at+spread)
			for r := max(next, at-spread); r <= end; r++ {
				tf := float64(sums[r]) / (4 * halvesToken)
				sums[r] = 0
				scores[r] = scores[r] + c.score(gain, tf, float64(lengths[r]))
			}
			next = end + 1
		}
		s.did(p.to - p.from)
	}
}

// spread adds up the context of a term in one thread and returns how many messages have any.
func (s *Searcher) spread(ti int) int {
	p, th := s.parts[ti], &s.threads[ti]
	sums := s.neighbour[th.rank : th.rank+len(th.v.doc)]
	n, from, to, next := 0, 0, -1, 0
	for _, f := range s.flats[p.from:p.to] {
		at := int(f.rank)
		if at > to {
			from, to = th.v.sessionRange(at)
			next = from
		}
		if at-spread >= from && at+spread <= to {
			near := sums[at-spread : at+spread+1 : at+spread+1]
			near[0] += kernel[0] * f.tf
			near[1] += kernel[1] * f.tf
			near[2] += kernel[2] * f.tf
			near[3] += kernel[3] * f.tf
			near[4] += kernel[4] * f.tf
		} else {
			for r := max(from, at-spread); r <= min(to, at+spread); r++ {
				sums[r] += kernel[r-at+spread] * f.tf
			}
		}
		end := min(to, at+spread)
		n += end + 1 - max(next, at-spread)
		next = end + 1
	}
	s.did(p.to - p.from)
	return n
}
