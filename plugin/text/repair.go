package text

import (
	"strings"
	"unicode/utf8"
)

// RepairUTF8 replaces what is not UTF-8 by U+FFFD and counts the replacements; a valid s comes back as it is. A
// truncated sequence is replaced as a whole and any other bad byte by itself, as the Unicode Standard advises
// (section 3.9, "maximal subparts") and decoders of the Web do.
func RepairUTF8(s string) (string, int) {
	if utf8.ValidString(s) {
		return s, 0
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	n := 0
	for i := 0; i < len(s); {
		r, w := utf8.DecodeRuneInString(s[i:])
		if r != utf8.RuneError || w != 1 {
			b.WriteString(s[i : i+w])
			i += w
			continue
		}
		b.WriteRune(utf8.RuneError)
		n++
		i += badLen(s[i:])
	}
	return b.String(), n
}

// badLen is the length of the longest start of s that begins a well-formed sequence, at least 1.
func badLen(s string) int {
	lo, hi, size := byte(0x80), byte(0xBF), 0
	switch c := s[0]; {
	case c >= 0xC2 && c <= 0xDF:
		size = 2
	case c >= 0xE0 && c <= 0xEF:
		size = 3
		if c == 0xE0 {
			lo = 0xA0
		} else if c == 0xED {
			hi = 0x9F
		}
	case c >= 0xF0 && c <= 0xF4:
		size = 4
		if c == 0xF0 {
			lo = 0x90
		} else if c == 0xF4 {
			hi = 0x8F
		}
	}
	n := 1
	for n < size && n < len(s) && s[n] >= lo && s[n] <= hi {
		n++
		lo, hi = 0x80, 0xBF
	}
	return n
}
