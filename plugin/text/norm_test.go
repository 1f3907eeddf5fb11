package text

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func nfkc(s string) string { return string(Normalize(nil, s)) }
func fold(s string) string { return string(Fold(nil, s)) }

func TestNormalizationTest(t *testing.T) {
	r := ucdFile(t, "NormalizationTest.txt.bz2", "normalization.txt")
	part := ""
	seen := map[rune]bool{}
	lines(t, r, func(n int, line string) {
		if strings.HasPrefix(line, "@") {
			part = line
			return
		}
		f := strings.Split(line, ";")
		want := hexString(t, f[3])
		for i, c := range f[:5] {
			if got := nfkc(hexString(t, c)); got != want {
				t.Errorf("line %d column %d: NFKC(%s) = %+q, want %+q", n, i+1, c, got, want)
			}
		}
		if part == "@Part1" {
			r, _ := utf8.DecodeRuneInString(hexString(t, f[0]))
			seen[r] = true
		}
	})
	// The file says that a character which it does not list by itself is its own normal form.
	if len(seen) > 10000 {
		for r := rune(0); r <= utf8.MaxRune; r++ {
			if s := string(r); !seen[r] && utf8.ValidRune(r) && nfkc(s) != s {
				t.Errorf("NFKC(%+q) = %+q, want no change", s, nfkc(s))
			}
		}
	}
}

func TestNormalize(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"empty", "", ""},
		{"ascii stays", "Straße? No: STREET", "Straße? No: STREET"},
		{"a mark composes with an ASCII letter", "Zu\u0308rich", "Zürich"},
		{"a mark at the start", "\u0308a", "\u0308a"},
		{"full-width letters", "ＰＤＦ", "PDF"},
		{"half-width kana with a voicing mark", "ﾊﾟｿｺﾝ", "パソコン"},
		{"jamo become syllables", "\u1112\u1161\u11ab", "한"},
		{"a syllable takes a tail", "하\u11ab", "한"},
		{"marks change places", "q\u0307\u0323", "q\u0323\u0307"},
		{"ligature", "ﬁnal", "final"},
		{"an ideograph of the compatibility block", "\uf900", "豈"},
		{"not UTF-8", "a\xffb\xe4\xb8", "a\ufffdb\ufffd\ufffd"},
	} {
		if got := nfkc(c.in); got != c.want {
			t.Errorf("%s: Normalize(%+q) = %+q, want %+q", c.name, c.in, got, c.want)
		}
	}
}

func TestFold(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"ascii", "ABC xyz 123", "abc xyz 123"},
		{"sharp s", "Straße", "strasse"},
		{"capital sharp s", "STRAẞE", "strasse"},
		{"final sigma", "ΟΔΥΣΣΕΥΣ", fold("οδυσσευς")},
		{"composed and decomposed", "ZÜRICH", fold("zu\u0308rich")},
		{"cyrillic", "МОСКВА", "москва"},
		{"dotted capital i", "İ", "i\u0307"},
		{"zero width space", "ig\u200bnore", "ignore"},
		{"soft hyphen before a mark", "e\u00ad\u0301", "é"},
		{"variation selector", "葛\U000e0100", "葛"},
		{"iota subscript as a mark out of order", "\u03b1\u0345\u0301", fold("\u03b1\u0301\u0345")},
		{"ligature in capitals", "ﬃ", "ffi"},
	} {
		if got := fold(c.in); got != c.want {
			t.Errorf("%s: Fold(%+q) = %+q, want %+q", c.name, c.in, got, c.want)
		}
	}
}

func TestAppendToWhatIsThere(t *testing.T) {
	dst := []byte("e")
	if got := string(Normalize(dst, "\u0301")); got != "e\u0301" {
		t.Errorf("Normalize touched what stood in dst: %+q", got)
	}
	if got := string(Fold([]byte("A"), "B")); got != "Ab" {
		t.Errorf("Fold touched what stood in dst: %+q", got)
	}
}

func TestNormalizeIsLinear(t *testing.T) {
	for _, unit := range []string{"\u0301\u0323", "a\u0301", "\u1100", "\u200b"} {
		small, large := strings.Repeat(unit, 10_000), strings.Repeat(unit, 100_000)
		a, b := cost(func() { Fold(nil, small) }), cost(func() { Fold(nil, large) })
		if b > 40*a && b > 50*time.Millisecond {
			t.Errorf("%+q: ten times the text took %v against %v", unit, b, a)
		}
	}
}

// cost is the shortest of some runs.
func cost(f func()) time.Duration {
	best := time.Hour
	for range 5 {
		start := time.Now()
		f()
		best = min(best, time.Since(start))
	}
	return best
}

func FuzzNormalize(f *testing.F) {
	for _, s := range []string{"", "Zu\u0308rich", "ﾊﾟ", "\u1100\u1161\u11a8", "a\u0323\u0307\u200b\u0301", "ẞİ\u0345", "\xff\u0301", "가\u11a8\u11a8"} {
		f.Add(s)
	}
	f.Fuzz(checkNormalize)
}

// checkNormalize holds the promises of Normalize and Fold.
func checkNormalize(t *testing.T, s string) {
	t.Helper()
	n := nfkc(s)
	if !utf8.ValidString(n) {
		t.Fatalf("NFKC(%+q) = %+q is not UTF-8", s, n)
	}
	if again := nfkc(n); again != n {
		t.Fatalf("NFKC of %+q changes: %+q", n, again)
	}
	if twin := naive(s, false); n != twin {
		t.Fatalf("NFKC(%+q) = %+q, by the definition %+q", s, n, twin)
	}
	c := fold(s)
	if again := fold(c); again != c {
		t.Fatalf("fold of %+q changes: %+q", c, again)
	}
	if nfkc(c) != c {
		t.Fatalf("fold %+q of %+q is not in NFKC", c, s)
	}
	if utf8.ValidString(s) && fold(n) != c {
		t.Fatalf("fold of %+q is %+q, of its normal form %+q", s, c, fold(n))
	}
	if twin := naive(s, true); c != twin {
		t.Fatalf("fold(%+q) = %+q, by the definition %+q", s, c, twin)
	}
}

// naive normalises the whole text at once, without segments.
func naive(s string, folding bool) string {
	var out []byte
	var us []unit
	for _, r := range s {
		head := normHead(r)
		if normTargets[head]&255 == 0 || normInfo[head]&infoFold != 0 {
			us = append(us, unitOf(r))
			continue
		}
		for _, d := range mappingAt(head) {
			us = append(us, unitOf(d))
		}
	}
	insertionSortRuns(us)
	if folding {
		var next []unit
		for _, u := range us {
			if head := normHead(u.r); normInfo[head]&infoFold == 0 {
				next = append(next, u)
			} else {
				for _, d := range mappingAt(head) {
					next = append(next, unitOf(d))
				}
			}
		}
		insertionSortRuns(next)
		us = next
	}
	for _, u := range compose(us) {
		out = utf8.AppendRune(out, u.r)
	}
	return string(out)
}

func insertionSortRuns(us []unit) {
	for i := 1; i < len(us); i++ {
		for j := i; j > 0 && us[j].ccc != 0 && us[j-1].ccc > us[j].ccc; j-- {
			us[j], us[j-1] = us[j-1], us[j]
		}
	}
}

func BenchmarkNormalize(b *testing.B) {
	for _, c := range benchTexts {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(c.text)))
			var dst []byte
			for b.Loop() {
				dst = Normalize(dst[:0], c.text)
			}
		})
	}
}
