package lexical

import (
	"unicode/utf8"

	"github.com/ctxplan/ctxplan/plugin/text"
)

// Query is a question made ready for searching. It holds for any set of threads and is not changed by a search.
type Query struct {
	terms     []queryTerm
	byStem    map[string]int32
	asksWhen  bool
	named     date // a date that the question names; its month is never 0 when any is set
	singles   bool // there is a term of one character
	firstWord int  // where the first token begins
}

// queryTerm is one distinct term of a question.
type queryTerm struct {
	stem   string
	word   string // as it stands, folded
	kind   text.Kind
	class  class
	weight float64
	single bool // one character of an unspaced script, which stands for all grams that hold it
	upper  bool // written with a capital inside the question, so that it may be a name whatever the word
	role   date // parts of a date that the term names: month, day and year, each 0 if not
	spans  []text.Span
}

type class uint8

const (
	content class = iota
	function
	question
	connective
)

// Weights of terms.
const (
	weightContent     = 1
	weightName        = 2
	weightFunction    = .3
	weightReplacement = .5
	weightSomeGrammar = .75
	weightAllGrammar  = .5
	weightSingle      = .4
)

// Compile makes a question ready. Quotes, colons and words such as AND are text like any other.
func Compile(s string) *Query {
	q := &Query{byStem: map[string]int32{}, firstWord: -1}
	var sc text.Scanner
	sc.Scan(s, func(t text.Token) {
		if q.firstWord < 0 {
			q.firstWord = t.Start
		}
		q.add(s, t)
	})
	q.asksWhen = asksWhen(s, q)
	q.named = namedDate(s)
	q.settle()
	return q
}

func (q *Query) add(s string, t text.Token) {
	stem := stemOf(t)
	span := text.Span{Start: t.Start, End: t.End}
	upper := t.Start > q.firstWord && s[t.Start] >= 'A' && s[t.Start] <= 'Z'
	if i, ok := q.byStem[stem]; ok {
		old := &q.terms[i]
		old.spans = append(old.spans, span)
		old.upper = old.upper || upper
		old.role = old.role.with(roleOf(s, t))
		return
	}
	n := queryTerm{stem: stem, word: string(t.Term), kind: t.Kind, upper: upper, role: roleOf(s, t), spans: []text.Span{span}}
	n.class = classOf(t)
	n.weight = weightContent
	if t.Kind == text.Gram {
		n.weight, n.single = weighGram(n.word)
		q.singles = q.singles || n.single
	}
	q.byStem[stem] = int32(len(q.terms))
	q.terms = append(q.terms, n)
}

func classOf(t text.Token) class {
	switch {
	case t.Kind != text.Word:
		return content
	case text.QuestionWord(t.Term):
		return question
	case connectives.has(string(t.Term)):
		return connective
	case text.FunctionWord(t.Term):
		return function
	}
	return content
}

// weighGram gives a gram its weight and says whether it is a single character. A character may have marks.
func weighGram(gram string) (weight float64, single bool) {
	n, grammar := 0, 0
	for i, r := range gram {
		if i > 0 && text.ClassOf(r) == text.Mark {
			continue
		}
		n++
		if text.Particle(r) {
			grammar++
		}
	}
	weight = weightContent
	switch {
	case grammar == n:
		weight = weightAllGrammar
	case grammar > 0:
		weight = weightSomeGrammar
	}
	if n == 1 {
		return float64(weight * weightSingle), true
	}
	return weight, false
}

// settle gives function words their weight, and the others theirs if there is nothing else to go by.
func (q *Query) settle() {
	bare := true
	for i := range q.terms {
		bare = bare && q.terms[i].class != content
	}
	for i := range q.terms {
		t := &q.terms[i]
		switch t.class {
		case function:
			t.weight = weightFunction
		case question:
			t.weight = 0
			if bare {
				t.weight = weightFunction
			}
		case connective:
			t.weight = weightFunction
			if bare {
				t.weight = 0
			}
		}
	}
}

// Empty says that there is nothing to search by.
func (q *Query) Empty() bool {
	for i := range q.terms {
		if q.terms[i].weight > 0 {
			return false
		}
	}
	return true
}

// holds says whether a gram holds the character of a single term.
func holds(gram, char string) bool {
	for i := 0; i+len(char) <= len(gram); i++ {
		if gram[i:i+len(char)] == char && (i == 0 || utf8.RuneStart(gram[i])) {
			return true
		}
	}
	return false
}
