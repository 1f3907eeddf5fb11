package text

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// find gives the span of each part within s.
func find(t *testing.T, s string, parts ...string) []Span {
	t.Helper()
	var out []Span
	for _, p := range parts {
		i := strings.Index(s, p)
		if i < 0 {
			t.Fatalf("%q is not in the text", p)
		}
		out = append(out, Span{i, i + len(p)})
	}
	return out
}

const letter = "The lease ends in May. Rent is due on the first. The cellar is shared by three flats.\n" +
	"Bins go out on Tuesday. The boiler was checked in March. Its report hangs in the hall.\n" +
	"Keys are with the caretaker. He lives at number nine. Ring twice, he is deaf."

const program = "Here is the script, as you asked for it on Monday.\n\n" +
	"```go\nfunc main() {\n\tfirst := load()\n\tsecond := parse(first)\n\tthird := check(second)\n\tstore(third)\n}\n```\n\n" +
	"It runs for about a minute on the old machine. Tell me how it goes."

func TestExcerpt(t *testing.T) {
	for _, c := range []struct {
		name, in string
		limit    int
		best     []string
		want     string
	}{
		{"empty", "", 10, nil, ""},
		{"fits", "short. text", 11, nil, "short. text"},
		{"fits with white space around it", " a \n", 4, nil, " a \n"},
		{"no room for a mark and text", letter, 26, nil, ""},
		{"limit zero", letter, 0, nil, ""},
		{"limit below zero", letter, -5, nil, ""},
		{"head and tail", letter, 124, nil,
			"The lease ends in May. Rent is due on the first.\n[… 250 bytes in all …]\nHe lives at number nine. Ring twice, he is deaf."},
		{"a best sentence with its neighbours", letter, 140, []string{"The boiler was checked"},
			"[… 250 bytes in all …]\nBins go out on Tuesday. The boiler was checked in March. Its report hangs in the hall.\n[…]"},
		{"a best sentence alone", letter, 66, []string{"The boiler was checked"},
			"[… 250 bytes in all …]\nThe boiler was checked in March.\n[…]"},
		{"what does not fit is skipped", letter, 87, []string{"He lives", "The cellar is shared by three flats.", "Bins"},
			"[… 250 bytes in all …]\nBins go out on Tuesday.\n[…]\nHe lives at number nine.\n[…]"},
		{"order of the text, not of worth", letter, 112, []string{"Keys are", "Rent"},
			"The lease ends in May. Rent is due on the first.\n[… 250 bytes in all …]\nKeys are with the caretaker.\n[…]"},
		{"within a fenced block", program, 90, []string{"second :="},
			"[… 225 bytes in all …]\n```go\n\tsecond := parse(first)\n\tthird := check(second)\n```\n[…]"},
		{"first line of a block takes the fence", program, 90, []string{"func main"},
			"[… 225 bytes in all …]\n```go\nfunc main() {\n\tfirst := load()\n```\n[…]"},
		{"last line of a block takes the fence", program, 80, []string{"store(third)"},
			"[… 225 bytes in all …]\n```go\n\tstore(third)\n}\n```\n[…]"},
		{"two parts of one block", program, 110, []string{"first :=", "store(third)\n}"},
			"[… 225 bytes in all …]\n```go\nfunc main() {\n\tfirst := load()\n```\n[…]\n```go\n\tstore(third)\n}\n```\n[…]"},
		{"one long word", strings.Repeat("abcdefghij", 20), 100, nil,
			strings.Repeat("abcdefghij", 20)[:32] + "\n[… 200 bytes in all …]\n" + strings.Repeat("abcdefghij", 20)[200-40:]},
	} {
		got, spans := Excerpt(c.in, c.limit, find(t, c.in, c.best...))
		if got != c.want {
			t.Errorf("%s (%d of %d bytes):\n got %q\nwant %q", c.name, len(got), c.limit, got, c.want)
		}
		if (got == "") != (spans == nil) {
			t.Errorf("%s: %q has spans %v", c.name, got, spans)
		}
	}
}

