package wire

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// decode reads one value with options that don't matter for it.
func decode[T any](doc string, read func(*Decoder) T) (v T, d Decoder, err error) {
	err = d.DecodeFunc([]byte(doc), func(d *Decoder) { v = read(d) })
	return v, d, err
}

func TestStringsAgreeWithStandard(t *testing.T) {
	docs := append([]string(nil), hostile...)
	for _, pad := range []string{"", "a", "1234567", "12345678", "é", strings.Repeat("x", 30)} {
		for _, middle := range []string{``, `\n`, `\u00e9`, `\ud83d\ude00`, `\ud83d`, `\ude00`, `\ud83d\u0041`, `\ud83d\ud83d\ude00`, `\/`, `\u0000`, "明", "\U0001F600", "\x1f", "\xff", `"`, `\`} {
			docs = append(docs, `"`+pad+middle+pad+`"`)
		}
	}
	for _, doc := range docs {
		got, _, err := decode(doc, (*Decoder).String)
		var want string
		ok := json.Unmarshal([]byte(doc), &want) == nil && utf8.ValidString(doc) && strings.TrimSpace(doc)[0] == '"'
		if (err == nil) != ok || got != want && ok {
			t.Errorf("%.100q: got %.100q and %v, want %.100q and success %v", doc, got, err, want, ok)
		}
	}
}

func TestStringsAreWrittenWithFewEscapes(t *testing.T) {
	for in, want := range map[string]string{
		"":                            `""`,
		"plain":                       `"plain"`,
		"<a href='x'>&</a>":           `"<a href='x'>&</a>"`,
		"\"\\/\b\f\n\r\t":             `"\"\\/\b\f\n\r\t"`,
		"\x00\x01\x0b\x1f\x7f":        `"\u0000\u0001\u000b\u001f` + "\x7f\"",
		"\u2028\u2029\uFEFF\uFFFD":    "\"\u2028\u2029\uFEFF\uFFFD\"",
		"a\xffb\xe6\x98c\xed\xa0\x80": "\"a\uFFFDb\uFFFD\uFFFDc\uFFFD\uFFFD\uFFFD\"",
		"12345678\n明日\"x":             `"12345678\n明日\"x"`,
	} {
		if got := string(AppendString([]byte("<"), in)); got != "<"+want {
			t.Errorf("%q: wrote %s, want %s", in, got[1:], want)
		}
	}
}

func FuzzStrings(f *testing.F) {
	for _, s := range []string{"", "plain text", "é\n明日\"", "\xff\x00\\u0041", strings.Repeat("ab\t", 20)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		text := AppendString(nil, s)
		want := string([]rune(s)) // invalid bytes become U+FFFD, one for each
		if got, _, err := decode(string(text), (*Decoder).String); err != nil || got != want {
			t.Errorf("read %q and %v, want %q", got, err, want)
		}
		var standard string
		if err := json.Unmarshal(text, &standard); err != nil || standard != want {
			t.Errorf("encoding/json read %q and %v, want %q", standard, err, want)
		}
		// As a document, s means the same to both.
		got, _, err := decode(s, (*Decoder).String)
		ok := json.Unmarshal([]byte(s), &standard) == nil && utf8.ValidString(s) && strings.TrimLeft(s, " \t\r\n")[0] == '"'
		if (err == nil) != ok || ok && got != standard {
			t.Errorf("read %q and %v, encoding/json %q and success %v", got, err, standard, ok)
		}
	})
}

func TestScanAgreesWithLooking(t *testing.T) {
	special := []byte{'"', '\\', 0, 0x1f, ' ', '!', '#', '[', ']', 0x7f, 0x80, 0xA2, 0xDC, 0xff, 'a'}
	for n := range 20 {
		for at := range n {
			for _, c := range special {
				for _, d := range special {
					b := []byte(strings.Repeat("x", n))
					b[at] = c
					b[(at*7+3)%n] = d
					for begin := range min(n, 9) {
						i, high := scan(b, begin, n)
						want, some := begin, false
						for want < n && b[want] != '"' && b[want] != '\\' && b[want] >= ' ' {
							some = some || b[want] >= 0x80
							want++
						}
						if i != want || (high != 0) != some {
							t.Fatalf("scan(%q, %d) is %d, %v, want %d, %v", b, begin, i, high != 0, want, some)
						}
					}
				}
			}
		}
	}
}
