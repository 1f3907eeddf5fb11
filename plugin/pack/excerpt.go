package pack

import (
	"strconv"

	"github.com/ctxplan/ctxplan/plugin/text"
)

// Excerpt cuts s down to at most limit tokens, by the given price of a text, around its best sentences, given in order of worth. It returns the text with
// its markers, the spans of s that were kept, and the price. When not one grapheme fits it is the mark alone, without
// spans, and when that does not fit either the empty text.
func Excerpt(cost func(string) int64, s string, limit int64, best []text.Span) (out string, spans []text.Span, price int64) {
	whole := cost(s)
	if whole <= limit {
		return s, []text.Span{{Start: 0, End: len(s)}}, whole
	}
	// The price of an excerpt follows its bytes nearly linearly: aim with the ratio of the whole, and come down from there.
	bytes := int(float64(len(s)) * (float64(limit) / float64(whole)))
	for range 24 {
		out, spans = text.Excerpt(s, bytes, best)
		if out == "" {
			break
		}
		price = cost(out)
		if price <= limit {
			return out, spans, price
		}
		bytes = min(bytes*15/16, int(float64(bytes)*(float64(limit)/float64(price))))
	}
	out = "[… " + strconv.Itoa(len(s)) + " bytes in all …]"
	if price = cost(out); price <= limit {
		return out, nil, price
	}
	return "", nil, 0
}
