package text

import (
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

func TestRepairUTF8(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		count          int
	}{
		{"valid", "Zürich 🔥 \ufffd", "Zürich 🔥 \ufffd", 0},
		{"UTF-16 output of a tool", "W\x00s\x00\xff", "W\x00s\x00\ufffd", 1},
		{"two bad bytes", "a\xff\xfeb", "a\ufffd\ufffdb", 2},
		{"a truncated character is one", "a\xe4\xb8", "a\ufffd", 1},
		{"truncated before a letter", "\xf0\x9f\x94x", "\ufffdx", 1},
		{"surrogate", "\xed\xa0\x80", "\ufffd\ufffd\ufffd", 3},
		{"overlong", "\xc0\xaf\xe0\x80\xaf", "\ufffd\ufffd\ufffd\ufffd\ufffd", 5},
		{"beyond the last code point", "\xf4\x90\x80\x80", "\ufffd\ufffd\ufffd\ufffd", 4},
		{"lone continuation", "\x80", "\ufffd", 1},
	} {
		got, n := RepairUTF8(c.in)
		if got != c.want || n != c.count {
			t.Errorf("%s: RepairUTF8(%+q) = %+q, %d; want %+q, %d", c.name, c.in, got, n, c.want, c.count)
		}
	}
}

func FuzzRepairUTF8(f *testing.F) {
	f.Add("a\xe4\xb8b\xff")
	f.Add(string(utf16.Decode([]uint16{0xD800, 65})))
	f.Fuzz(func(t *testing.T, s string) {
		got, n := RepairUTF8(s)
		if !utf8.ValidString(got) {
			t.Fatalf("RepairUTF8(%+q) = %+q", s, got)
		}
		if (n == 0) != (got == s) || utf8.ValidString(s) != (n == 0) {
			t.Fatalf("RepairUTF8(%+q) = %+q with %d repairs", s, got, n)
		}
		var kept []rune
		for i := 0; i < len(s); {
			r, w := utf8.DecodeRuneInString(s[i:])
			if r != utf8.RuneError || w > 1 {
				kept = append(kept, r)
			}
			i += w
		}
		var in, bad int
		for _, r := range got {
			if in < len(kept) && kept[in] == r {
				in++
			} else if r == utf8.RuneError {
				bad++
			} else {
				t.Fatalf("RepairUTF8(%+q) = %+q has %q", s, got, r)
			}
		}
		if in != len(kept) || bad != n {
			t.Fatalf("RepairUTF8(%+q) = %+q keeps %d of %d characters, %d replaced, %d reported", s, got, in, len(kept), bad, n)
		}
	})
}
