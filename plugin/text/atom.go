package text

import "unicode/utf8"

// atom is one token of a compound: a part, or the parts of a number (1,500.25) or of a contraction (don't).
type atom struct {
	first, last int // parts
	apart       bool
}

// emitParts emits what has been gathered, with Symbolic tokens if whole, the last of them ending in suffix marks.
func (c *compound) emitParts(s *Scanner, whole bool, suffix int) {
	n := c.findAtoms()
	for i := 0; i < n; {
		j := i + 1
		for j < n && !c.atoms[j].apart {
			j++
		}
		before, after := i == 0 && c.prefix.n > 0, 0
		if j == n {
			after = suffix
		}
		if whole {
			c.emitSymbolic(s, c.atoms[i:j], before, after)
		}
		if single := j == i+1 && !before && after == 0; whole && single && c.halves(c.atoms[i]) {
			c.emitHalves(s, c.atoms[i])
		} else {
			for _, a := range c.atoms[i:j] {
				c.emitAtom(s, a)
			}
		}
		i = j
	}
}

// findAtoms fills c.atoms and returns how many there are.
func (c *compound) findAtoms() int {
	n, apart := 0, false
	for k := 0; k < c.count; {
		p := &c.parts[k]
		a := atom{first: k, last: k, apart: apart || k > 0 && (p.join == ',' || p.join == '\'')}
		apart = false
		next := k + 1
		switch {
		case !p.letters:
			a.last = c.numberEnd(k)
			next = a.last + 1
		case next < c.count && c.parts[next].join == '\'':
			switch c.contraction(p, &c.parts[next]) {
			case contracted:
				a.last = next
				next++
				apart = true
			case possessive:
				next++
				apart = true
			}
		}
		c.atoms[n] = a
		n++
		k = next
	}
	return n
}

// numberEnd is the last part of the number that begins with part k: thousands in groups of three after commas, then
// a decimal part unless more dots follow, as in versions and dates.
func (c *compound) numberEnd(k int) int {
	end := k
	for end+1 < c.count && c.parts[end+1].join == ',' {
		p := &c.parts[end+1]
		if first := &c.parts[k]; first.to-first.from > 3 || p.letters || p.to-p.from != 3 {
			return k
		}
		end++
	}
	dotted := k > 0 && c.parts[k].join == '.'
	if i := end + 1; !dotted && i < c.count && c.parts[i].join == '.' && !c.parts[i].letters {
		if i+1 == c.count || c.parts[i+1].join != '.' {
			return i
		}
	}
	return end
}

const (
	apartWords = iota
	contracted // n't stays with its verb: it is a negation
	possessive // 's, 'll and the like are left out
)

func (c *compound) contraction(p, q *part) int {
	switch string(c.text[q.from:q.to]) {
	case "t":
		if c.text[p.to-1] == 'n' && p.to-p.from+len("'t") <= MaxTerm {
			return contracted
		}
	case "s", "m", "d", "re", "ve", "ll":
		return possessive
	}
	return apartWords
}

// appendAtom appends the term of a.
func (c *compound) appendAtom(dst []byte, a atom) []byte {
	for k := a.first; k <= a.last; k++ {
		p := &c.parts[k]
		if k > a.first && p.join != ',' {
			dst = append(dst, p.join)
		}
		dst = append(dst, c.text[p.from:p.to]...)
	}
	return dst
}

func (c *compound) emitAtom(s *Scanner, a atom) {
	p, q := &c.parts[a.first], &c.parts[a.last]
	kind := Word
	if !p.letters {
		kind = Number
	}
	term := c.text[p.from:p.to]
	if a.first < a.last {
		c.aux = c.appendAtom(c.aux[:0], a)
		term = c.aux
		for len(term) > MaxTerm {
			_, w := utf8.DecodeLastRune(term)
			term = term[:len(term)-w]
		}
	}
	s.emit(Token{term, p.start, q.end, kind})
}

// emitSymbolic emits the token over a whole group, if it is more than one word. A compound of words and hyphens alone
// loses the hyphens, so that e-mail is found by email, GPT-4 by GPT4.
func (c *compound) emitSymbolic(s *Scanner, group []atom, before bool, after int) {
	first, last := &c.parts[group[0].first], &c.parts[group[len(group)-1].last]
	start, end := first.start, last.end
	single := len(group) == 1 && !before && after == 0
	if single && !c.halves(group[0]) {
		return
	}
	hyphens, letters := true, false
	for i, a := range group {
		p := &c.parts[a.first]
		hyphens = hyphens && (i == 0 || p.join == '-')
		letters = letters || p.letters
	}
	term := s.term[:0]
	if before {
		for range c.prefix.n {
			term = utf8.AppendRune(term, c.prefix.char)
		}
		start = c.prefix.start
	}
	for i, a := range group {
		if p := &c.parts[a.first]; i > 0 && !(hyphens && letters) {
			for range p.joins {
				term = append(term, p.join)
			}
		}
		term = c.appendAtom(term, a)
	}
	for range after {
		term = append(term, c.pending.char)
	}
	if after > 0 {
		end = c.pending.end
	}
	s.term = term
	if len(term) <= MaxTerm {
		s.emit(Token{term, start, end, Symbolic})
	}
}

// halves reports whether a is letters then digits or digits then letters.
func (c *compound) halves(a atom) bool {
	p := &c.parts[a.first]
	return a.first == a.last && p.borders == 1 && !p.cut
}

// emitHalves emits the parts of a word such as v2 or 10km after its Symbolic token, in place of the word itself.
func (c *compound) emitHalves(s *Scanner, a atom) {
	p := &c.parts[a.first]
	halves := [2]Token{
		{c.text[p.from:p.mid], p.start, p.midEnd, Word},
		{c.text[p.mid:p.to], p.midStart, p.end, Number},
	}
	if isDigit(c.text[p.from:]) {
		halves[0].Kind, halves[1].Kind = Number, Word
	}
	s.emit(halves[0])
	s.emit(halves[1])
}
