package text

import "unicode/utf8"

// Grapheme_Cluster_Break, in the order of the tables.
const (
	gcbOther = iota
	gcbCR
	gcbLF
	gcbControl
	gcbExtend
	gcbZWJ
	gcbRegional
	gcbPrepend
	gcbSpacing
	gcbL
	gcbV
	gcbT
	gcbLV
	gcbLVT
	gcbPictograph
)

func (p props) grapheme() uint8 { return uint8(p >> 8 & 15) }

func graphemeBreak(r rune) uint8 { return propsOf(r).grapheme() }

// parts says whether the rules of UAX 29 part two neighbours without looking further back. Two regional indicators and
// a pictograph after a joiner are the pairs that need more; for them the answer is true.
func parts(a, b uint8) bool {
	switch {
	case a == gcbOther && b == gcbOther:
		return true
	case a == gcbCR:
		return b != gcbLF // GB3
	case a == gcbLF || a == gcbControl || b == gcbCR || b == gcbLF || b == gcbControl:
		return true // GB4, GB5
	case b == gcbExtend || b == gcbZWJ || b == gcbSpacing || a == gcbPrepend:
		return false // GB9, GB9a, GB9b
	case a == gcbL:
		return b != gcbL && b != gcbV && b != gcbLV && b != gcbLVT // GB6
	case a == gcbLV || a == gcbV:
		return b != gcbV && b != gcbT // GB7
	case a == gcbLVT || a == gcbT:
		return b != gcbT // GB8
	}
	return true
}

// NextGrapheme gives the number of bytes of the first extended grapheme cluster of s (UAX 29, Unicode 15.0), 0 for "".
func NextGrapheme(s string) int {
	if len(s) >= 2 && s[0] < utf8.RuneSelf && s[1] < utf8.RuneSelf && s[0] != '\r' {
		return 1
	}
	r, i := utf8.DecodeRuneInString(s)
	a := graphemeBreak(r)
	flags := 0                    // regional indicators so far
	picture := a == gcbPictograph // a pictograph, then Extend, then perhaps one ZWJ
	if a == gcbRegional {
		flags = 1
	}
	for i < len(s) {
		r, w := utf8.DecodeRuneInString(s[i:])
		b := graphemeBreak(r)
		switch {
		case a == gcbRegional && b == gcbRegional:
			if flags%2 == 0 { // GB12, GB13
				return i
			}
		case a == gcbZWJ && b == gcbPictograph:
			if !picture { // GB11
				return i
			}
		case parts(a, b):
			return i
		}
		switch b {
		case gcbRegional:
			flags++
		case gcbPictograph:
			picture = true
		case gcbExtend, gcbZWJ:
			picture = picture && a != gcbZWJ
		default:
			picture = false
		}
		a = b
		i += w
	}
	return i
}

// border reports whether a grapheme cluster of s ends at p, which must be a character border.
func border(s string, p int) bool {
	if p <= 0 || p >= len(s) {
		return true
	}
	if s[p] < utf8.RuneSelf && s[p-1] < utf8.RuneSelf {
		return s[p-1] != '\r' || s[p] != '\n'
	}
	ra, wa := utf8.DecodeLastRuneInString(s[:p])
	rb, _ := utf8.DecodeRuneInString(s[p:])
	a, b := graphemeBreak(ra), graphemeBreak(rb)
	switch {
	case a == gcbRegional && b == gcbRegional:
		n := 0
		for p > 0 {
			r, w := utf8.DecodeLastRuneInString(s[:p])
			if graphemeBreak(r) != gcbRegional {
				break
			}
			n++
			p -= w
		}
		return n%2 == 0
	case a == gcbZWJ && b == gcbPictograph:
		for p -= wa; p > 0; {
			r, w := utf8.DecodeLastRuneInString(s[:p])
			switch graphemeBreak(r) {
			case gcbPictograph:
				return false
			case gcbExtend:
				p -= w
			default:
				return true
			}
		}
		return true
	}
	return parts(a, b)
}

// runeBorder moves p back to the border of a character.
func runeBorder(s string, p int) int {
	for back := 0; back < utf8.UTFMax && p-back >= 0 && p < len(s); back++ {
		if !utf8.RuneStart(s[p-back]) {
			continue
		}
		if _, w := utf8.DecodeRuneInString(s[p-back:]); w > back {
			return p - back
		}
		break
	}
	return p
}

// Prefix gives the longest prefix of s that is made of whole grapheme clusters and has at most limit bytes; it is ""
// when the first cluster is larger than limit. It costs time in proportion to the clusters at the cut, not to s.
func Prefix(s string, limit int) string {
	if limit >= len(s) {
		return s
	}
	if limit <= 0 {
		return ""
	}
	p := runeBorder(s, limit)
	for !border(s, p) {
		_, w := utf8.DecodeLastRuneInString(s[:p])
		p -= w
	}
	return s[:p]
}

// Suffix gives the longest suffix of s that is made of whole grapheme clusters of s and has at most limit bytes.
func Suffix(s string, limit int) string {
	if limit >= len(s) {
		return s
	}
	if limit <= 0 {
		return ""
	}
	p := len(s) - limit
	if q := runeBorder(s, p); q < p {
		_, w := utf8.DecodeRuneInString(s[q:])
		p = q + w
	}
	for !border(s, p) {
		_, w := utf8.DecodeRuneInString(s[p:])
		p += w
	}
	return s[p:]
}
