package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/ctxplan/ctxplan/abi"
)

func TestColumns(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "abc": 3, "名前": 4, "ｈａ": 4, "한글": 4, "e\u0301": 1, "🔥": 2, "👨‍👩‍👧": 2, "👍🏽": 2, "❤️": 2, "می‌خواهم": 7, "…": 1, "a\u200db": 2, "、": 2,
	} {
		if got := columns(text); got != want {
			t.Errorf("columns(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  []string
	}{
		{"", 5, []string{""}},
		{"one two three", 7, []string{"one two", "three"}},
		{"one two", 7, []string{"one two"}},
		{"one  two", 3, []string{"one", "two"}},
		{"abcdefgh", 3, []string{"abc", "def", "gh"}},
		{"a bcdefgh", 3, []string{"a", "bcd", "efg", "h"}},
		{"你们好吗朋友", 5, []string{"你们", "好吗", "朋友"}},
		{"你们。好吗", 4, []string{"你", "们。", "好吗"}},
		{"ab你们cd", 4, []string{"ab你", "们cd"}},
		{"  x y", 3, []string{"  x", "y"}},
		{"one\n\ntwo", 9, []string{"one", "", "two"}},
		{"\tx", 9, []string{"  x"}},
		{"👨‍👩‍👧👨‍👩‍👧", 3, []string{"👨‍👩‍👧", "👨‍👩‍👧"}},
		{"你", 1, []string{"你"}},
	} {
		if got := wrap(c.text, c.width); !slices.Equal(got, c.want) {
			t.Errorf("wrap(%q, %d) = %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

// No word is lost, and no line is too wide, at any width.
func TestWrapLosesNothing(t *testing.T) {
	const text = "The fog came up at two。雾在两点来了，六点才走。 Nobody slept 👨‍👩‍👧 until-six-in-the-morning e\u0301te\u0301"
	strip := func(s string) string { return strings.Join(strings.Fields(s), "") }
	for width := 2; width < 90; width++ {
		lines := wrap(text, width)
		if strip(strings.Join(lines, " ")) != strip(text) {
			t.Fatalf("width %d lost something: %q", width, lines)
		}
		for _, l := range lines {
			if columns(l) > width {
				t.Errorf("width %d: %q has %d columns", width, l, columns(l))
			}
		}
	}
}

func TestSharesFillTheBar(t *testing.T) {
	for _, tokens := range [][]int64{{1}, {1, 1}, {1, 0, 1_000_000}, {3, 3, 3}, {5, 0, 0, 7, 1}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}} {
		parts := make([]account, len(tokens))
		for i, n := range tokens {
			parts[i].tokens = n
		}
		for _, width := range []int{11, 20, 38, 78, 158} {
			sum := 0
			for i, w := range shares(parts, width) {
				sum += w
				if (w > 0) != (tokens[i] > 0) {
					t.Errorf("%v in %d columns: part %d has %d", tokens, width, i, w)
				}
			}
			if sum != width {
				t.Errorf("%v in %d columns fill %d", tokens, width, sum)
			}
		}
	}
	if got := shares(make([]account, 3), 20); !slices.Equal(got, []int{0, 0, 0}) {
		t.Errorf("nothing at all: %v", got)
	}
}

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"plain\n\ttext": "plain\n\ttext", "a\x00b": "a␀b", "\x1b[1m": "␛[1m", "\x7f": "␡", "\u0085": "<U+0085>", "\u202ex": "<U+202E>x", "\u200b": "<U+200B>",
		"\U000e0041": "<U+E0041>", "می‌خواهم": "می‌خواهم", "👨‍👩‍👧": "👨‍👩‍👧", "\xff": "\ufffd", "名": "名",
	} {
		if got := printable(text); got != want {
			t.Errorf("printable(%q) = %q, want %q", text, got, want)
		}
	}
}

// Colours add nothing but colours.
func TestColours(t *testing.T) {
	p := &abi.Plan{Strategy: "auto", Budget: abi.Budget{Window: 100, History: 100, Used: abi.Used{Recent: 60}, Total: 60, Free: 40, Counting: "estimated", Profile: "generic"},
		Items:    []abi.Item{{Kind: abi.KindLive, ID: "a", Thread: threadID, Seq: 1, Role: "user", Text: "Hello.", Tokens: 60}},
		Warnings: []abi.Warning{{Code: abi.WarnHiddenChars, IDs: []string{"a"}}}}
	plain, coloured := &view{width: 60}, &view{width: 60, colour: true}
	plain.plan(p, "What?")
	coloured.plan(p, "What?")
	got := coloured.buffer.String()
	if !strings.Contains(got, cyan+"live"+plainly) {
		t.Errorf("no colour in\n%s", got)
	}
	for _, c := range []string{bold, grey, red, green, yellow, blue, magenta, cyan, plainly} {
		got = strings.ReplaceAll(got, c, "")
	}
	if got != plain.buffer.String() {
		t.Errorf("with colours:\n%s\nwithout:\n%s", got, plain.buffer.String())
	}
}

func TestGroup(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", -1000: "-1,000", -999: "-999", 1234567: "1,234,567", 9007199254740991: "9,007,199,254,740,991"} {
		if got := group(n); got != want {
			t.Errorf("group(%d) = %s, want %s", n, got, want)
		}
	}
}
