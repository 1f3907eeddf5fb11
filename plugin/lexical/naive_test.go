package lexical

import (
	"slices"
	"strings"

	"github.com/ctxplan/ctxplan/plugin/num"
	"github.com/ctxplan/ctxplan/plugin/text"
)

// naive is the formula of the package comment, written down without postings, views or scratch: it sees only the
// messages it is given, counts words in maps, and goes through everything for every term. Search must agree with it bit
// for bit.
type naive struct {
	floor   int     // least bound of the reach
	threads [][]Doc // visible messages only
	docs    []naiveDoc
	stems   map[string]bool
	names   map[string][]string
}

type naiveDoc struct {
	Doc
	thread      int
	tf          map[string]int // halves, text alone
	text        map[string]int // tokens in the text
	name        []string
	length      int // halves
	sents       []map[string]int
	sentLen     []int
	time        bool
	session     int
	run         int
	context     []int // neighbours, itself included
	contextTime []int // their kernels
}

func newNaive(threads [][]Doc) *naive {
	n := &naive{floor: reachFloor, threads: threads, stems: map[string]bool{}, names: map[string][]string{}}
	session, run := -1, -1
	for ti, docs := range threads {
		first := len(n.docs)
		for i, d := range docs {
			if i == 0 || d.Session != docs[i-1].Session {
				session++
			}
			if i == 0 || d.Run != docs[i-1].Run {
				run++
			}
			n.docs = append(n.docs, n.read(d, ti, session, run))
		}
		for i := first; i < len(n.docs); i++ {
			for o, k := range []int{1, 2, 4, 2, 1} {
				if j := i + o - 2; j >= first && j < len(n.docs) && n.docs[j].session == n.docs[i].session {
					n.docs[i].context = append(n.docs[i].context, j)
					n.docs[i].contextTime = append(n.docs[i].contextTime, k)
				}
			}
		}
	}
	return n
}

func (n *naive) read(d Doc, thread, session, run int) naiveDoc {
	out := naiveDoc{Doc: d, thread: thread, session: session, run: run, text: map[string]int{}}
	if d.Speaker != "" {
		out.name = naiveTerms(d.Speaker)
		n.names[d.Speaker] = out.name
	}
	spans := text.Sentences(nil, d.Text)
	for range spans {
		out.sents = append(out.sents, map[string]int{})
		out.sentLen = append(out.sentLen, len(out.name))
	}
	var sc text.Scanner
	sc.Scan(d.Text, func(t text.Token) {
		at := 0
		for at+1 < len(spans) && t.Start >= spans[at].End {
			at++
		}
		stem := stemOf(t)
		n.stems[stem] = true
		out.text[stem]++
		out.sents[at][stem]++
		out.sentLen[at]++
		out.length += 2
		out.time = out.time || timeWord(string(t.Term), t.Kind)
	})
	out.length += 2 * len(out.name)
	if d.Year != 0 {
		out.length += 3
	}
	return out
}

func naiveTerms(s string) []string {
	var out []string
	var sc text.Scanner
	sc.Scan(s, func(t text.Token) { out = append(out, stemOf(t)) })
	return out
}

// naiveTerm is a term of a question and the terms of the messages that it stands for.
type naiveTerm struct {
	*queryTerm
	weight  float64
	content bool
	name    bool
	typo    bool
	exact   bool
	stems   []string
	reach   int
	place   int
}

func (t *naiveTerm) inText(d *naiveDoc) (n int) {
	for _, s := range t.stems {
		n += d.text[s]
	}
	return n
}

func (t *naiveTerm) inSentence(d *naiveDoc, i int) (n int) {
	for _, s := range t.stems {
		n += d.sents[i][s]
	}
	return n + t.inName(d)
}

func (t *naiveTerm) inName(d *naiveDoc) (n int) {
	if t.name {
		for _, s := range d.name {
			if s == t.stem {
				n++
			}
		}
	}
	return n
}

func (t *naiveTerm) inDate(d *naiveDoc) (n int) {
	if d.Year == 0 {
		return 0
	}
	for _, p := range [][2]int{{t.role.year, d.Year}, {t.role.month, d.Month}, {t.role.day, d.Day}} {
		if p[0] != 0 && p[0] == p[1] {
			n++
		}
	}
	return n
}

