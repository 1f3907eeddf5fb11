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
	}
	s.addSentences(res.Weight)
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

// flattenOne does so for the plain case, which is the frequent one, straight from the buffer. It and the loops below keep
// to local variables and avoid branches, which is what WebAssembly made by Go is slow at.
func (s *Searcher) flattenOne(th *thread, t *term) {
	if !th.v.whole(th.x) {
		s.flattenSome(th, t)
		return
	}
	docs, ranks, buf := th.x.docs, th.v.rank, t.buf
	first, k := len(s.flats), len(s.sentTFs)
	flats, sents := grow(s.flats, first+int(t.docs)), grow(s.sentTFs, k+int(t.entries))
	n, doc, tfs, from := first-1, int32(-1), int32(0), int32(th.sent)
	for i := 0; i < len(buf); i++ {
		w := buf[i]
		delta, sent, tf := int32(w>>docShift), int32(w>>sentShift&sentMask), int32(w&escape)
		if tf == escape {
			delta, sent, tf = int32(buf[i+1]), int32(buf[i+2]), int32(buf[i+3])
			i += 3
		}
		fresh := -delta >> 31 // all ones for the first sentence of a message, which starts a new sum
		doc += delta
		n -= int(fresh)
		tfs = tfs&^fresh + halvesToken*tf
		sents[k] = sentTF{from + int32(docs[doc].sent0) + sent, tf}
		k++
		flats[n] = flat{ranks[doc], tfs, int32(k)}
	}
	s.did(len(buf))
	s.worded += n + 1 - first
	s.flats, s.sentTFs = flats[:n+1], sents[:k]
}

// flattenSome is flattenOne where not every message is visible.
func (s *Searcher) flattenSome(th *thread, t *term) {
	docs, ranks := th.x.docs, th.v.rank
	s.entries = t.decode(s.entries[:0])
	first, k := len(s.flats), len(s.sentTFs)
	flats, sents := grow(s.flats, first+int(t.docs)), grow(s.sentTFs, k+int(t.entries))
	n, last, tfs := first-1, int32(-1), int32(0)
	for _, e := range s.entries {
		rank := ranks[e.doc]
		if rank < 0 {
			continue
		}
		if e.doc != last {
			last, tfs = e.doc, 0
			n++
		}
		tfs += halvesToken * e.tf
		sents[k] = sentTF{int32(th.sent) + int32(docs[e.doc].sent0) + e.sent, e.tf}
		k++
		flats[n] = flat{rank, tfs, int32(k)}
	}
	s.did(len(s.entries))
	s.worded += n + 1 - first
	s.flats, s.sentTFs = flats[:n+1], sents[:k]
}

// flattenAll does so for terms that may be in the name of a speaker or in a date, and for several terms together: it looks
// at every message.
func (s *Searcher) flattenAll(ti int, t *searchTerm) {
	th := &s.threads[ti]
	docs, names, dated := th.x.docs, s.participants.counts(ti, t), t.role != (date{})
	s.did(len(names))
	es := s.entries
	next := nextDoc(es)
	for rank, doc := range th.v.doc {
		d := &docs[doc]
		name := names[d.speaker+1]
		tf := halvesToken * name
		if dated {
			tf += halvesDate * t.role.matches(d.date)
		}
		if tf == 0 && next > doc {
			continue
		}
		for next < doc {
			es = es[1:]
			next = nextDoc(es)
		}
		first := len(s.sentTFs)
		base := int32(th.sent) + int32(d.sent0)
		if name > 0 {
			s.worded++
			from, to := th.x.sentencesOf(int(doc))
			for sent := range int32(to - from) {
				s.sentTFs = append(s.sentTFs, sentTF{base + sent, name})
			}
		} else if next == doc {
			s.worded++
		}
		for next == doc {
			e := es[0]
			tf += halvesToken * e.tf
			if name > 0 {
				s.sentTFs[first+int(e.sent)].tf += e.tf
			} else {
				s.sentTFs = append(s.sentTFs, sentTF{base + e.sent, e.tf})
			}
			es = es[1:]
			next = nextDoc(es)
		}
		if tf > 0 {
			s.flats = append(s.flats, flat{int32(rank), tf, int32(len(s.sentTFs))})
		}
	}
	s.did(len(th.v.doc))
}

