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

// ideographs takes a run of at least three unified ideographs from text[i:], which nothing in the tables touches, and
// leaves its last one to the general way, since a mark or another character of the script may follow.
func (g *gram) ideographs(s *Scanner, text string, i int) int {
	const size = 3
	end := i
	for end+size <= len(text) && ideograph(text[end:end+size]) {
		end += size
	}
	n := (end-i)/size - 1
	if n < 2 {
		return i
	}
	for k := i; ; k += size {
		if s.Singles {
			copy(g.pair[:], text[k:k+size])
			s.emit(Token{g.pair[:size], k, k + size, Gram})
		}
		if k == i+(n-2)*size {
			break
		}
		copy(g.pair[:], text[k:k+2*size])
		s.emit(Token{g.pair[:2*size], k, k + 2*size, Gram})
	}
	last := i + (n-1)*size
	copy(g.pair[:], text[last-size:last+size])
	g.first, g.all, g.count, g.runes, g.script = size, 2*size, n, 1, scriptHan
	g.prevStart, g.start, g.end = last-size, last, last+size
	return last + size
}

// ideograph is true of U+4E00 to U+9FFF.
func ideograph(s string) bool {
	a, b, c := s[0], s[1], s[2]
	return a-0xE4 < 6 && b&0xC0 == 0x80 && c&0xC0 == 0x80 && (a != 0xE4 || b >= 0xB8)
}