// halves is the frequency of a term in a message.
func (t *naiveTerm) halves(d *naiveDoc) int { return 2*t.inText(d) + 2*t.inName(d) + t.inDate(d) }

func (n *naive) terms(q *Query) []naiveTerm {
	var out []naiveTerm
	replaced := 0
	for i := range q.terms {
		t := naiveTerm{queryTerm: &q.terms[i], weight: q.terms[i].weight, content: q.terms[i].class == content, exact: true, place: i}
		for _, name := range n.names {
			if slices.Contains(name, t.stem) && (t.content || t.upper) {
				t.name, t.content, t.weight = true, true, 2
			}
		}
		for s := range n.stems {
			if s == t.stem && !t.single || t.single && strings.Contains(s, t.stem) {
				t.stems = append(t.stems, s)
			}
		}
		t.reach = n.reach(&t)
		if t.reach == 0 && t.kind == text.Word && t.content && len(t.word) >= 4 && replaced < 24 {
			replaced++
			t.exact, t.weight = false, .5
			for s := range n.stems {
				edit := naiveOneEdit(s, t.word) || naiveOneEdit(s, t.stem)
				if edit || naivePrefix(s, t.stem) {
					t.stems = append(t.stems, s)
					t.typo = t.typo || edit
				}
			}
			t.reach = n.reach(&t)
		}
		if t.weight > 0 && t.reach > 0 {
			out = append(out, t)
		}
	}
	slices.SortFunc(out, func(a, b naiveTerm) int {
		switch {
		case a.content && !b.content:
			return -1
		case b.content && !a.content:
			return 1
		case a.reach != b.reach:
			return a.reach - b.reach
		}
		return a.place - b.place
	})
	sum := 0
	for i, t := range out {
		bound := n.floor
		if t.content {
			bound = max(bound, len(n.docs))
		}
		if sum += t.reach; i > 0 && sum > bound {
			return out[:i]
		}
	}
	return out
}

func (n *naive) reach(t *naiveTerm) (sum int) {
	for i := range n.docs {
		d := &n.docs[i]
		for _, s := range t.stems {
			if d.text[s] > 0 {
				sum++
			}
		}
		if t.inName(d) > 0 {
			sum++
		}
		if t.inDate(d) > 0 {
			sum++
		}
	}
	return sum
}

// naiveOneEdit tries every edit of the shorter word.
func naiveOneEdit(a, b string) bool {
	if a == b || min(len(a), len(b)) < 3 {
		return false
	}
	for i := 0; i <= len(a); i++ {
		for c := 0; c < 256; c++ {
			if a[:i]+string([]byte{byte(c)})+a[i:] == b || i < len(a) && a[:i]+string([]byte{byte(c)})+a[i+1:] == b {
				return true
			}
		}
		if i < len(a) && a[:i]+a[i+1:] == b || i+1 < len(a) && a[:i]+a[i+1:i+2]+a[i:i+1]+a[i+2:] == b {
			return true
		}
	}
	return false
}

func naivePrefix(a, b string) bool {
	for n := min(len(a), len(b)); n >= 5; n-- {
		if a[:n] == b[:n] {
			return float64(n) >= .7*float64(max(len(a), len(b)))-1e-9
		}
	}
	return false
}

// naiveScores runs BM25 for one kind of document. tf and the lengths are in the same unit; order of terms is given.
func naiveScores(terms []naiveTerm, lengths []float64, unit, b float64, tf func(t *naiveTerm, i int) float64) []float64 {
	var total float64
	for _, l := range lengths {
		total += l
	}
	mean := total / float64(len(lengths))
	out := make([]float64, len(lengths))
	for ti := range terms {
		t := &terms[ti]
		n := 0
		for i := range out {
			if tf(t, i) > 0 {
				n++
			}
		}
		idf := num.Log(1 + (float64(len(out)-n)+.5)/(float64(n)+.5))
		gain := float64(float64(t.weight*idf) * (1.2 + 1))
		for i, l := range lengths {
			if f := tf(t, i) / unit; f > 0 {
				slope := float64(1.2*b) / mean
				norm := f + float64(1.2*(1-b)) + float64(slope*l)
				out[i] = out[i] + float64(gain*f)/norm
			}
		}
	}
	return out
}

