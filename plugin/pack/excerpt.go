package pack

import (
	"strconv"

	"github.com/ctxplan/ctxplan/plugin/text"
	"github.com/ctxplan/ctxplan/plugin/tokens"
)

// Excerpt cuts s down to at most limit tokens around its best sentences, given in order of worth. It returns the text with
// its markers, the spans of s that were kept, and the price. When not one grapheme fits it is the mark alone, without
// spans, and when that does not fit either the empty text.
func Excerpt(p tokens.Profile, s string, limit int64, best []text.Span) (out string, spans []text.Span, price int64) {
	whole := p.Text(s)
	if whole <= limit {
		return s, []text.Span{{Start: 0, End: len(s)}}, whole
	}
	// The price of an excerpt follows its bytes nearly linearly: aim with the ratio of the whole, and come down from there.
	bytes := int(float64(len(s)) * (float64(limit) / float64(whole)))
	for range 12 {
		out, spans = text.Excerpt(s, bytes, best)
		if out == "" {
			break
		}
		price = p.Text(out)
		if price <= limit {
			return out, spans, price
		}
		bytes = min(bytes-1, int(float64(bytes)*(float64(limit)/float64(price))))
	}
	out = "[… " + strconv.Itoa(len(s)) + " bytes in all …]"
	if price = p.Text(out); price <= limit {
		return out, nil, price
	}
	return "", nil, 0
}
