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
		if p.class() == Mark {
			g.extend(r, end)
			return
		}
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