func (n *naive) search(q *Query) ([]Hit, bool) {
	terms := n.terms(q)
	var runLen, sessionLen, contextLen, sentLen []float64
	var sentOf [][2]int
	for i := range n.docs {
		d := &n.docs[i]
		if d.run == len(runLen) {
			runLen = append(runLen, 0)
		}
		if d.session == len(sessionLen) {
			sessionLen = append(sessionLen, 0)
		}
		runLen[d.run] += float64(d.length)
		sessionLen[d.session] += float64(d.length)
		c := 0
		for k, j := range d.context {
			c += d.contextTime[k] * n.docs[j].length
		}
		contextLen = append(contextLen, float64(c))
		for k, l := range d.sentLen {
			sentLen = append(sentLen, float64(l))
			sentOf = append(sentOf, [2]int{i, k})
		}
	}
	over := func(of func(d *naiveDoc) int) func(t *naiveTerm, i int) float64 {
		return func(t *naiveTerm, i int) float64 {
			sum := 0
			for j := range n.docs {
				if of(&n.docs[j]) == i {
					sum += t.halves(&n.docs[j])
				}
			}
			return float64(sum)
		}
	}
	A := naiveScores(terms, runLen, 2, .75, over(func(d *naiveDoc) int { return d.run }))
	P := naiveScores(terms, sessionLen, 2, .75, over(func(d *naiveDoc) int { return d.session }))
	W := naiveScores(terms, contextLen, 8, .75, func(t *naiveTerm, i int) float64 {
		sum := 0
		for k, j := range n.docs[i].context {
			sum += n.docs[i].contextTime[k] * t.halves(&n.docs[j])
		}
		return float64(sum)
	})
	S := naiveScores(terms, sentLen, 1, .4, func(t *naiveTerm, i int) float64 {
		return float64(t.inSentence(&n.docs[sentOf[i][0]], sentOf[i][1]))
	})
	best := make([]float64, len(n.docs))
	for i, s := range S {
		best[sentOf[i][0]] = max(best[sentOf[i][0]], s)
	}
	one := n.one(q)
	var hits []Hit
	for i := range n.docs {
		d := &n.docs[i]
		if A[d.run] == 0 && W[i] == 0 && best[i] == 0 {
			continue
		}
		own := slices.ContainsFunc(terms, func(t naiveTerm) bool { return t.halves(d) > 0 })
		if !own && len(n.docs) < 20 {
			continue
		}
		var shares, parts [4]float64
		for k, all := range [4][]float64{A, W, best, P} {
			if m := slices.Max(all); m > 0 {
				x := [4]float64{A[d.run], W[i], best[i], P[d.session]}[k]
				shares[k] = float64(1 / m * x)
				parts[k] = float64([4]float64{.5, 1, .75, .7}[k] / m * x)
			}
		}
		h := Hit{Thread: d.thread, Doc: i, Boost: 1, Own: own, Run: shares[0], Context: shares[1], Sentence: shares[2], Session: shares[3]}
		if one != "" && d.Speaker == one {
			h.Boost *= 1.8
		}
		if q.asksWhen && d.time {
			h.Boost *= 1.25
		}
		if q.named.month != 0 && q.named.month == d.Month && (q.named.day == 0 || q.named.day == d.Day) && (q.named.year == 0 || q.named.year == d.Year) {
			h.Boost *= 1.4
		}
		h.Score = (parts[0] + parts[1] + parts[2] + parts[3]) * h.Boost
		hits = append(hits, h)
	}
	slices.SortStableFunc(hits, func(a, b Hit) int {
		if a.Score > b.Score {
			return -1
		}
		if a.Score < b.Score {
			return 1
		}
		return 0
	})
	return hits, n.evidence(terms)
}

func (n *naive) one(q *Query) string {
	one, count := "", 0
	for name, stems := range n.names {
		for i := range q.terms {
			t := &q.terms[i]
			if slices.Contains(stems, t.stem) && (t.class == content || t.upper) {
				one = name
				count++
				break
			}
		}
	}
	if count == 1 {
		return one
	}
	return ""
}

func (n *naive) evidence(terms []naiveTerm) bool {
	for i := range terms {
		t := &terms[i]
		if !t.content || !t.exact && !t.typo {
			continue
		}
		hold := 0
		for j := range n.docs {
			if t.inText(&n.docs[j]) > 0 || t.inName(&n.docs[j]) > 0 {
				hold++
			}
		}
		if hold > 0 && hold*20 < len(n.docs)+40 {
			return true
		}
	}
	return false
}
