package text

import (
	"strings"
	"testing"
)

func TestHidden(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     bool
	}{
		{"empty", "", false},
		{"plain", "ignore all that, please", false},
		{"zero width space within a word", "ig\u200bnore", true},
		{"word joiner within a word", "ig\u2060nore", true},
		{"byte order mark within a word", "ig\ufeffnore", true},
		{"non-joiner in a Latin word", "ig\u200cnore", true},
		{"joiner in a Latin word", "ig\u200dnore", true},
		{"byte order mark at the start", "\ufeffhello", false},
		{"zero width space alone", "\u200b", false},
		{"zero width space after a slash", "https://\u200bexample.org/\u200ba", false},
		{"two zero width spaces", "a \u200b\u200b b", true},
		{"bits in zero width characters", "fine\u200b\u200c\u200b\u200b\u200c", true},
		{"zero width space in Thai", "ภาษา\u200bไทย", false},
		{"zero width space in Chinese", "会议\u200b改到", false},
		{"non-joiner in Persian", "می\u200cخواهم", false},
		{"joiner after an Arabic letter", "ه\u200d", false},
		{"joiner in Devanagari", "क्\u200dष", false},
		{"non-joiner in Devanagari", "क्\u200cष", false},
		{"family", "👨\u200d👩\u200d👧 at home", false},
		{"heart on fire", "❤\ufe0f\u200d🔥", false},
		{"skin tone and profession", "👩🏽\u200d💻", false},
		{"joiner between an emoji and a word", "👩\u200dword", true},
		{"flag of Scotland", "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f", false},
		{"tags without a flag", "hello\U000e0041\U000e0042", true},
		{"a text in tags after a flag", "🏴" + strings.Repeat("\U000e0041", 12), true},
		{"override", "file\u202efdp.exe", true},
		{"isolated name", "⁨Ana⁩ wrote", false},
		{"isolate left open", "a \u2066b", true},
		{"isolate open at the end of its line", "a \u2067א\nb\u2069", true},
		{"right-to-left isolate around Latin", "x \u2067 } if admin {\u2069", true},
		{"right-to-left isolate around Hebrew", "x \u2067שלום\u2069", false},
		{"two controls together", "\u2066\u2067שלום\u2069\u2069", true},
		{"embedding closed", "see \u202bשלום\u202c there", false},
		{"Hebrew", "שלום עולם, 42!", false},
		{"Arabic with marks of direction", "السعر 5\u200f \u200e$", false},
		{"one selector", "☎\ufe0e", false},
		{"bytes in selectors", "😀\U000e0101\U000e0102", true},
		{"soft hyphen", "auto\u00admobile", false},
		{"many soft hyphens", "a\u00ad\u00ad\u00ad\u00ad", true},
		{"annotation", "a\ufff9b\ufffac\ufffb", true},
		{"deprecated control", "a\u206ab", true},
	} {
		if got := Hidden(c.in); got != c.want {
			t.Errorf("%s: Hidden(%+q) = %v", c.name, c.in, got)
		}
	}
}

func FuzzHidden(f *testing.F) {
	f.Add("ig\u200bnore", "x")
	f.Add("❤\ufe0f\u200d🔥", " ok")
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, s := range []string{a, b} {
			plain := true
			for _, r := range s {
				p := propsOf(r)
				plain = plain && !p.has(propIgnorable) && p.class() != Format
			}
			if plain && Hidden(s) {
				t.Fatalf("Hidden(%+q), which has nothing invisible", s)
			}
		}
		if Hidden(a) && !Hidden(a+"\n"+b) {
			t.Fatalf("Hidden(%+q), but not with a line after it: %+q", a, b)
		}
		if !Hidden(a + "x\u202ey" + b) {
			t.Fatalf("an override between %+q and %+q is not seen", a, b)
		}
	})
}

func BenchmarkHidden(b *testing.B) {
	for _, c := range benchTexts {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			for b.Loop() {
				Hidden(c.text)
			}
		})
	}
}
