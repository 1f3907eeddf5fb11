package text

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// soup are the pieces that random texts are made of: one or more for each rule of the package.
var soup = strings.Split("a|b|Z|é|ß|ẞ|İ|ς|Ж|ﬁ|Ａ|ｋ|①|½|²|Ⅷ|0|7|123|45|٣|, |. |.|,|!|?|'|’|-|--|_|/|:|+|#|%|@|$|€|&|‐| | |\n|\n\n|\r\n|\t|\u3000|"+
	"中|文|字|々|〇|豈|か|が|ー|ｶ|ﾞ|パ|。|，|；|！|：|「|」|한|글|\u1100|\u1161|\u11a8|ก|ำ|ั|ສ|မ|្|"+
	"\u0301|\u0323|\u0345|\u0327|\u3099|\u20e3|\u200b|\u200c|\u200d|\ufe0f|\u00ad|\u202e|\u2066|\u2069|\ufeff|\U000e0041|\U000e0101|"+
	"🔥|👩|🏽|🏴|🇳|🇴|❤|क|्|ष|א|ָ|ب|ل|می|```|```go|~~~|````|`|> |- |1. |e.g. |Dr. |J. |don't|C++|node.js|1,234.5|v2|\x00|\xff|\xe4\xb8|\x80", "|")

func TestRandomTexts(t *testing.T) {
	n := 8_000
	if testing.Short() {
		n = 1_000
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range n {
		var b strings.Builder
		for range 1 + r.IntN(24) {
			b.WriteString(soup[r.IntN(len(soup))])
			if r.IntN(12) == 0 {
				b.WriteString(strings.Repeat(soup[r.IntN(len(soup))], r.IntN(20)))
			}
		}
		s := b.String()
		checkNormalize(t, s)
		checkCuts(t, s)
		checkScan(t, s)
		checkSentences(t, s)
		checkExcerpt(t, s, r.IntN(len(s)+1), nil)
		if all := Sentences(nil, s); len(all) > 0 {
			best := []Span{all[r.IntN(len(all))], all[r.IntN(len(all))]}
			checkExcerpt(t, s, r.IntN(len(s)+1), best)
		}
		Hidden(s)
	}
}
