package text

import "unicode/utf8"

// MaxTerm is the largest term in bytes. Longer words are cut to it at a character border, so that a file in base64 is
// one term of this size; longer compounds are not kept, only their parts.
const MaxTerm = 80

const (
	tickBytes   = 4096
	keycap      = '\u20E3'
	segmentRune = 64 // as UAX 15 does for streams, the scanner ends a segment after this many characters
)

// Scanner cuts texts into index terms. The zero value is ready for use; it keeps its buffers from call to call, and is
// not safe for concurrent use.
type Scanner struct {
	// Singles also emits each character of a longer run of grams by itself.
	Singles bool
	// Tick, if set, is called about every 4 kB of text.
	Tick func()

	emit   func(Token)
	plain  [MaxTerm]byte // term of a plain ASCII word
	folded []byte
	term   []byte
	comp   compound
	gram   gram
}

// Scan calls emit for each token of text, in order of Start; a Symbolic token comes before its parts. It segments the
// folded text, so that ＡＰＩ, ﬁnal or half-width kana are cut like API, final and full-width kana, and gives positions
// in text as it stands. White space, punctuation outside compounds, symbols and emoji give no token; invisible
// characters neither give nor part tokens. emit must not call the same Scanner.
func (s *Scanner) Scan(text string, emit func(Token)) {
	s.emit = emit
	for i := 0; i < len(text); {
		if s.Tick != nil && i > 0 {
			s.Tick()
		}
		stop := min(i+tickBytes, len(text))
		for i < stop {
			j := i
			switch c := text[i]; {
			case s.comp.active() || s.comp.prefix.n > 0:
			case c < utf8.RuneSelf:
				j = s.plainWords(text, i, stop)
			case s.gram.runes == 0:
				j = s.ideographs(text, i, stop)
			}
			if j == i {
				j = s.step(text, i)
			}
			i = j
		}
	}
	s.flush()
	s.emit = nil
}

// plainWords handles what needs no state: ASCII words that nothing can join, and bytes that only part words. It returns
// where the general way must look.
func (s *Scanner) plainWords(text string, i, stop int) int {
	emit := s.emit
	for i < stop {
		k := asciiKinds[text[i]]
		if k&asciiWord == 0 {
			next := uint8(0)
			if i+1 < len(text) {
				next = asciiKinds[text[i+1]]
			}
			if (k|next)&asciiNot != 0 || k&asciiPrefix != 0 && next&(asciiWord|asciiPrefix) != 0 {
				return i
			}
			s.endGram()
			i++
			continue
		}
		bits, j, k := uint8(0), i, k
		for n := 0; k&asciiWord != 0; n++ {
			bits |= k
			if n < MaxTerm {
				s.plain[n] = text[j] | ('a' - 'A') // digits have this bit already
			}
			if j++; j == len(text) {
				k = 0
				break
			}
			k = asciiKinds[text[j]]
		}
		if bits == asciiWord || k&(asciiSuffix|asciiNot) != 0 {
			return i
		}
		if k&asciiJoin != 0 && j+1 < len(text) && asciiKinds[text[j+1]]&(asciiWord|asciiJoin|asciiNot) != 0 {
			return i
		}
		s.endGram()
		kind := Word
		if bits == asciiDigit {
			kind = Number
		}
		emit(Token{s.plain[:min(j-i, MaxTerm)], i, j, kind})
		i = j
	}
	return i
}

// step feeds one segment of the text, a character and what may join it, or an ASCII word, and returns where the next
// begins.
func (s *Scanner) step(text string, i int) int {
	if k := asciiKinds[text[i]]; k&asciiNot == 0 {
		j := i + 1
		if k&asciiWord != 0 {
			for j < len(text) && asciiKinds[text[j]]&asciiWord != 0 {
				j++
			}
		}
		if j < len(text) && text[j] >= utf8.RuneSelf {
			j-- // a mark may follow
		}
		if j > i {
			s.feed(rune(lowerASCII(text[i])), i, i+1)
			if j > i+1 {
				s.comp.extend(text, i+1, j)
			}
			return j
		}
	}
	if j := s.simple(text, i); j > i {
		return j
	}
	r, w := utf8.DecodeRuneInString(text[i:])
	end := segmentEnd(text, i+w, infoInnerFold, segmentRune)
	apart := propsOf(r).has(propApart)
	if apart {
		s.flush()
	}
	s.folded = segment(s.folded[:0], text[i:end], true)
	for j := 0; j < len(s.folded); {
		r, w := utf8.DecodeRune(s.folded[j:])
		s.feed(r, i, end)
		j += w
	}
	if apart {
		s.flush()
	}
	return end
}

