package eval

import "unicode/utf8"

// Chars4 counts tokens as published comparisons do: a quarter of a token for a character, three quarters for a CJK
// one, rounded up, and 4 for the message.
func Chars4(text string) int {
	quarters := 0
	for _, r := range text {
		if r >= utf8.RuneSelf && cjk(r) {
			quarters += 3
		} else {
			quarters++
		}
	}
	return (quarters+3)/4 + 4
}

func cjk(r rune) bool {
	return r >= 0x2E80 && r <= 0x9FFF || r >= 0xAC00 && r <= 0xD7A3 || r >= 0xF900 && r <= 0xFAFF || r >= 0xFF00 && r <= 0xFFEF ||
		r >= 0x20000 && r <= 0x3FFFF
}
