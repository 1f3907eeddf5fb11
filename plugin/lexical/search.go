package lexical

import (
	"slices"

	"github.com/ctxplan/ctxplan/plugin/text"
)

// Weights of the four scores, and the boosts.
const (
	weightRun      = .5
	weightContext  = 1.
	weightSentence = .75
	weightSession  = .7

	boostTime  = 1.25
	boostDate  = 1.4
	boostNamed = 1.8
)

// reachFloor bounds the work of a search in small threads, see the package comment.
const reachFloor = 4096

// fewMessages is the number of visible messages below which only those that hold a term themselves are candidates: where
// all of a memory fits into any plan, a neighbour is no find.
const fewMessages = 20

// Hit is a message that shares words with the question.
type Hit struct {
	// Thread is the place of its index among those given, Doc its number there.
	Thread, Doc int
	// Score is (.5·Run + Context + .75·Sentence + .7·Session) · Boost.
	Score float64
	// Run, Context, Sentence and Session are the four scores, each divided by the largest: 0 to 1.
	Run, Context, Sentence, Session float64
	// Boost is the product of the boosts that apply, 1 if none does.
	Boost float64
	// Own says that the message itself holds a term, in its text, name or date; else only its run or its neighbours do.
	Own bool
}

// Result is what a search found. It belongs to the caller, hits included.
type Result struct {
	// Hits in order of falling score, then thread, then message.
	Hits []Hit
	// Visible is the number of messages that were looked at, Candidates how many have a score.
	Visible, Candidates int
	// Evidence says that a visible message holds a term of the question that is in fewer than 1 in 20 of them, plus 2.
	// A term is a content word or gram of the question, or one that is an edit away from a word that is nowhere; for a
	// participant's name the messages of that participant hold it.
	Evidence bool
	// Terms are the terms of the question, in order.
	Terms []Term

	sentences collection
	byStem    map[string]int32
	singles   []int32
}

// Term is what became of a term of the question.
type Term struct {
	// Text is the stem, Spans where it stands in the question, in bytes.
	Text  string
	Spans [][2]int
	// Weight is 0 for terms that do not count.
	Weight float64
	// Messages that hold it, or its replacements, by text, name or date; 0 too for terms that were not taken.
	Messages int
	// IDF over visible messages, and over their sentences; 0 when there is none.
	IDF, SentenceIDF float64
	// Replaced says that no visible message holds the word and others near it stand in.
	Replaced bool
	// Taken says that it took part in the score.
	Taken bool
}

// Searcher searches. It keeps buffers from search to search and is not safe for concurrent use. The zero value is ready.
type Searcher struct {
	// Tick, if set, is called about every 4,096 postings or messages.
	Tick  func()
	work  int
	floor int // in place of reachFloor, for tests

	threads      []thread
	participants participants
	terms        []searchTerm
	order        []int32
	ids          []int32

	entries   []entry
	flats     []flat
	sentTFs   []sentTF
	parts     []part  // by thread
	worded    int     // messages among flats that hold the term in text or name
	neighbour []int32 // context of a term, in eighths, by rank
	replaced  int     // words of the question that were looked for among near ones

	runs, contexts, sessions, sentences, messages collection

	// Scores by run, rank, session, sentence; of the best sentence and in all, by rank.
	run, context, session, sentence, best, total []float64
	dated                                        []bool // by rank: holds a term in its date alone

	scored     []scored
	candidates int
	boosted    []boosts // by thread
}

// thread is one of the indexes searched, with the numbers of its first message, run, session and sentence among all.
// Sentences of messages that are not visible have numbers too.
type thread struct {
	x                        *Index
	v                        *view
	rank, run, session, sent int
}

// searchTerm is a query term in this search.
type searchTerm struct {
	*queryTerm
	class    class
	place    int32 // in the question
	name     bool
	replaced bool
	typo     bool // a replacement is one edit away
	reach    int
	ids      []idRange // by thread: a range of Searcher.ids
	result   *Term
}

type idRange struct{ from, to int32 }

