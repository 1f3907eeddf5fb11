package lexical

import "slices"

// flat is a message that holds a term.
type flat struct {
	rank   int32 // in its thread
	tf     int32 // in halves
	from   int32 // its sentences, a range of Searcher.sentTFs
	to     int32
	name   int32 // tokens of the speaker's name that are the term; each sentence has them
	inText bool
}

type sentTF struct{ sent, tf int32 }

// flatRange is what a thread has in Searcher.flats.
type flatRange struct{ from, to int }

// score adds one term to all accumulators.
func (s *Searcher) score(t *searchTerm, r *Result) {
	s.flats, s.sentTFs = s.flats[:0], s.sentTFs[:0]
	var ranges [8]flatRange
	per := ranges[:0]
	for ti := range s.threads {
		from := len(s.flats)
		s.flatten(ti, t)
		per = append(per, flatRange{from, len(s.flats)})
	}
	n := len(s.flats)
	res := t.result
	res.Taken, res.Messages = true, n
	res.IDF = idf(s.messages.total, n)
	s.evidence(t, r)
	if k := len(s.sentTFs); k > 0 {
		res.SentenceIDF = idf(s.sentences.total, k)
		s.addSentences(t, per)
	}
	s.addRuns(t, per)
	s.addContext(t, per)
	s.addSessions(t, per)
}

// evidence looks whether the term is rare enough to mean something.
func (s *Searcher) evidence(t *searchTerm, r *Result) {
	if t.class != content || t.replaced && !t.typo {
		return
	}
	n := 0
	for i := range s.flats {
		if s.flats[i].inText || s.flats[i].name > 0 {
			n++
		}
	}
	if n > 0 && n*20 < s.messages.total+40 {
		r.Evidence = true
	}
}

// flatten lists the visible messages of a thread that hold a term, in order.
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
	v := th.v
	es := s.entries
	for i := 0; i < len(es); {
		doc := es[i].doc
		rank := v.rank[doc]
		if rank < 0 {
			for i++; i < len(es) && es[i].doc == doc; i++ {
			}
			continue
		}
		f := flat{rank: rank, from: int32(len(s.sentTFs)), inText: true}
		base := int32(th.sent) + v.sent[rank]
		for ; i < len(es) && es[i].doc == doc; i++ {
			f.tf += halvesToken * es[i].tf
			s.sentTFs = append(s.sentTFs, sentTF{base + es[i].sent, es[i].tf})
		}
		f.to = int32(len(s.sentTFs))
		s.flats = append(s.flats, f)
	}
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
		f := flat{rank: int32(rank), from: int32(len(s.sentTFs)), tf: halvesDate * t.role.matches(d.date)}
		if d.speaker >= 0 {
			f.name = names[d.speaker]
			f.tf += halvesToken * f.name
		}
		base := int32(th.sent) + v.sent[rank]
		if f.name > 0 {
			for sent := range int32(v.sentences(rank)) {
				s.sentTFs = append(s.sentTFs, sentTF{base + sent, f.name})
			}
		}
		for ; len(es) > 0 && es[0].doc == doc; es = es[1:] {
			f.tf += halvesToken * es[0].tf
			f.inText = true
			if f.name > 0 {
				s.sentTFs[f.from+es[0].sent].tf += es[0].tf
			} else {
				s.sentTFs = append(s.sentTFs, sentTF{base + es[0].sent, es[0].tf})
			}
		}
		if f.to = int32(len(s.sentTFs)); f.tf > 0 {
			s.flats = append(s.flats, f)
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

func (s *Searcher) addSentences(t *searchTerm, per []flatRange) {
	c := &s.sentences
	gain := c.gain(t.weight, len(s.sentTFs))
	for ti, fr := range per {
		th := &s.threads[ti]
		for i := fr.from; i < fr.to; i++ {
			f := &s.flats[i]
			s.own[th.rank+int(f.rank)] = s.own[th.rank+int(f.rank)] || f.from < f.to
			for _, e := range s.sentTFs[f.from:f.to] {
				length := float64(th.v.sentLength[int(e.sent)-th.sent])
				s.sentence[e.sent] = s.sentence[e.sent] + c.score(gain, float64(e.tf), length)
			}
		}
		s.did(fr.to - fr.from)
	}
}

// addRuns sums a term over each run. Messages of a run follow one another.
func (s *Searcher) addRuns(t *searchTerm, per []flatRange) {
	n := 0
	for ti, fr := range per {
		v, last := s.threads[ti].v, int32(-1)
		for _, f := range s.flats[fr.from:fr.to] {
			if run := v.run[f.rank]; run != last {
				n, last = n+1, run
			}
		}
	}
	c := &s.runs
	gain := c.gain(t.weight, n)
	for ti, fr := range per {
		th := &s.threads[ti]
		for i := fr.from; i < fr.to; {
			run := th.v.run[s.flats[i].rank]
			var tf int64
			for ; i < fr.to && th.v.run[s.flats[i].rank] == run; i++ {
				tf += int64(s.flats[i].tf)
			}
			acc := &s.run[th.run+int(run)]
			*acc = *acc + c.score(gain, float64(tf)/halvesToken, float64(th.v.runLength[run]))
		}
		s.did(fr.to - fr.from)
	}
}

func (s *Searcher) addSessions(t *searchTerm, per []flatRange) {
	n := 0
	for ti, fr := range per {
		v, last := s.threads[ti].v, int32(-1)
		for _, f := range s.flats[fr.from:fr.to] {
			if session := v.session[f.rank]; session != last {
				n, last = n+1, session
			}
		}
	}
	c := &s.sessions
	gain := c.gain(t.weight, n)
	for ti, fr := range per {
		th := &s.threads[ti]
		for i := fr.from; i < fr.to; {
			session := th.v.session[s.flats[i].rank]
			var tf int64
			for ; i < fr.to && th.v.session[s.flats[i].rank] == session; i++ {
				tf += int64(s.flats[i].tf)
			}
			acc := &s.session[th.session+int(session)]
			*acc = *acc + c.score(gain, float64(tf)/halvesToken, float64(th.v.sessionLength[session]))
		}
		s.did(fr.to - fr.from)
	}
}

// addContext spreads a term over the neighbours of each message that holds it. Frequencies are halves and the kernel is
// quarters, so the sums are whole eighths.
func (s *Searcher) addContext(t *searchTerm, per []flatRange) {
	s.near = s.near[:0]
	for ti, fr := range per {
		th := &s.threads[ti]
		session := th.v.session
		sums := s.neighbour[th.rank : th.rank+len(session)]
		for _, f := range s.flats[fr.from:fr.to] {
			from, to := max(0, int(f.rank)-reach), min(len(session)-1, int(f.rank)+reach)
			for r := from; r <= to; r++ {
				if session[r] != session[f.rank] {
					continue
				}
				if sums[r] == 0 {
					s.near = append(s.near, int32(th.rank+r))
				}
				sums[r] += kernel[r-int(f.rank)+reach] * f.tf
			}
		}
		s.did(fr.to - fr.from)
	}
	c := &s.contexts
	gain := c.gain(t.weight, len(s.near))
	ti := 0
	for _, r := range s.near {
		for ti+1 < len(s.threads) && int(r) >= s.threads[ti+1].rank {
			ti++
		}
		th := &s.threads[ti]
		tf := float64(s.neighbour[r]) / (4 * halvesToken)
		s.neighbour[r] = 0
		s.context[r] = s.context[r] + c.score(gain, tf, float64(th.v.context[int(r)-th.rank]))
	}
	s.did(len(s.near))
}