// nextDoc is the message of the first entry, or one behind all others.
func nextDoc(es []entry) int32 {
	if len(es) == 0 {
		return 1<<31 - 1
	}
	return es[0].doc
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

// addSentences adds a term to the scores of the sentences that hold it, and marks messages that hold it elsewhere.
func (s *Searcher) addSentences(weight float64) {
	c := s.sentences
	gain := c.gain(weight, len(s.sentTFs))
	for ti, p := range s.parts {
		th := &s.threads[ti]
		lengths, first := th.x.sentLen, int32(th.sent)
		scores, bests, dated := s.sentence, s.best[th.rank:], s.dated[th.rank:]
		sents, from := s.sentTFs, p.sents
		for _, f := range s.flats[p.from:p.to] {
			if from == int(f.to) {
				dated[f.rank] = true
				continue
			}
			best := bests[f.rank]
			for _, e := range sents[from:f.to] {
				x := scores[e.sent] + c.score(gain, float64(e.tf), float64(lengths[e.sent-first]))
				scores[e.sent] = x
				// Scores only grow, so the best on the way is the best in the end.
				best = larger(best, x)
			}
			bests[f.rank] = best
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
	gain := s.runs.gain(weight, n)
	for ti, p := range s.parts {
		v := s.threads[ti].v
		addUnits(s.runs, gain, s.flats[p.from:p.to], v.run, v.runLength, s.run[s.threads[ti].run:])
		s.did(p.to - p.from)
	}
}

// addSessions sums a term over each session.
func (s *Searcher) addSessions(weight float64) {
	n := 0
	for ti, p := range s.parts {
		n += distinct(s.flats[p.from:p.to], s.threads[ti].v.session)
	}
	gain := s.sessions.gain(weight, n)
	for ti, p := range s.parts {
		v := s.threads[ti].v
		addUnits(s.sessions, gain, s.flats[p.from:p.to], v.session, v.sessionLength, s.session[s.threads[ti].session:])
		s.did(p.to - p.from)
	}
}

// distinct counts the runs or sessions of messages, given which each message is in.
func distinct(flats []flat, unit []int32) int {
	n, last := int32(0), int32(-1)
	for i := range flats {
		u := unit[flats[i].rank]
		n -= (last - u) >> 31 // units only rise
		last = u
	}
	return int(n)
}

// addUnits adds a term to the scores of the runs or sessions of one thread.
func addUnits(c collection, gain float64, flats []flat, unit []int32, length []int64, scores []float64) {
	if len(flats) == 0 {
		return
	}
	u, tf := unit[flats[0].rank], int64(0)
	for i := range flats {
		f := flats[i]
		if next := unit[f.rank]; next != u {
			scores[u] = scores[u] + c.score(gain, float64(tf)/halvesToken, float64(length[u]))
			u, tf = next, 0
		}
		tf += int64(f.tf)
	}
	scores[u] = scores[u] + c.score(gain, float64(tf)/halvesToken, float64(length[u]))
}

// addContext spreads a term over the neighbours of each message that holds it. Frequencies are halves and the kernel is
// quarters, so the sums are whole eighths.
func (s *Searcher) addContext(weight float64) {
	n := 0
	for ti, p := range s.parts {
		th := &s.threads[ti]
		n += spreadOver(th.v, s.flats[p.from:p.to], s.neighbour[th.rank:])
		s.did(p.to - p.from)
	}
	c := s.contexts
	gain := c.gain(weight, n)
	for ti, p := range s.parts {
		th := &s.threads[ti]
		lengths := th.v.context
		sums, scores := s.neighbour[th.rank:], s.context[th.rank:]
		from, to, next := 0, -1, 0
		for _, f := range s.flats[p.from:p.to] {
			at := int(f.rank)
			if at > to {
				from, to = th.v.sessionRange(at)
				next = from
			}
			end := min(to, at+spread)
			r := max(next, at-spread)
			next = end + 1
			for ; r <= end; r++ {
				tf := float64(sums[r]) / (4 * halvesToken)
				sums[r] = 0
				scores[r] = scores[r] + c.score(gain, tf, float64(lengths[r]))
			}
		}
		s.did(p.to - p.from)
	}
}

// spreadOver adds up the context of a term in one thread and returns how many messages have any.
func spreadOver(v *view, flats []flat, sums []int32) int {
	n, from, to, next := 0, 0, -1, 0
	for i := range flats {
		at, tf := int(flats[i].rank), flats[i].tf
		if at > to {
			from, to = v.sessionRange(at)
			next = from
		}
		if at-spread >= from && at+spread <= to {
			near := (*[2*spread + 1]int32)(sums[at-spread:])
			near[0] += kernel[0] * tf
			near[1] += kernel[1] * tf
			near[2] += kernel[2] * tf
			near[3] += kernel[3] * tf
			near[4] += kernel[4] * tf
		} else {
			for r := max(from, at-spread); r <= min(to, at+spread); r++ {
				sums[r] += kernel[r-at+spread] * tf
			}
		}
		end := min(to, at+spread)
		n += end + 1 - max(next, at-spread)
		next = end + 1
	}
	return n
}
