package text

import "unicode/utf8"

// Hidden reports whether s holds invisible characters in places where no writing needs them, so that a person does not
// see what a model reads, or sees it in another order:
//
//   - zero width characters within a word, two or more of them together, or one between what are no letters of a
//     script that uses it (ZERO WIDTH SPACE parts words of unspaced scripts; the joiners choose letter forms in Arabic
//     and Indic scripts; ZERO WIDTH JOINER makes emoji);
//   - overrides of direction, two or more directional controls together, controls left open at the end of a line, and
//     right-to-left embeddings or isolates without right-to-left letters inside;
//   - more than three invisible characters together;
//   - tag characters other than in a flag, two or more variation selectors together, and deprecated or unassigned
//     invisible characters.
//
// A byte order mark at the start, soft hyphens and the directional marks U+200E, U+200F and U+061C are not reported.
func Hidden(s string) bool {
	first := 0
	for first < len(s) && s[first] < utf8.RuneSelf {
		first++
	}
	if first == len(s) {
		return false
	}
	var d direction
	var prev rune // the last visible character, marks apart
	if first > 0 {
		prev = rune(s[first-1])
	}
	zero, selector := false, false // what stands since the last visible character
	run, tags := 0, 0
	for i, r := range s[first:] {
		p := propsOf(r)
		if !p.has(propIgnorable) && p.class() != Format {
			if r == '\n' && d.open() {
				return true
			}
			if p.has(propRTL) {
				d.sawRTL()
			}
			d.last, zero, selector, run, tags = false, false, false, 0, 0
			if p.class() != Mark || p.script() == scriptIndic {
				prev = r
			}
			continue
		}
		run++
		hides := run > maxInvisible
		switch kind := invisibleKind(r); kind {
		case plainFormat:
		case zeroSpace, zeroJoiner, zeroNonJoiner:
			next, _ := utf8.DecodeRuneInString(s[first+i+utf8.RuneLen(r):])
			atStart := r == byteOrderMark && first+i == 0
			hides = hides || zero || !atStart && !zeroAllowed(kind, prev, next)
			zero = true
		case control:
			hides = hides || d.control(r)
		case variation:
			hides = hides || selector || prev == 0
			selector = true
		case tag:
			tags++
			hides = prev != blackFlag || tags > maxTags
		default:
			hides = true
		}
		if hides {
			return true
		}
	}
	return d.open()
}

const (
	byteOrderMark = '\uFEFF'
	blackFlag     = '\U0001F3F4'
	maxTags       = 7 // six for a region and the one that ends it
	maxInvisible  = 3
)

const (
	plainFormat = iota
	zeroSpace
	zeroJoiner
	zeroNonJoiner
	control
	variation
	tag
	odd
)

func invisibleKind(r rune) int {
	switch {
	case r == 0x200C:
		return zeroNonJoiner
	case r == 0x200D:
		return zeroJoiner
	case r == 0x200B, r == 0x2060, r == byteOrderMark:
		return zeroSpace
	case r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069:
		return control
	case r >= 0xFE00 && r <= 0xFE0F, r >= 0xE0100 && r <= 0xE01EF:
		return variation
	case r >= 0xE0020 && r <= 0xE007F:
		return tag
	case r == 0x2065, r >= 0x206A && r <= 0x206F, r >= 0xFFF0 && r <= 0xFFFB, r >= 0xE0000 && r <= 0xE0FFF:
		return odd
	}
	return plainFormat
}

// zeroAllowed says whether a zero width character may stand between prev and next.
func zeroAllowed(kind int, prev, next rune) bool {
	a, b := propsOf(prev), propsOf(next)
	either := func(s script) bool { return a.script() == s || b.script() == s }
	switch kind {
	case zeroNonJoiner:
		return either(scriptCursive) || either(scriptIndic)
	case zeroJoiner:
		if b.grapheme() == gcbPictograph {
			return a.grapheme() == gcbPictograph || a.grapheme() == gcbExtend
		}
		return either(scriptCursive) || either(scriptIndic)
	}
	if a.unspaced() && b.unspaced() {
		return true
	}
	return !(wordLike(a) && wordLike(b))
}

func wordLike(p props) bool {
	c := p.class()
	return c == Letter || c == Mark || c == Digit || c == Numeral
}

// direction follows the directional controls of a line.
type direction struct {
	depth   int
	last    bool // the last character was a control
	rtl     [maxDepth]int8
	isolate [maxDepth]bool
}

const maxDepth = 16

const (
	anyText int8 = iota
	wantsRTL
	satisfied
)

func (d *direction) open() bool { return d.depth > 0 }

func (d *direction) sawRTL() {
	for i := range d.depth {
		if d.rtl[i] == wantsRTL {
			d.rtl[i] = satisfied
		}
	}
}

// control reports whether r hides something.
func (d *direction) control(r rune) bool {
	switch r {
	case 0x202D, 0x202E: // overrides
		return true
	case 0x202C, 0x2069: // ends of an embedding, an isolate
		d.last = true
		if d.depth == 0 {
			return false
		}
		d.depth--
		return d.rtl[d.depth] == wantsRTL || d.isolate[d.depth] != (r == 0x2069)
	}
	if d.last || d.depth == maxDepth {
		return true
	}
	d.last = true
	d.rtl[d.depth] = anyText
	if r == 0x202B || r == 0x2067 {
		d.rtl[d.depth] = wantsRTL
	}
	d.isolate[d.depth] = r >= 0x2066
	d.depth++
	return false
}
