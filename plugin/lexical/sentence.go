package lexical

import (
	"slices"

	"github.com/ctxplan/ctxplan/plugin/text"
)

// ScoredSpan is a sentence of a text and what it is worth for the question.
type ScoredSpan struct {
	text.Span
	Score float64
}

// BestSentences scores the sentences of a text by the terms and statistics of a search, as S does but without the name of
// the speaker, and returns those above 0, best first, then by position.
func (r *Result) BestSentences(s string) []ScoredSpan {
	spans := text.Sentences(nil, s)
	if len(spans) == 0 {
		return nil
	}
	var out []ScoredSpan
	tf := make([]int32, len(r.Terms))
	at, length := 0, 0
	end := func() {
		if score := r.sentenceScore(tf, length); score > 0 {
			out = append(out, ScoredSpan{spans[at], score})
		}
		clear(tf)
		at++
		length = 0
	}
	var sc text.Scanner
	sc.Scan(s, func(t text.Token) {
		for at+1 < len(spans) && t.Start >= spans[at].End {
			end()
		}
		length++
		stem := stemOf(t)
		if i, ok := r.byStem[stem]; ok {
			tf[i]++
		}
		if t.Kind == text.Gram {
			for _, i := range r.singles {
				if holds(stem, r.Terms[i].Text) {
					tf[i]++
				}
			}
		}
	})
	end()
	slices.SortStableFunc(out, func(a, b ScoredSpan) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return 0
	})
	return out
}

func (r *Result) sentenceScore(tf []int32, length int) float64 {
	var sum float64
	for i, n := range tf {
		t := &r.Terms[i]
		if n > 0 && t.Taken && t.SentenceIDF > 0 {
			gain := float64(float64(t.Weight*t.SentenceIDF) * (k1 + 1))
			sum = sum + r.sentences.score(gain, float64(n), float64(length))
		}
	}
	return sum
}