func TestExcerptOfCodeAtEveryLimit(t *testing.T) {
	fill := "Some words before the block, and a few more of them.\n"
	for _, c := range []struct{ name, text string }{
		{"backticks", fill + "```\nalpha\nbeta\n``` x\ngamma\n```\n" + fill},
		{"tildes", fill + "~~~ text\nalpha\n```\nbeta\n~~~\n" + fill},
		{"four backticks", fill + "````md\nalpha\n```\nbeta\n```\ngamma\n````\n" + fill},
		{"left open", fill + "```\nalpha\nbeta\ngamma\ndelta epsilon zeta"},
		{"in a list", "1. first\n   ```sh\n   alpha\n   beta\n   ```\n2. second. third\n" + fill},
		{"in a quotation", "> ```\n> alpha\n> beta\n> ```\n> words. more\n" + fill},
		{"inline at the start of a line", fill + "``` a. b ``` and. more words. here\n" + fill},
		{"fence in the middle of a line", fill + "so. ``` opens. a block? ~~~ does too\n" + fill},
		{"long information", fill + "```" + strings.Repeat("x", 60) + "\nalpha\nbeta\n```\n" + fill},
		{"a number before a run", fill + "so it was. 1231. ```x and more of it here\n" + fill},
		{"runs within code", fill + "```\n" + strings.Repeat("alpha ````` beta ", 12) + "\n````` gamma\n```\n" + fill},
		{"empty block", fill + "```\n```\n" + fill + "~~~\n\n~~~\n" + fill},
	} {
		all := Sentences(nil, c.text)
		for limit := 0; limit <= len(c.text); limit++ {
			checkExcerpt(t, c.text, limit, nil)
			for i := range all {
				checkExcerpt(t, c.text, limit, all[i:i+1])
				checkExcerpt(t, c.text, limit, []Span{all[i], all[len(all)/2], all[0]})
			}
		}
	}
}

// checkExcerpt holds the promises of Excerpt.
func checkExcerpt(t *testing.T, s string, limit int, best []Span) {
	t.Helper()
	out, spans := Excerpt(s, limit, best)
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("Excerpt(%+q, %d, %v) = %+q, %v: %s", s, limit, best, out, spans, fmt.Sprintf(format, args...))
	}
	if len(out) > max(limit, 0) {
		fail("%d bytes", len(out))
	}
	if (out == "") != (len(spans) == 0) {
		fail("text and spans disagree")
	}
	if out == s {
		return
	}
	if utf8.ValidString(s) && !utf8.ValidString(out) {
		fail("not UTF-8")
	}
	at, rest := 0, out
	for _, sp := range spans {
		if sp.Start < at || sp.End <= sp.Start || sp.End > len(s) {
			fail("span %v after %d", sp, at)
		}
		i := strings.Index(rest, s[sp.Start:sp.End])
		if i < 0 {
			fail("span %v is not in it", sp)
		}
		for _, p := range []int{sp.Start, sp.End} {
			if !border(s, p) {
				fail("%d is within a grapheme cluster", p)
			}
		}
		rest = rest[i+sp.Len():]
		at = sp.End
	}
	if out != "" {
		begin, end := trim(s, 0, len(s))
		whole := len(spans) == 1 && spans[0].Start <= begin && spans[0].End >= end
		if !whole && !strings.Contains(out, fmt.Sprintf("[… %d bytes in all …]", len(s))) {
			fail("no mark")
		}
	}
	var f fence
	for line := range strings.SplitSeq(out, "\n") {
		f.next(line)
	}
	if f.open {
		fail("a fence is left open")
	}
}

func TestExcerptIsLinear(t *testing.T) {
	for _, unit := range []string{"a", "some words. ", "```\nx\n", "``` ", "\u0301"} {
		text := strings.Repeat(unit, 100_000)
		small := text[:len(text)/10]
		for _, limit := range []int{100, 5000} {
			best := []Span{{len(small) / 2, len(small)/2 + 10}}
			a, b := cost(func() { Excerpt(small, limit, best) }), cost(func() { Excerpt(text, limit, best) })
			if b > 15*a && b.Milliseconds() > 300 {
				t.Errorf("%q: ten times the text took %v against %v", unit, b, a)
			}
		}
	}
}

func FuzzExcerpt(f *testing.F) {
	f.Add(letter, 90, 30, 150)
	f.Add(program, 110, 70, 160)
	f.Add("> ```\n> a\n> b\n> ```\nwords. more words", 33, 9, 0)
	f.Add(strings.Repeat("👨\u200d👩\u200d👧", 20), 70, 30, 90)
	f.Add("x. ``` y. ~~~ z `` w ```\n```a\nb\n", 31, 2, 20)
	f.Fuzz(func(t *testing.T, s string, limit, a, b int) {
		if len(s) > 2000 || limit > 2000 {
			return
		}
		checkExcerpt(t, s, limit, nil)
		all := Sentences(nil, s)
		if len(all) == 0 || a < 0 || b < 0 {
			return
		}
		checkExcerpt(t, s, limit, []Span{all[a%len(all)], all[b%len(all)]})
		checkExcerpt(t, s, limit, []Span{{a % len(s), min(len(s), a%len(s)+b%20)}})
	})
}

func BenchmarkExcerpt(b *testing.B) {
	s := strings.Repeat(letter+"\n", 16)
	best := Sentences(nil, s)[20:24]
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	for b.Loop() {
		Excerpt(s, 1600, best)
	}
}