// Search ranks the messages of some threads. visible says what may be seen of each thread; nil means all of all, but a
// nil Bitmap among others means nothing. At most limit hits are returned, all with limit 0. An index must not be given
// twice.
func (s *Searcher) Search(q *Query, xs []*Index, visible []Bitmap, limit int) *Result {
	r := &Result{}
	s.open(xs, visible)
	r.Visible = s.messages.total
	s.prepare(q, r)
	s.take()
	for _, i := range s.order {
		s.score(&s.terms[i], r)
		s.did(len(xs))
	}
	s.collect(q, r, limit)
	s.close()
	return r
}

// open looks at the threads and sizes the accumulators.
func (s *Searcher) open(xs []*Index, visible []Bitmap) {
	s.threads = s.threads[:0]
	var t thread
	var halves, eighths, tokens int64
	sentences := 0
	for i, x := range xs {
		var v *view
		if visible == nil {
			v = x.look(nil, true)
		} else {
			v = x.look(visible[i], false)
		}
		t.x, t.v = x, v
		s.threads = append(s.threads, t)
		t.rank += len(v.doc)
		t.run += len(v.runLength)
		t.session += len(v.sessionLength)
		t.sent += len(x.sentLen)
		sentences += v.sentences
		halves += v.halves
		eighths += v.eighths
		tokens += v.tokens
		s.did(len(x.docs))
	}
	s.messages = newCollection(t.rank, halves, bPassage)
	s.runs = newCollection(t.run, halves, bPassage)
	s.contexts = newCollection(t.rank, eighths, bPassage)
	s.sessions = newCollection(t.session, halves, bPassage)
	s.sentences = newCollection(sentences, tokens, bSentence)
	s.run = zeroed(s.run, t.run)
	s.context = zeroed(s.context, t.rank)
	s.session = zeroed(s.session, t.session)
	s.sentence = zeroed(s.sentence, t.sent)
	s.best = zeroed(s.best, t.rank)
	s.total = zeroed(s.total, t.rank)
	s.dated = zeroed(s.dated, t.rank)
	s.neighbour = zeroed(s.neighbour, t.rank)
	s.participants.open(s.threads)
}

// close lets go of what belongs to the threads, so that a removed message is not kept alive from here.
func (s *Searcher) close() {
	clear(s.threads)
	clear(s.terms)
	s.participants.close()
}

func zeroed[T any](b []T, n int) []T {
	b = grow(b, n)
	clear(b)
	return b
}

// did counts work towards the next tick.
func (s *Searcher) did(n int) {
	if s.work += n; s.work >= 4096 {
		s.work = 0
		if s.Tick != nil {
			s.Tick()
		}
	}
}

// prepare finds the terms of the question in the threads. Function words are looked for only when there is room for any.
func (s *Searcher) prepare(q *Query, r *Result) {
	s.terms, s.ids, s.replaced = s.terms[:0], s.ids[:0], 0
	r.Terms = make([]Term, len(q.terms))
	r.byStem = map[string]int32{}
	s.participants.ask(q)
	for i := range q.terms {
		qt := &q.terms[i]
		res := &r.Terms[i]
		res.Text, res.Weight = qt.stem, qt.weight
		for _, sp := range qt.spans {
			res.Spans = append(res.Spans, [2]int{sp.Start, sp.End})
		}
		if s.participants.named[i] && (qt.class == content || qt.upper) {
			res.Weight = weightName
		}
	}
	sum := 0
	for i := range q.terms {
		if name := s.participants.named[i]; q.terms[i].class == content || name {
			sum += s.find(q, int32(i), r)
		}
	}
	for i := range q.terms {
		if sum <= s.least() && q.terms[i].class != content && !s.participants.named[i] {
			s.find(q, int32(i), r)
		}
	}
}

// find looks a term up, or what stands for it, and returns its reach.
func (s *Searcher) find(q *Query, i int32, r *Result) int {
	t := searchTerm{queryTerm: &q.terms[i], class: q.terms[i].class, place: i, result: &r.Terms[i]}
	if s.participants.named[i] {
		t.name, t.class = true, content
	}
	if t.result.Weight == 0 {
		return 0
	}
	t.ids = s.lookUp(&t)
	t.reach = s.reachOf(&t)
	if t.single {
		r.singles = append(r.singles, i)
	} else {
		r.byStem[t.stem] = i
	}
	if t.reach == 0 && t.kind == text.Word && t.class == content && len(t.word) >= minNear && s.replaced < maxReplaced {
		s.replaced++
		s.replace(&t, r)
	}
	if t.reach > 0 {
		s.terms = append(s.terms, t)
	}
	return t.reach
}

