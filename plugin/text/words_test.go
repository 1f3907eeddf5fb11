package text

import (
	"strings"
	"testing"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

func TestFunctionWords(t *testing.T) {
	for _, w := range strings.Fields("the of and to don't isn't what who has they because") {
		if !FunctionWord([]byte(w)) {
			t.Errorf("%q is a function word", w)
		}
	}
	for _, w := range strings.Fields("key cellar friday new work never allergic first two 的 The") {
		if FunctionWord([]byte(w)) {
			t.Errorf("%q is no function word", w)
		}
	}
	questions := "what who when where which why how do does did is are was were has have had"
	for w := range functionWords {
		want := strings.Contains(" "+questions+" ", " "+w+" ")
		if QuestionWord([]byte(w)) != want {
			t.Errorf("QuestionWord(%q) = %v", w, !want)
		}
		// A list entry that the scanner never gives would do nothing.
		if got := terms(w); got != w {
			t.Errorf("%q scans as %q", w, got)
		}
	}
	if FunctionWord(nil) || QuestionWord([]byte("")) {
		t.Error("the empty term is no word")
	}
}

func TestParticles(t *testing.T) {
	for _, c := range []struct {
		gram      string
		count, of int
	}{{"的了", 2, 2}, {"我家", 1, 2}, {"钥匙", 0, 2}, {"吗", 1, 1}, {"", 0, 0}} {
		if n, of := ParticleShare([]byte(c.gram)); n != c.count || of != c.of {
			t.Errorf("ParticleShare(%q) = %d, %d", c.gram, n, of)
		}
	}
}

func TestStem(t *testing.T) {
	for _, c := range []struct {
		lang     Lang
		in, want string
	}{
		{English, "running", "run"},
		{English, "activities", "activ"},
		{English, "renovated", "renov"},
		{English, "don't", "don't"},
		{English, "is", "is"},
		{English, "v2", "v2"},
		{English, "node.js", "node.js"},
		{English, "zürich", "zürich"},
		{English, "数据", "数据"},
		{English, "", ""},
		{None, "running", "running"},
	} {
		if got := string(Stem(nil, c.lang, []byte(c.in))); got != c.want {
			t.Errorf("Stem(%d, %q) = %q, want %q", c.lang, c.in, got, c.want)
		}
	}
	if got := string(Stem([]byte("x "), English, []byte("keys"))); got != "x key" {
		t.Errorf("Stem does not append: %q", got)
	}
}

func FuzzStem(f *testing.F) {
	for _, w := range strings.Fields("running happily yes'd y s's sses aaaaaaa communism arsenal skies") {
		f.Add(w)
	}
	f.Fuzz(func(t *testing.T, w string) {
		got := string(Stem(nil, English, []byte(w)))
		if got == w {
			return
		}
		env := snowballstem.NewEnv(w)
		english.Stem(env)
		if got != env.Current() {
			t.Fatalf("Stem(%q) = %q, Snowball says %q", w, got, env.Current())
		}
		if len(got) > len(w)+1 {
			t.Fatalf("Stem(%q) = %q grows", w, got)
		}
	})
}

func BenchmarkStem(b *testing.B) {
	words := strings.Fields("renovation yesterday hinges everything running caretaker")
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		for _, w := range words {
			dst = Stem(dst[:0], English, []byte(w))
		}
	}
}
