package main

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// printable makes a text safe for a terminal: control characters and those that
// reorder or hide text stand as names, so that no message can move the cursor
// or look like something else. Newlines and tabs are kept.
func printable(s string) string {
	if strings.IndexFunc(s, hostile) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case !hostile(r):
			b.WriteRune(r)
		case r < ' ':
			b.WriteRune(0x2400 + r) // the control pictures
		case r == 0x7f:
			b.WriteRune(0x2421)
		default:
			fmt.Fprintf(&b, "<U+%04X>", r)
		}
	}
	return b.String()
}

func hostile(r rune) bool {
	switch {
	case r == '\n', r == '\t':
		return false
	case r < ' ', r >= 0x7f && r < 0xa0:
		return true
	case r == 0x200b, r == 0x2060, r == 0xfeff: // invisible, and no part of any spelling
		return true
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069: // bidirectional overrides and isolates
		return true
	case r >= 0xe0000 && r <= 0xe007f: // tags
		return true
	}
	return false
}