// lookUp finds the terms of each thread that are a term of the question: the same, or for a single character all grams that
// hold it.
func (s *Searcher) lookUp(t *searchTerm) []idRange {
	out := make([]idRange, len(s.threads))
	for ti := range s.threads {
		x := s.threads[ti].x
		from := int32(len(s.ids))
		if t.single {
			s.ids = x.holding(t.stem, s.ids)
			s.did(len(x.terms))
		} else if id, ok := x.stems[t.stem]; ok {
			s.ids = append(s.ids, id)
		}
		out[ti] = idRange{from, int32(len(s.ids))}
	}
	return out
}

// replace puts terms that are near in place of a word that no visible message holds.
func (s *Searcher) replace(t *searchTerm, r *Result) {
	for ti := range s.threads {
		x := s.threads[ti].x
		from := int32(len(s.ids))
		s.ids = x.near(t.word, t.stem, s.ids)
		s.did(len(x.terms))
		t.ids[ti] = idRange{from, int32(len(s.ids))}
		for _, id := range s.ids[from:] {
			near := &x.terms[id]
			if oneEdit(near.key, t.word) || oneEdit(near.key, t.stem) {
				t.typo = t.typo || s.visibleDocs(&s.threads[ti], near) > 0
			}
			if _, ok := r.byStem[near.key]; !ok {
				r.byStem[near.key] = t.place
			}
		}
	}
	if t.reach = s.reachOf(t); t.reach > 0 {
		t.replaced = true
		t.result.Replaced, t.result.Weight = true, weightReplacement
	}
}

// reachOf counts visible messages that hold a term in text, and those of participants that are named so. A message that
// has both counts twice.
func (s *Searcher) reachOf(t *searchTerm) int {
	n := 0
	for ti := range s.threads {
		th := &s.threads[ti]
		for _, id := range s.ids[t.ids[ti].from:t.ids[ti].to] {
			n += s.visibleDocs(th, &th.x.terms[id])
		}
		if t.name {
			for sp, in := range s.participants.counts(ti, t)[1:] {
				if in > 0 {
					n += int(th.v.speakers[sp])
				}
			}
		}
		if t.role != (date{}) {
			for _, doc := range th.v.doc {
				if t.role.matches(th.x.docs[doc].date) > 0 {
					n++
				}
			}
			s.did(len(th.v.doc))
		}
	}
	return n
}

func (s *Searcher) visibleDocs(th *thread, t *term) int {
	if th.v.whole(th.x) {
		return int(t.docs)
	}
	s.entries = t.decode(s.entries[:0])
	s.did(len(s.entries))
	n, last := 0, int32(-1)
	for _, e := range s.entries {
		if e.doc != last && th.v.rank[e.doc] >= 0 {
			n++
		}
		last = e.doc
	}
	return n
}

func (s *Searcher) least() int {
	if s.floor > 0 {
		return s.floor
	}
	return reachFloor
}

// take takes terms while the work is within bounds, and puts them in the order in which they are summed.
func (s *Searcher) take() {
	s.order = s.order[:0]
	for i := range s.terms {
		s.order = append(s.order, int32(i))
	}
	slices.SortFunc(s.order, func(a, b int32) int {
		x, y := &s.terms[a], &s.terms[b]
		if (x.class == content) != (y.class == content) {
			if x.class == content {
				return -1
			}
			return 1
		}
		if x.reach != y.reach {
			return x.reach - y.reach
		}
		return int(x.place - y.place)
	})
	sum := 0
	for i, t := range s.order {
		bound := s.least()
		if s.terms[t].class == content {
			bound = max(bound, s.messages.total)
		}
		if sum += s.terms[t].reach; i > 0 && sum > bound {
			s.order = s.order[:i]
			return
		}
	}
}
