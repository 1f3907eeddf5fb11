package text

import "unicode/utf8"

const (
	maxParts = 16
	maxText  = 4 * MaxTerm
)

// part is a run of letters and digits within a compound.
type part struct {
	from, to   int // in compound.text
	start, end int // in the source
	join       byte
	joins      uint8 // how often join is repeated
	letters    bool
	digits     bool
	cut        bool  // longer than MaxTerm
	borders    uint8 // changes between letter and digit
	mid        int   // the first of them, in text
	midEnd     int   // in the source, the end of what is before it
	midStart   int   // and the start of what is after
}

// compound gathers parts that single marks join, until something ends it; only then is it known what it is:
// a number, a contraction, or parts with a Symbolic token over them.
type compound struct {
	text    [maxText]byte
	size    int
	parts   [maxParts]part
	count   int
	pending struct { // a joiner that still lacks its right side
		char byte
		n    uint8
		end  int
	}
	prefix struct {
		char  rune
		n     int
		start int
		end   int
	}
	long  bool // parts have been emitted already, so there is no Symbolic token
	atoms [maxParts]atom
	aux   []byte
}

func (c *compound) active() bool { return c.count > 0 }

// inWord reports whether the last character was a letter, digit or mark.
func (c *compound) inWord() bool { return c.count > 0 && c.pending.n == 0 }

// add takes a letter, mark or digit.
func (c *compound) add(s *Scanner, r rune, digit bool, start, end int) {
	if c.count > 0 && c.pending.n == 0 {
		c.grow(r, digit, start, end)
		return
	}
	if c.count > 0 && !c.joinable(digit) {
		c.finish(s)
	}
	if c.count == maxParts || c.size > maxText-MaxTerm {
		c.emitParts(s, false, 0)
		c.count, c.size, c.long = 0, 0, true
	}
	if c.count == 0 && !c.long {
		c.checkPrefix(digit, start)
	}
	p := &c.parts[c.count]
	*p = part{from: c.size, to: c.size, start: start, join: c.pending.char, joins: c.pending.n}
	c.count++
	c.pending.n = 0
	c.grow(r, digit, start, end)
}

func (c *compound) grow(r rune, digit bool, start, end int) {
	p := &c.parts[c.count-1]
	if digit || p.digits {
		if (p.letters || p.digits) && digit != c.lastDigit(p) {
			if p.borders == 0 {
				p.mid, p.midEnd, p.midStart = p.to, p.end, start
			}
			if p.borders < 255 {
				p.borders++
			}
		}
		p.digits = p.digits || digit
	}
	p.letters = p.letters || !digit
	p.end = end
	switch room := MaxTerm - (p.to - p.from); {
	case p.cut || room < utf8.UTFMax && room < utf8.RuneLen(r):
		p.cut = true
		return
	case r >= 0x80 && r < 0x800:
		c.text[p.to], c.text[p.to+1] = 0xC0|byte(r>>6), 0x80|byte(r)&0x3F
		p.to += 2
	default:
		p.to += utf8.EncodeRune(c.text[p.to:], r)
	}
	c.size = p.to
}

// extend grows the newest part by the ASCII letters and digits text[i:j].
func (c *compound) extend(text string, i, j int) {
	p := &c.parts[c.count-1]
	digit := c.lastDigit(p)
	for ; i < j; i++ {
		ch := lowerASCII(text[i])
		if d := ch <= '9'; d != digit {
			if p.borders == 0 {
				p.mid, p.midEnd, p.midStart = p.to, p.end, i
			}
			if p.borders < 255 {
				p.borders++
			}
			digit = d
			p.letters, p.digits = true, true
		}
		p.end = i + 1
		if p.to-p.from == MaxTerm {
			p.cut = true
		} else if !p.cut {
			c.text[p.to] = ch
			p.to++
		}
	}
	c.size = p.to
}

// lastDigit reports what the newest character of p was: borders alternate from the first.
func (c *compound) lastDigit(p *part) bool {
	first := !p.letters || p.digits && isDigit(c.text[p.from:])
	return first == (p.borders&1 == 0)
}

// onDigit reports whether the last character was a digit.
func (c *compound) onDigit() bool { return c.inWord() && c.lastDigit(&c.parts[c.count-1]) }

func isDigit(b []byte) bool {
	r, _ := utf8.DecodeRune(b)
	c := ClassOf(r)
	return c == Digit || c == Numeral
}

// joinable reports whether the pending mark joins what comes to what is there.
func (c *compound) joinable(digit bool) bool {
	last := &c.parts[c.count-1]
	switch c.pending.char {
	case ':', ',':
		return digit && !last.letters
	case '\'':
		return !digit && !last.digits
	}
	return true
}

// punct takes a mark that may join, begin or end a compound.
func (c *compound) punct(s *Scanner, ch byte, start, end int) {
	repeated := 0
	if c.count > 0 {
		last := &c.parts[c.count-1]
		switch {
		case c.pending.n > 0:
			if ch == c.pending.char && (ch == '_' || ch == '+' && c.pending.n == 1) {
				c.pending.n++
				if ch == '_' {
					c.pending.n = 1
				}
				c.pending.end = end
				return
			}
			if ch == c.pending.char {
				repeated = 2
			}
			c.finish(s)
		case ch == '#' && !last.digits && last.to-last.from <= 3, ch == '%' && !last.letters:
			c.pending.char, c.pending.n, c.pending.end = ch, 1, end
			c.finish(s)
			return
		case ch < utf8.RuneSelf && asciiKinds[ch]&asciiJoin != 0:
			c.pending.char, c.pending.n, c.pending.end = ch, 1, end
			return
		default:
			c.finish(s)
		}
	}
	if asciiKinds[ch]&asciiPrefix == 0 {
		c.prefix.n = 0
		return
	}
	if c.prefix.n > 0 && c.prefix.char == rune(ch) && c.prefix.end == start {
		c.prefix.n++
		c.prefix.end = end
		return
	}
	c.prefix.char, c.prefix.n, c.prefix.start, c.prefix.end = rune(ch), 1+repeated, start, end
}

// currency begins a compound such as €50.
func (c *compound) currency(r rune, start, end int) {
	c.prefix.char, c.prefix.n, c.prefix.start, c.prefix.end = r, 1, start, end
}

// checkPrefix drops a prefix that does not stand right before a part that it can begin.
func (c *compound) checkPrefix(digit bool, start int) {
	p := &c.prefix
	ok := p.n == 1 && p.end == start
	switch p.char {
	case '.', '@':
		ok = ok && !digit
	case '-':
		ok = p.n == 2 && p.end == start && !digit
	case '#', '$':
	default:
		ok = ok && digit
	}
	if !ok {
		p.n = 0
	}
}

// finish emits the compound.
func (c *compound) finish(s *Scanner) {
	if c.count > 0 {
		suffix := c.pending.n
		last := &c.parts[c.count-1]
		switch c.pending.char {
		case '+':
			if suffix == 2 && !last.letters {
				suffix = 0
			}
		case '#', '%':
		default:
			suffix = 0
		}
		c.emitParts(s, !c.long, int(suffix))
	}
	c.count, c.size, c.long = 0, 0, false
	c.pending.n, c.prefix.n = 0, 0
}
