package pack

import (
	"math/rand"
	"strconv"
	"strings"
	"testing"

	"github.com/ctxplan/ctxplan/plugin/text"
	"github.com/ctxplan/ctxplan/plugin/tokens"
)

func TestByDensity(t *testing.T) {
	offers := []Offer{{Value: 100, Price: 900, Index: 0}, {Value: 90, Price: 30, Index: 1}, {Value: 90, Price: 30, Index: 2}, {Value: 0, Price: 0, Index: 3}, {Value: 200, Price: 350, Index: 4}}
	ByDensity(offers)
	for i, want := range []int32{1, 2, 4, 0, 3} {
		if offers[i].Index != want {
			t.Fatalf("got %+v", offers)
		}
	}
}

// The naive twin tries every cap.
func TestLevelAgreesWithTryingEveryCap(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	for range 2000 {
		texts := make([]Flexible, r.Intn(6))
		var top int64
		for i := range texts {
			texts[i] = Flexible{Whole: int64(r.Intn(200)), Least: int64(r.Intn(80))}
			top = max(top, texts[i].Whole)
		}
		budget := int64(r.Intn(500)) - 20
		sum := func(limit int64) (n int64) {
			for _, f := range texts {
				n += f.At(limit)
			}
			return n
		}
		want, wantOK := int64(-1), false
		for limit := int64(0); limit <= top; limit++ {
			if sum(limit) <= budget {
				want, wantOK = limit, true
			}
		}
		got, ok := Level(texts, budget)
		if ok != wantOK || ok && got != want {
			t.Fatalf("%v in %d: %d %v, want %d %v", texts, budget, got, ok, want, wantOK)
		}
	}
}

func FuzzExcerpt(f *testing.F) {
	f.Add("One sentence. Another one! 第三句在这里。```\ncode\n```\nlast words", int64(9), uint8(1))
	f.Add(strings.Repeat("word ", 400), int64(60), uint8(0))
	f.Add("See this. data:image/png;base64,"+strings.Repeat("A", 70)+" and that. data:image/png;base64,"+strings.Repeat("B", 70)+" end.", int64(40), uint8(0))
	f.Add(strings.Repeat("👨‍👩‍👧", 100), int64(40), uint8(2))
	f.Fuzz(func(t *testing.T, s string, limit int64, n uint8) {
		if limit < 0 || limit > 1<<20 {
			t.Skip()
		}
		s, _ = text.RepairUTF8(s)
		best := text.Sentences(nil, s)
		if int(n) < len(best) {
			best = best[n:]
		}
		for p := range tokens.Count {
			out, spans, price := Excerpt(p.Payload, s, limit, best)
			if price > limit || p.Payload(out) != price {
				t.Fatalf("%d tokens of %d, counted %d: %q", price, limit, p.Payload(out), out)
			}
			if len(spans) == 0 && out != "" && out != "[… "+strconv.Itoa(len(s))+" bytes in all …]" || out == "" && len(spans) > 0 && s != "" {
				t.Fatalf("%q with spans %v", out, spans)
			}
			for i, sp := range spans {
				if sp.Start < 0 || sp.End > len(s) || sp.Start >= sp.End && len(s) > 0 || i > 0 && sp.Start < spans[i-1].End {
					t.Fatalf("spans %v of %d bytes", spans, len(s))
				}
				if !strings.Contains(out, s[sp.Start:sp.End]) {
					t.Fatalf("the excerpt %q lacks %q", out, s[sp.Start:sp.End])
				}
			}
		}
	})
}
