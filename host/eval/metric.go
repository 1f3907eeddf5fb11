package eval

import (
	"fmt"
	"io"
	"slices"
)

// Tally sums up how much evidence plans held, in all and by type of question. The zero value is ready.
type Tally struct {
	all    Sum
	byType map[string]*Sum
}

// Sum is a number of questions and what their plans held.
type Sum struct {
	Questions int
	// Fraction is the sum over questions of the fraction of evidence turns in the plan.
	Fraction float64
	// Complete counts questions with all their evidence in the plan.
	Complete int
	// Tokens is the sum of what the plans cost.
	Tokens int
}

// Mean is the mean fraction of evidence turns in the plan.
func (s Sum) Mean() float64 { return s.Fraction / float64(max(1, s.Questions)) }

// All is the share of questions with all evidence turns in the plan.
func (s Sum) All() float64 { return float64(s.Complete) / float64(max(1, s.Questions)) }

// Add counts one question whose plan holds the turns for which has is true. A turn named twice in the evidence counts
// once.
func (t *Tally) Add(q *Question, has func(turn string) bool, tokens int) {
	seen := map[string]bool{}
	in := 0
	for _, e := range q.Evidence {
		if !seen[e] && has(e) {
			in++
		}
		seen[e] = true
	}
	if t.byType == nil {
		t.byType = map[string]*Sum{}
	}
	of := t.byType[q.Type]
	if of == nil {
		of = new(Sum)
		t.byType[q.Type] = of
	}
	for _, s := range []*Sum{&t.all, of} {
		s.Questions++
		s.Tokens += tokens
		s.Fraction += float64(in) / float64(len(seen))
		if in == len(seen) {
			s.Complete++
		}
	}
}

// Total is the sum over all questions.
func (t *Tally) Total() Sum { return t.all }

// ByType returns the types of questions in order of name, and their sums.
func (t *Tally) ByType() ([]string, []Sum) {
	var names []string
	for n := range t.byType {
		names = append(names, n)
	}
	slices.Sort(names)
	sums := make([]Sum, len(names))
	for i, n := range names {
		sums[i] = *t.byType[n]
	}
	return names, sums
}

// Write prints one line for all questions and, with types, one for each type.
func (t *Tally) Write(w io.Writer, label string, types bool) {
	row := func(name string, s Sum) {
		fmt.Fprintf(w, "%-36s %5d  %s/%s  %6.0f tokens\n", name, s.Questions, shortNumber(s.Mean()), shortNumber(s.All()), float64(s.Tokens)/float64(max(1, s.Questions)))
	}
	row(label, t.all)
	if !types {
		return
	}
	names, sums := t.ByType()
	for i, n := range names {
		row("  "+n, sums[i])
	}
}