// simple feeds a run of characters beyond ASCII that are segments by themselves and fold to one character each. It
// returns where the run ends, which may be i.
func (s *Scanner) simple(text string, i int) int {
	r, w := utf8.DecodeRuneInString(text[i:])
	head := normHead(r)
	if normInfo[head]&infoInnerFold != 0 {
		return i
	}
	for n := 0; n < tickBytes; n++ {
		end := i + w
		nextRune, nextWidth, nextHead := rune(0), 0, uint(0)
		if end < len(text) && text[end] >= utf8.RuneSelf {
			if c := text[end]; c >= 0xC2 && c < 0xE0 && end+1 < len(text) && text[end+1]&0xC0 == 0x80 {
				nextRune, nextWidth = rune(c&0x1F)<<6|rune(text[end+1]&0x3F), 2
			} else {
				nextRune, nextWidth = utf8.DecodeRuneInString(text[end:])
			}
			nextHead = normHead(nextRune)
			if normInfo[nextHead]&infoInnerFold != 0 {
				return i
			}
		}
		p := propsOf(r)
		to, ok := r, true
		if head != 0 && normInfo[head]&infoStableFold == 0 {
			to, ok = foldsToOne(head)
		}
		if !ok || p.has(propApart) {
			return i
		}
		switch {
		case p.class() != Letter || to < utf8.RuneSelf:
			s.feed(to, i, end)
		case p.unspaced():
			if s.comp.count > 0 {
				s.comp.finish(s)
			}
			if to != r {
				p = propsOf(to)
			}
			s.gram.add(s, to, p, i, end)
		default:
			s.endGram()
			if s.comp.inWord() {
				s.comp.grow(to, false, i, end)
			} else {
				s.comp.add(s, to, false, i, end)
			}
		}
		i = end
		if nextWidth == 0 || nextRune >= 0x4E00 && nextRune < 0xA000 && s.gram.runes == 0 {
			break // ideographs have a faster way
		}
		r, w, head = nextRune, nextWidth, nextHead
	}
	return i
}

// feed takes the next folded character, which comes from text[start:end].
func (s *Scanner) feed(r rune, start, end int) {
	if r < utf8.RuneSelf {
		k := asciiKinds[r]
		switch {
		case k&asciiWord != 0:
			s.endGram()
			s.comp.add(s, r, k&asciiDigit != 0, start, end)
		case k&(asciiJoin|asciiSuffix|asciiPrefix) != 0:
			s.endGram()
			s.comp.punct(s, byte(r), start, end)
		default:
			s.flush()
		}
		return
	}
	p := propsOf(r)
	switch c := p.class(); {
	case c == Mark:
		switch {
		case s.gram.runes > 0:
			s.gram.extend(r, end)
		case !s.comp.inWord(), r == keycap && s.comp.onDigit(): // people type the digit of a keycap
			s.flush()
		default:
			s.comp.add(s, r, s.comp.onDigit(), start, end)
		}
	case p.unspaced():
		s.comp.finish(s)
		s.gram.add(s, r, p, start, end)
	case c == Letter:
		s.endGram()
		s.comp.add(s, r, false, start, end)
	case c == Digit || c == Numeral:
		s.endGram()
		s.comp.add(s, r, true, start, end)
	case r == '’' || r == '‘':
		s.endGram()
		s.comp.punct(s, '\'', start, end)
	case r == '‐':
		s.endGram()
		s.comp.punct(s, '-', start, end)
	case r == '€' || r == '£' || r == '¥':
		s.flush()
		s.comp.currency(r, start, end)
	default:
		s.flush()
	}
}

func (s *Scanner) flush() {
	s.endGram()
	s.comp.finish(s)
}

func (s *Scanner) endGram() {
	if s.gram.runes > 0 {
		s.gram.finish(s)
	}
}
