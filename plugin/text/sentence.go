package text

import (
	"strings"
	"unicode/utf8"
)

// MaxSentence is the largest sentence in bytes; only a single grapheme cluster may be longer.
const MaxSentence = 1000

// Sentences appends the sentences of s to dst, in order: trimmed of white space, never empty, never overlapping, with
// nothing but white space between them. A sentence ends at . ! ? 。！？； and their like, with the closing quotes and
// brackets that follow, and at the end of a line. A full stop within a number, an address or a file name, after a title
// or an initial does not end one. Each line of a fenced code block, its fences included, is a sentence. What is longer
// than MaxSentence is cut at a grapheme border, after white space or a comma if one is near. Linear in len(s).
func Sentences(dst []Span, s string) []Span {
	var f fence
	for i := 0; i < len(s); {
		end, next := lineAt(s, i)
		if f.next(s[i:end]) == prose {
			dst = splitLine(dst, s, i, end)
		} else {
			dst = appendSentence(dst, s, i, end)
		}
		i = next
	}
	return dst
}

// lineAt gives the end of the line that begins at i, without its ending, and the beginning of the next.
func lineAt(s string, i int) (end, next int) {
	n := strings.IndexByte(s[i:], '\n')
	if n < 0 {
		return len(s), len(s)
	}
	return i + n, i + n + 1
}

// splitLine cuts the line s[i:end].
func splitLine(dst []Span, s string, i, end int) []Span {
	start := i
	for i < end {
		c := s[i]
		if c < utf8.RuneSelf {
			if c != '.' && c != '!' && c != '?' && c != '\r' {
				i++
				continue
			}
		} else if c != 0xE2 && c != 0xE3 && c != 0xEF && c != 0xD8 && c != 0xDB && c != 0xE0 && c != 0xE1 && c != 0xD6 {
			i++
			continue
		}
		r, w := utf8.DecodeRuneInString(s[i:end])
		strength := terminator(r)
		if strength == goesOn {
			i += w
			continue
		}
		j, strength, dots := terminators(s, i, end)
		after := j
		j = closers(s, j, end)
		onMark := j < end && s[j] >= utf8.RuneSelf && !border(s, j)
		if onMark || strength == mayEnd && !endsBefore(s, start, i, j, end, dots, after-i) {
			i = j
			continue
		}
		dst = appendSentence(dst, s, start, j)
		start, i = j, j
	}
	return appendSentence(dst, s, start, end)
}

const (
	goesOn = iota
	mayEnd // depends on what follows
	ends
)

func terminator(r rune) int {
	switch r {
	case '.', '!', '?', '…':
		return mayEnd
	case '。', '！', '？', '；', '｡', '؟', '۔', '։', '।', '॥', '။', '។', '።', '\r', '\u2028', '\u2029':
		return ends
	}
	return goesOn
}

// terminators takes a run such as "?!" or "……" and reports its end, the strongest mark in it, and whether all are dots.
func terminators(s string, i, end int) (after, strength int, dots bool) {
	dots = true
	for i < end {
		r, w := utf8.DecodeRuneInString(s[i:end])
		t := terminator(r)
		if t == goesOn {
			break
		}
		strength = max(strength, t)
		dots = dots && (r == '.' || r == '…')
		i += w
	}
	return i, strength, dots
}

// closers skips what closes with a sentence.
func closers(s string, i, end int) int {
	for i < end {
		r, w := utf8.DecodeRuneInString(s[i:end])
		switch r {
		case '"', '\'', ')', ']', '}', '*', '_', '”', '’', '»', '」', '』', '）', '】', '》', '〉', '〕':
			i += w
		default:
			return i
		}
	}
	return i
}

// endsBefore decides about a run of . ! ? … at mark, size bytes long, in a sentence that began at start and would end
// at j.
func endsBefore(s string, start, mark, j, end int, dots bool, size int) bool {
	if j == end {
		return true
	}
	r, w := utf8.DecodeRuneInString(s[j:end])
	if !isSpace(r) {
		return Unspaced(r) && !(dots && size == 1 && mark > start && s[mark-1]-'0' < 10)
	}
	if !dots {
		return true
	}
	k := j + w
	for ; k < end; k += w {
		if r, w = utf8.DecodeRuneInString(s[k:end]); !isSpace(r) && !opens(r) {
			break
		}
	}
	if size > 1 {
		return k == end || !propsOf(r).has(propLower)
	}
	return !abbreviated(s[start:mark], s[k:end])
}

func opens(r rune) bool {
	switch r {
	case '"', '\'', '(', '[', '“', '‘', '«':
		return true
	}
	return false
}

// appendSentence trims s[a:b] and cuts it if it is too long.
func appendSentence(dst []Span, s string, a, b int) []Span {
	a, b = trim(s, a, b)
	for b-a > MaxSentence {
		n := len(Prefix(s[a:b], MaxSentence))
		if n == 0 {
			n = NextGrapheme(s[a:b])
		} else {
			n = comfortable(s[a:a+n], n)
		}
		if _, end := trim(s, a, a+n); end > a {
			dst = append(dst, Span{a, end})
		}
		a, b = trim(s, a+n, b)
	}
	if a < b {
		dst = append(dst, Span{a, b})
	}
	return dst
}

// comfortable moves a cut at the end of s back after white space or a comma, by a fifth at most.
func comfortable(s string, n int) int {
	for i := n; i > n-n/5; {
		r, w := utf8.DecodeLastRuneInString(s[:i])
		if (r == ',' || r == '，' || r == '、' || isSpace(r)) && border(s, i) {
			return i
		}
		i -= w
	}
	return n
}

// trim leaves white space that is part of a grapheme cluster with something visible, as a space with an accent is.
func trim(s string, a, b int) (int, int) {
	for a < b {
		r, w := utf8.DecodeRuneInString(s[a:b])
		if !isSpace(r) || a+w < len(s) && s[a+w] >= utf8.RuneSelf && !border(s, a+w) {
			break
		}
		a += w
	}
	for b > a {
		r, w := utf8.DecodeLastRuneInString(s[a:b])
		if !isSpace(r) || b > w && s[b-w-1] >= utf8.RuneSelf && !border(s, b-w) {
			break
		}
		b -= w
	}
	return a, b
}
