package wire

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// sound is the naive twin of Valid.
func sound(doc []byte, limit int) bool {
	return json.Valid(doc) && utf8.Valid(doc) && nesting(doc) <= limit
}

// nesting counts how deeply brackets outside strings are nested.
func nesting(doc []byte) int {
	deepest, depth := 0, 0
	for i := 0; i < len(doc); i++ {
		switch doc[i] {
		case '"':
			for i++; i < len(doc) && doc[i] != '"'; i++ {
				if doc[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			depth++
			deepest = max(deepest, depth)
		case '}', ']':
			depth = max(depth-1, 0)
		}
	}
	return deepest
}

var hostile = []string{
	``, ` `, `null`, `true`, `false`, `nul`, `nulll`, `True`, `tru e`, `0`, `-0`, `-`, `01`, `-01`, `1.`, `.1`, `1.0`, `1e`, `1e+`, `1E-5`,
	`1e400`, `+1`, `0x10`, `1_000`, `NaN`, `Infinity`, `-Infinity`, `1 2`, strings.Repeat("9", 5000), `0.` + strings.Repeat("0", 5000) + `1`,
	`""`, `"`, `"a`, `"\`, `"\"`, `"\\"`, `"\\\"`, `"\u"`, `"\u12"`, `"\u123g"`, `"\uD800"`, `"\udc00\ud800"`, `"\a"`, `"\'"`, `'a'`,
	"\"\x00\"", "\"\x1f\"", "\"\x7f\"", "\"\n\"", "\"\xff\"", "\"\xc0\x80\"", "\"\xed\xa0\x80\"", "\"\xf4\x90\x80\x80\"", "\"\xe6\x98\"", "\"\u2028\"",
	`[]`, `[`, `]`, `[,]`, `[1,]`, `[,1]`, `[1 2]`, `[1,,2]`, `[1}`, `[[]`, `[]]`, `[]{}`, `[/**/]`, `[//
]`, `{}`, `{`, `}`, `{,}`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{"a" 1}`, `{"a":1 "b":2}`, `{"a":1]`, `{a:1}`, `{1:1}`, `{"a":1,"a":2}`, `{"a"::1}`,
	`{null:1}`, "\uFEFF{}", "{}\x00", "\x00", "\t\r\n [ \t\r\n1\t\r\n,\t\r\n2 ] ", "[1,\v2]", "[1\u00a0]", `{"a":[{"b":[{"c":{}}]}]}`,
	strings.Repeat("[", 63) + strings.Repeat("]", 63), strings.Repeat("[", 64) + strings.Repeat("]", 64), strings.Repeat("[", 65) + strings.Repeat("]", 65),
	strings.Repeat(`{"a":`, 130) + "1" + strings.Repeat("}", 130), strings.Repeat(`[{"a":`, 100) + "1" + strings.Repeat("}]", 100),
	strings.Repeat("[", 100_000), strings.Repeat("{", 100_000), strings.Repeat("]", 100_000), strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000),
	"[" + strings.Repeat("1,", 100_000) + "1]", `"` + strings.Repeat(`\"`, 50_000) + `"`, `"` + strings.Repeat("[", 100_000) + `"`,
	`"` + strings.Repeat("é", 40_000) + `"`, `["` + strings.Repeat("a", 16_380) + "明\xe6\"]",
}

func TestValidAgreesWithStandard(t *testing.T) {
	for _, doc := range hostile {
		for _, limit := range []int{0, 1, 2, 63, 64, 65, 128, 129, 200, 1000, 1 << 30} {
			got, want := Valid([]byte(doc), limit), sound([]byte(doc), limit)
			if limit == 1<<30 && len(doc) >= 100_000 {
				continue // the standard library has a limit of its own
			}
			if got != want || ValidString(doc, limit) != want {
				t.Errorf("%.100q with limit %d: got %v, want %v", doc, limit, got, want)
			}
		}
	}
	if deep := strings.Repeat("[", 200_000) + strings.Repeat("]", 200_000); !Valid([]byte(deep), 200_000) || Valid([]byte(deep), 199_999) {
		t.Error("a limit of its own")
	}
}

func TestDepthAgreesWithCounting(t *testing.T) {
	for _, doc := range append(hostile, "][[", `"\\"[[`, `"\"[["[`, `"`+strings.Repeat("a", tickBytes-2)+`\"[[["[`, strings.Repeat(" ", tickBytes)+"[[") {
		for _, limit := range []int{0, 1, 2, 63, 64, 65, 200} {
			err := CheckDepth([]byte(doc), limit)
			if want := nesting([]byte(doc)) > limit; (err != nil) != want {
				t.Errorf("%.100q with limit %d: got %v, want an error: %v", doc, limit, err, want)
			}
		}
	}
	for n := range 40 {
		for _, end := range []string{"", `\`, `"`, `"[`, `\"[`} {
			doc := `[["` + strings.Repeat("[", n) + end
			if got, want := CheckDepth([]byte(doc), 2) != nil, nesting([]byte(doc)) > 2; got != want {
				t.Errorf("%q: got %v, want %v", doc, got, want)
			}
		}
	}
	err := CheckDepth([]byte(`{"a":[0,{"b":[]}]}`), 3)
	if e, ok := err.(*Error); !ok || e.Code != CodeInvalid || e.Path != "a[1].b" {
		t.Errorf("got %#v, want an error at a[1].b", err)
	}
}

func FuzzValid(f *testing.F) {
	for _, doc := range hostile {
		if len(doc) < 1000 {
			f.Add([]byte(doc), 64)
		}
	}
	f.Fuzz(func(t *testing.T, doc []byte, limit int) {
		limit = max(limit, 0)
		if got, want := Valid(doc, limit), sound(doc, limit); got != want {
			t.Errorf("got %v, want %v", got, want)
		}
		if got, want := CheckDepth(doc, limit) != nil, nesting(doc) > limit; got != want {
			t.Errorf("depth: got %v, want %v", got, want)
		}
	})
}
