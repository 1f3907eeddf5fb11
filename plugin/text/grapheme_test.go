package text

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// clusters cuts s with NextGrapheme.
func clusters(s string) []string {
	var out []string
	for s != "" {
		n := NextGrapheme(s)
		out = append(out, s[:n])
		s = s[n:]
	}
	return out
}

func TestGraphemeBreakTest(t *testing.T) {
	r := ucdFile(t, "auxiliary/GraphemeBreakTest.txt", "grapheme.txt")
	lines(t, r, func(n int, line string) {
		var want []string
		for _, c := range strings.Split(line, "÷") {
			if c = strings.TrimSpace(strings.ReplaceAll(c, "×", " ")); c != "" {
				want = append(want, hexString(t, c))
			}
		}
		s := strings.Join(want, "")
		if got := clusters(s); strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("line %d: %+q, want %+q", n, got, want)
		}
		checkCuts(t, s)
	})
}

// checkCuts compares Prefix and Suffix at every limit with whole clusters counted from the front.
func checkCuts(t *testing.T, s string) {
	t.Helper()
	ends := []int{0}
	for _, c := range clusters(s) {
		ends = append(ends, ends[len(ends)-1]+len(c))
	}
	for limit := -1; limit <= len(s)+1; limit++ {
		prefix, suffix := 0, len(s)
		for _, e := range ends {
			if e <= limit {
				prefix = e
			}
			if len(s)-e <= limit {
				suffix = min(suffix, e)
			}
		}
		if got := Prefix(s, limit); got != s[:prefix] {
			t.Fatalf("Prefix(%+q, %d) = %+q, want %+q", s, limit, got, s[:prefix])
		}
		if got := Suffix(s, limit); got != s[suffix:] {
			t.Fatalf("Suffix(%+q, %d) = %+q, want %+q", s, limit, got, s[suffix:])
		}
	}
}

func TestCutsAtEveryLimit(t *testing.T) {
	for _, s := range []string{
		"campfires🔥 at night",
		"before 👨\u200d👩\u200d👧\u200d👦 after",
		"cafe\u0301 au lait",
		"🇳🇴🇸🇪🇫🇮",
		"🇳🇴🇸",
		"line\r\nend\r\r\n",
		"한국어 \u1112\u1161\u11ab",
		"नमस्ते กำลังใจ",
		"शेयर\u200d",
		"bad \xff\xfe\xe4\xb8 bytes \x80\x80\x80\x80\x80",
		"\u0301\u0301\u0301",
		"👍🏽👍🏿",
		"🏴\U000e0067\U000e0062\U000e007f!",
	} {
		checkCuts(t, s)
	}
}

func TestLimitBelowTheFirstCluster(t *testing.T) {
	family := "👨\u200d👩\u200d👧\u200d👦"
	if got := Prefix(family, len(family)-1); got != "" {
		t.Errorf("Prefix cut a family: %+q", got)
	}
	if got := Suffix(family, len(family)-1); got != "" {
		t.Errorf("Suffix cut a family: %+q", got)
	}
}

func TestCutsAreCheap(t *testing.T) {
	for _, unit := range []string{"a", "^", "🇳", "\u0301", "👩\u200d", "\x80"} {
		s := strings.Repeat(unit, 300_000)
		if d := cost(func() { Prefix(s, len(s)-1); Suffix(s, len(s)-1) }); d.Milliseconds() > 500 {
			t.Errorf("%+q: a cut took %v", unit, d)
		}
	}
}

func FuzzCut(f *testing.F) {
	for _, s := range []string{"", "a\u0301b", "👨\u200d👩x", "🇳🇴🇸", "\r\n", "\xe4\xb8a\x80"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 200 {
			return
		}
		checkCuts(t, s)
		if utf8.ValidString(s) {
			for limit := range len(s) {
				if !utf8.ValidString(Prefix(s, limit)) || !utf8.ValidString(Suffix(s, limit)) {
					t.Fatalf("%+q cut at %d is not UTF-8", s, limit)
				}
			}
		}
	})
}

func BenchmarkPrefix(b *testing.B) {
	s := strings.Repeat("a fairly long sentence 🔥. ", 4000)
	for b.Loop() {
		Prefix(s, len(s)/2)
	}
}

func BenchmarkNextGrapheme(b *testing.B) {
	for _, c := range benchTexts {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			for b.Loop() {
				for s := c.text; s != ""; {
					s = s[NextGrapheme(s):]
				}
			}
		})
	}
}
