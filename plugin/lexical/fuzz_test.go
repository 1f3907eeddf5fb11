package lexical

import (
	"slices"
	"strings"
	"testing"
)

// FuzzSearch makes a thread of the lines of a text, which say "speaker|words" or just words, hides those whose bit is set,
// and compares with the naive twin bit for bit.
func FuzzSearch(f *testing.F) {
	f.Add("Ana|the cellar key\nBo|hangs behind the boiler\n\nthe key, again", "where is Ana's key", uint64(0))
	f.Add("数据库\n我们选择了数据库PostgreSQL\n会", "会", uint64(1))
	f.Add("suport\nsupport|support support", "suppport of the and", uint64(2))
	f.Add("a|x\xff\nB\u200Bo|e\u0301\n\x00", "x e\u0301 5月 May", uint64(4))
	f.Fuzz(func(t *testing.T, lines, question string, hidden uint64) {
		if len(lines) > 600 || len(question) > 120 {
			return
		}
		x := New()
		var seen []Doc
		var numbers []int
		visible := NewBitmap(64)
		for i, line := range strings.Split(lines, "\n") {
			if i == 24 {
				break
			}
			d := Doc{Session: int32(i / 5), Run: int32(i / 2), Year: 2023, Month: 1 + i%12, Day: 1 + i}
			name, words, ok := strings.Cut(line, "|")
			if d.Text = name; ok {
				d.Speaker, d.Text = name, words
			}
			x.Add(d)
			if hidden>>i&1 == 0 {
				visible.Set(i)
				if len(naiveTerms(d.Text)) > 0 {
					seen = append(seen, d)
					numbers = append(numbers, i)
				}
			}
		}
		q := Compile(question)
		var s Searcher
		got := s.Search(q, []*Index{x}, []Bitmap{visible}, 0)
		want, evidence := newNaive([][]Doc{seen}).search(q)
		for i := range want {
			want[i].Doc = numbers[want[i].Doc]
		}
		if !slices.Equal(got.Hits, want) || got.Evidence != evidence {
			t.Fatalf("got %s %v\nwant %s %v", show(got.Hits), got.Evidence, show(want), evidence)
		}
		for _, h := range got.Hits {
			if !(h.Score > 0) || h.Score > 20 {
				t.Fatalf("score %g", h.Score)
			}
		}
		for _, b := range got.BestSentences(question + lines) {
			if b.Start < 0 || b.End <= b.Start || b.End > len(question)+len(lines) || !(b.Score > 0) {
				t.Fatalf("sentence %+v", b)
			}
		}
	})
}
