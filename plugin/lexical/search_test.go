package lexical

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"
)

// vocabulary of random talks: words that share stems, near ones, function words, numbers, other scripts, symbols.
var vocabulary = strings.Fields(`tea coffee green garden gardens gardening boiler boilers cellar key keys piano pianos tuner
tuning surf surfing surfer surfs the of and a to in it is was they who when where not very piano's don't May march 8 2023 12 April
Ana Bo Caroline carolin suport support group groups v2 node.js C++ 3.5 Zürich STRASSE 数据库 我们选择了 钥匙 地下室 在哪里 5月8日 去年 会议 会 的了
東京に 서울로 ice-cream cello celo yesterday week 9th ok`)

func randomText(r *rand.Rand, n int) string {
	var b strings.Builder
	for range n {
		// Low numbers are common, as words are.
		b.WriteString(vocabulary[int(float64(len(vocabulary))*math.Pow(r.Float64(), 1.7))])
		b.WriteString([]string{" ", " ", " ", " ", ", ", ". ", "? ", "\n", "。", ""}[r.Intn(10)])
	}
	return b.String()
}

func randomThread(r *rand.Rand, n int) []Doc {
	speakers := []string{"", "Ana", "Bo Tuner", "Caroline", "张曼婷", "Will May", "Ana B."}[:1+r.Intn(7)]
	var docs []Doc
	session, run := int32(0), int32(0)
	day := 1
	for i := range n {
		if r.Intn(7) == 0 {
			session++
			day = 1 + r.Intn(28)
		}
		if r.Intn(3) > 0 {
			run++
		}
		d := Doc{Text: randomText(r, r.Intn(14)), Speaker: speakers[r.Intn(len(speakers))], Session: session, Run: run}
		if r.Intn(4) > 0 {
			d.Year, d.Month, d.Day = 2022+r.Intn(2), 3+r.Intn(3), day
		}
		if i > 0 && r.Intn(9) == 0 {
			d.Text = docs[r.Intn(i)].Text
		}
		docs = append(docs, d)
	}
	return docs
}

func randomQuestion(r *rand.Rand) string {
	q := randomText(r, 1+r.Intn(8))
	switch r.Intn(8) {
	case 0:
		q = "When did Ana " + q
	case 1:
		q = "what was it on 8 May 2023? " + q
	case 2:
		q = "5月8日" + q + "什么时候"
	case 3:
		q = "会"
	case 4:
		q = "who was they"
	}
	return q
}

// TestSearchAgreesWithTheFormula compares every score, bit for bit, with the naive twin that is given the visible
// messages alone. So it also shows that hidden and removed messages leave no trace.
func TestSearchAgreesWithTheFormula(t *testing.T) {
	var s Searcher
	for seed := range int64(150) {
		r := rand.New(rand.NewSource(seed))
		var xs []*Index
		var visible []Bitmap
		var seen [][]Doc
		var numbers [][2]int
		for range 1 + r.Intn(3) {
			docs := randomThread(r, r.Intn(40))
			x := New()
			for _, d := range docs {
				x.Add(d)
			}
			b := NewBitmap(len(docs))
			var see []Doc
			hide, remove := r.Intn(3), r.Intn(3)
			for i, d := range docs {
				switch {
				case remove > 0 && r.Intn(4) == 0:
					if !x.Remove(i, d) {
						t.Fatalf("seed %d: message %d was not removed", seed, i)
					}
					b.Set(i)
				case hide > 0 && r.Intn(3) == 0:
				case len(naiveTerms(d.Text)) == 0:
					b.Set(i)
				default:
					b.Set(i)
					see = append(see, d)
					numbers = append(numbers, [2]int{len(xs), i})
				}
			}
			xs, visible, seen = append(xs, x), append(visible, b), append(seen, see)
		}
		all := visible
		if r.Intn(2) == 0 && everything(xs, seen) {
			all = nil
		}
		twin := newNaive(seen)
		if s.floor = 0; r.Intn(2) == 0 {
			s.floor = 1 + r.Intn(60)
			twin.floor = s.floor
		}
		for range 4 {
			text := randomQuestion(r)
			q := Compile(text)
			want, evidence := twin.search(q)
			got := s.Search(q, xs, all, 0)
			for i := range want {
				want[i].Thread, want[i].Doc = numbers[want[i].Doc][0], numbers[want[i].Doc][1]
			}
			if !slices.Equal(got.Hits, want) {
				t.Fatalf("seed %d, question %q:\n got %s\nwant %s", seed, text, show(got.Hits), show(want))
			}
			if got.Evidence != evidence {
				t.Fatalf("seed %d, question %q: evidence %v, want %v", seed, text, got.Evidence, evidence)
			}
			if limit := 1 + r.Intn(5); len(want) > limit {
				if top := s.Search(q, xs, all, limit); !slices.Equal(top.Hits, want[:limit]) {
					t.Fatalf("seed %d, question %q: the best %d are not the first %d", seed, text, limit, limit)
				}
			}
		}
	}
}

func everything(xs []*Index, seen [][]Doc) bool {
	for i, x := range xs {
		if x.Live() != len(seen[i]) {
			return false
		}
	}
	return true
}

func show(hits []Hit) string {
	var b strings.Builder
	for _, h := range hits {
		fmt.Fprintf(&b, "\n  %d/%d %.17g A %.17g W %.17g S %.17g P %.17g x%g", h.Thread, h.Doc, h.Score, h.Run, h.Context, h.Sentence, h.Session, h.Boost)
	}
	return b.String()
}

// golden is the hash of all scores of TestScoresAreTheSameEverywhere. It changes only when the ranking is meant to.
const golden uint64 = 0x5279c4ec33d3ca25

// TestScoresAreTheSameEverywhere holds the bits of scores fast, so that a machine or build on which they differ is found.
func TestScoresAreTheSameEverywhere(t *testing.T) {
	hash := uint64(14695981039346656037)
	add := func(x uint64) {
		for range 8 {
			hash = (hash ^ x&0xff) * 1099511628211
			x >>= 8
		}
	}
	var s Searcher
	hits := 0
	docs := talkOf(400)
	x := New()
	for _, d := range docs {
		x.Add(d)
	}
	for _, q := range questionsOf(docs, 40) {
		for _, h := range s.Search(Compile(q+" in May 2024"), []*Index{x}, nil, 0).Hits {
			add(uint64(h.Doc))
			for _, f := range []float64{h.Score, h.Run, h.Context, h.Sentence, h.Session} {
				add(math.Float64bits(f))
			}
			hits++
		}
	}
	if hash != golden {
		t.Errorf("hash of %d hits is %#x, want %#x", hits, hash, golden)
	}
}
