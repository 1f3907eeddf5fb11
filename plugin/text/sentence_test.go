package text

import (
	"strings"
	"testing"
)

func sentences(s string) []string {
	var out []string
	for _, sp := range Sentences(nil, s) {
		out = append(out, s[sp.Start:sp.End])
	}
	return out
}

func TestSentences(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"empty", "", nil},
		{"white space", " \n\t\u3000\n", nil},
		{"one without an end", "no end here", []string{"no end here"}},
		{"three ends", "One. Two! Three? four", []string{"One.", "Two!", "Three?", "four"}},
		{"several marks", "What?! No... Really!!", []string{"What?!", "No...", "Really!!"}},
		{"dots that go on", "wait... there is more… and more. End", []string{"wait... there is more… and more.", "End"}},
		{"lower case after a full stop", "i went home. it rained.", []string{"i went home.", "it rained."}},
		{"quotes and brackets close", "He said \"Stop.\" (Really.) Then left.", []string{"He said \"Stop.\"", "(Really.)", "Then left."}},
		{"bold", "**Done.** Next", []string{"**Done.**", "Next"}},
		{"lines", "a list\n- one\n- two\r\nend", []string{"a list", "- one", "- two", "end"}},
		{"titles", "Dr. Holm met Mrs. Lind. They left.", []string{"Dr. Holm met Mrs. Lind.", "They left."}},
		{"for example", "Fruit, e.g. apples, i.e. food. Bread, etc. is here, etc. Yes.", []string{"Fruit, e.g. apples, i.e. food.", "Bread, etc. is here, etc.", "Yes."}},
		{"initials", "George W. Bush and J. K. Rowling. Take vitamin C. It helps.", []string{"George W. Bush and J. K. Rowling.", "Take vitamin C.", "It helps."}},
		{"pronoun I", "So do I. We agree.", []string{"So do I.", "We agree."}},
		{"numbers", "It costs 3.50 or 1.000 now. See No. 5, p. 12 and Fig. 3. No. Never.", []string{"It costs 3.50 or 1.000 now.", "See No. 5, p. 12 and Fig. 3.", "No.", "Never."}},
		{"dates", "From Jan. 5 to Fri. 9. He sat. Then", []string{"From Jan. 5 to Fri. 9.", "He sat.", "Then"}},
		{"times", "At 5 p.m. we met. At 6 p.m. We left.", []string{"At 5 p.m. we met.", "At 6 p.m.", "We left."}},
		{"files and addresses", "Open main.go, .env and https://ex.org/a?b=c!d now. Ask a.b@ex.org.", []string{"Open main.go, .env and https://ex.org/a?b=c!d now.", "Ask a.b@ex.org."}},
		{"numbered items", "1. Buy milk. 2. Sleep\na. left", []string{"1. Buy milk.", "2. Sleep", "a. left"}},
		{"chinese", "今天下雨。明天呢？好！他说：“走吧。”然后；走了", []string{"今天下雨。", "明天呢？", "好！", "他说：“走吧。”", "然后；", "走了"}},
		{"ascii marks in chinese", "好的.再见!你呢?版本3.中", []string{"好的.", "再见!", "你呢?", "版本3.中"}},
		{"dots in chinese", "我想……算了。走", []string{"我想……", "算了。", "走"}},
		{"hindi, arabic, urdu", "यह है। वह था। ما هذا؟ نعم یہ ہے۔ ہاں", []string{"यह है।", "वह था।", "ما هذا؟", "نعم یہ ہے۔", "ہاں"}},
		{"a mark on a full stop", "あ。\u0301い。", []string{"あ。\u0301い。"}},
		{"code", "See: a b\n```go\nx := 1. + y\n\n  return x. z\n```\nDone. Yes.",
			[]string{"See: a b", "```go", "x := 1. + y", "return x. z", "```", "Done.", "Yes."}},
		{"a line that only looks like a closing fence", "```\na. b\n``` x\nc. d\n```\ne. f", []string{"```", "a. b", "``` x", "c. d", "```", "e. f"}},
		{"tildes and four backticks", "~~~\na. b\n```\nc. d\n~~~\n````\ne. f\n```\n````\ng. h",
			[]string{"~~~", "a. b", "```", "c. d", "~~~", "````", "e. f", "```", "````", "g. h"}},
		{"inline code is no fence", "```x``` is code. And more.", []string{"```x``` is code.", "And more."}},
		{"quoted code ends with the quotation", "> ```\n> a. b\n\nc. D", []string{"> ```", "> a. b", "c. D"}},
		{"code in a list", "1. run\n    ```sh\n    a. b\n    ```\n2. Then. Stop", []string{"1. run", "```sh", "a. b", "```", "2. Then.", "Stop"}},
	} {
		got := sentences(c.in)
		if strings.Join(got, "|") != strings.Join(c.want, "|") {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

func TestLongSentencesAreCut(t *testing.T) {
	for _, c := range []struct {
		name, unit string
		most       int
	}{
		{"letters", "a", MaxSentence},
		{"words", "some words, ", MaxSentence},
		{"ideographs", "雨", MaxSentence},
		{"emoji", "👨\u200d👩\u200d👧", MaxSentence},
		{"one cluster", "\u0301", 1 << 20},
	} {
		s := strings.Repeat(c.unit, 20_000/len(c.unit))
		checkSentences(t, s)
		for _, sp := range Sentences(nil, s) {
			if sp.Len() > c.most {
				t.Errorf("%s: a sentence of %d bytes", c.name, sp.Len())
			}
			if !border(s, sp.Start) || !border(s, sp.End) {
				t.Errorf("%s: %v cuts a grapheme cluster", c.name, sp)
			}
		}
	}
	words := sentences(strings.Repeat("some words, ", 200))
	if !strings.HasSuffix(words[0], "words,") {
		t.Errorf("cut within a word: %q", words[0][len(words[0])-20:])
	}
}

func TestSentencesAreLinear(t *testing.T) {
	for _, unit := range []string{"a", "^", ".", "a. ", "`", "```\n", "~~~ x\n", ". ", "。", "\u0301", "🇳", "A. ", "1. ", "\x80", "\"", "…", " ", "e.g. "} {
		n := 100_000
		if unit == "a" || unit == "^" {
			n = 1_000_000
		}
		text := strings.Repeat(unit, n)
		small := text[:len(text)/10]
		a, b := cost(func() { Sentences(nil, small) }), cost(func() { Sentences(nil, text) })
		if b > 15*a && b.Milliseconds() > 200 {
			t.Errorf("%q: ten times the text took %v against %v", unit, b, a)
		}
	}
}

// checkSentences holds the promises of Sentences.
func checkSentences(t *testing.T, s string) {
	t.Helper()
	at := 0
	for _, sp := range Sentences(nil, s) {
		if sp.Start < at || sp.End <= sp.Start || sp.End > len(s) {
			t.Fatalf("%+q: span %v after %d", s, sp, at)
		}
		if a, b := trim(s, at, sp.Start); a < b {
			t.Fatalf("%+q: %+q is in no sentence", s, s[a:b])
		}
		if a, b := trim(s, sp.Start, sp.End); a != sp.Start || b != sp.End {
			t.Fatalf("%+q: sentence %+q is not trimmed", s, s[sp.Start:sp.End])
		}
		if strings.ContainsAny(s[sp.Start:sp.End], "\n") {
			t.Fatalf("%+q: a line ends within %+q", s, s[sp.Start:sp.End])
		}
		at = sp.End
	}
	if a, b := trim(s, at, len(s)); a < b {
		t.Fatalf("%+q: %+q is in no sentence", s, s[a:b])
	}
}

func FuzzSentences(f *testing.F) {
	for _, s := range []string{"", "One. Two! 3.5? e.g. x", "今天。明天", "```go\na. b\n```\nc", "> ~~~\n> x\ny", strings.Repeat("a", 1200), "\xff. \x80"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { checkSentences(t, s) })
}
