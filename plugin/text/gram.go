package text

import "unicode/utf8"

// maxUnit bounds a character with its marks, as in Thai; further marks are ignored.
const maxUnit = 36

// gram is a run of characters of one unspaced script: the newest character, with its marks, and the one before it.
type gram struct {
	pair       [2 * maxUnit]byte // the one before, then the newest
	first, all int               // bytes of the one before; of both
	count      int               // characters in the run, the newest included
	runes      int               // code points of the newest, 0 when there is no run
	script     script
	prevStart  int
	start, end int // of the newest
}

// add begins a new character.
func (g *gram) add(s *Scanner, r rune, p props, start, end int) {
	sc := p.script()
	kana := sc == scriptKanaMark && (g.script == scriptHiragana || g.script == scriptKatakana)
	if g.runes > 0 && (kana || sc == g.script) {
		g.complete(s)
		n := copy(g.pair[:], g.pair[g.first:g.all])
		g.first, g.all = n, n
		g.prevStart = g.start
		g.count++
	} else {
		if g.runes > 0 {
			g.finish(s)
		}
		if sc == scriptKanaMark {
			sc = scriptKatakana
		}
		g.script, g.count, g.first, g.all = sc, 1, 0, 0
	}
	g.all += utf8.EncodeRune(g.pair[g.all:], r)
	g.runes = 1
	g.start, g.end = start, end
}

// extend adds a mark to the newest character.
func (g *gram) extend(r rune, end int) {
	if g.all-g.first+utf8.UTFMax <= maxUnit {
		g.all += utf8.EncodeRune(g.pair[g.all:], r)
		g.runes++
	}
	g.end = end
}

// complete emits what ends with the newest character.
func (g *gram) complete(s *Scanner) {
	if g.count > 1 {
		s.emit(Token{g.pair[:g.all], g.prevStart, g.end, Gram})
	}
	if s.Singles {
		s.emit(Token{g.pair[g.first:g.all], g.start, g.end, Gram})
	}
}

func (g *gram) finish(s *Scanner) {
	if g.count == 1 && !s.Singles {
		s.emit(Token{g.pair[:g.all], g.start, g.end, Gram})
	} else {
		g.complete(s)
	}
	g.runes, g.count = 0, 0
}

// ideographs takes a run of unified ideographs from text[i:], which nothing in the tables touches. Unless what follows
// is known to end the run, it leaves the last one to the general way, since a mark or another character of the script
// may come, and returns i when there would be little left.
func (s *Scanner) ideographs(text string, i, stop int) int {
	const size = 3
	end := i
	for end < stop && ideograph(text, end) {
		end += size
	}
	ended := endsRun(text, end)
	if !ended {
		end -= size
	}
	n := (end - i) / size
	if n < 1 || n < 2 && !ended {
		return i
	}
	g, emit := &s.gram, s.emit
	pair := &g.pair
	pair[3], pair[4], pair[5] = text[i], text[i+1], text[i+2]
	if s.Singles && (ended || n > 1) || n == 1 {
		emit(Token{pair[size : 2*size], i, i + size, Gram})
	}
	for k := i; k+size < end; k += size {
		pair[0], pair[1], pair[2] = pair[3], pair[4], pair[5]
		pair[3], pair[4], pair[5] = text[k+size], text[k+size+1], text[k+size+2]
		if k+2*size == end && !ended {
			g.first, g.all, g.count, g.runes, g.script = size, 2*size, n, 1, scriptHan
			g.prevStart, g.start, g.end = k, k+size, end
			break
		}
		emit(Token{pair[:2*size], k, k + 2*size, Gram})
		if s.Singles {
			emit(Token{pair[size : 2*size], k + size, k + 2*size, Gram})
		}
	}
	return end
}

// endsRun is true at the end of a text, and before ASCII, 、。 and full-width forms, none of which joins an ideograph.
func endsRun(text string, i int) bool {
	if i >= len(text) || text[i] < utf8.RuneSelf {
		return true
	}
	if i+2 >= len(text) {
		return false
	}
	a, b, c := text[i], text[i+1], text[i+2]
	return a == 0xEF && b == 0xBC || a == 0xE3 && b == 0x80 && (c == 0x81 || c == 0x82)
}

// ideograph is true where U+4E00 to U+9FFF begins.
func ideograph(text string, i int) bool {
	if i+2 >= len(text) {
		return false
	}
	a, b := text[i], text[i+1]
	return a-0xE4 < 6 && (a != 0xE4 || b >= 0xB8) && b&0xC0 == 0x80 && text[i+2]&0xC0 == 0x80
}
