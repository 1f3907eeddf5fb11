package text

import "unicode/utf8"

const UnicodeVersion = "15.0.0"

// MaxTerm is the largest term in bytes; longer words are cut to it at a character border.
const MaxTerm = 80

// Scanner cuts texts into tokens. The zero value is ready; not safe for concurrent use.
type Scanner struct {
	// Singles also emits every character of a run of grams by itself.
	Singles bool
	// Tick, if set, is called about every 4 kB of text.
	Tick func()
	buf  []byte
}

// Scan emits the tokens of text in order of Start.
func (s *Scanner) Scan(text string, emit func(Token)) {
	for i := 0; i < len(text); {
		r, w := utf8.DecodeRuneInString(text[i:])
		switch {
		case alnum(r):
			j := i
			s.buf = s.buf[:0]
			kind := Number
			for j < len(text) && alnum(rune(text[j])) {
				c := text[j]
				if c >= 'A' && c <= 'Z' {
					c += 32
				}
				if c > '9' {
					kind = Word
				}
				if len(s.buf) < MaxTerm {
					s.buf = append(s.buf, c)
				}
				j++
			}
			emit(Token{s.buf, i, j, kind})
			i = j
		case Unspaced(r):
			first, n, prev := i, 0, i
			for i < len(text) {
				r, w := utf8.DecodeRuneInString(text[i:])
				if !Unspaced(r) {
					break
				}
				if n > 0 {
					s.buf = append(s.buf[:0], text[prev:i+w]...)
					emit(Token{s.buf, prev, i + w, Gram})
				}
				prev = i
				i += w
				n++
			}
			if n == 1 {
				s.buf = append(s.buf[:0], text[first:i]...)
				emit(Token{s.buf, first, i, Gram})
			}
		default:
			i += w
		}
	}
}

func alnum(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

// Unspaced reports whether r belongs to a script that is indexed by bigrams.
func Unspaced(r rune) bool { return r >= 0x3040 && r <= 0x9fff }

// Sentences appends the sentence spans of s to dst.
func Sentences(dst []Span, s string) []Span {
	start := 0
	for i, r := range s {
		switch r {
		case '\n', '.', '!', '?', '。', '！', '？':
			end := i + utf8.RuneLen(r)
			dst = appendTrimmed(dst, s, start, end)
			start = end
		}
	}
	return appendTrimmed(dst, s, start, len(s))
}

func appendTrimmed(dst []Span, s string, a, b int) []Span {
	for a < b && s[a] <= ' ' {
		a++
	}
	for b > a && s[b-1] <= ' ' {
		b--
	}
	if a < b {
		dst = append(dst, Span{a, b})
	}
	return dst
}

// Fold appends the folded form of s to dst.
func Fold(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 'A' && c <= 'Z' {
			c += 32
		}
		dst = append(dst, c)
	}
	return dst
}
