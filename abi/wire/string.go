package wire

import (
	"math/bits"
	"unicode/utf8"
	"unsafe"
)

// String reads a string.
func (d *Decoder) String() string {
	d.val = d.pos
	b, own := d.text()
	if own || d.Alias {
		return alias(b)
	}
	return string(b)
}

// StringMax reads a string of at most limit bytes.
func (d *Decoder) StringMax(limit int) string {
	d.val = d.pos
	b, own := d.text()
	if len(b) > limit {
		d.Invalid("longer than " + digits(limit) + " bytes")
		return ""
	}
	if own || d.Alias {
		return alias(b)
	}
	return string(b)
}

// Enum reads a string that must be one of values, and returns that one.
func (d *Decoder) Enum(values []string) string {
	d.val = d.pos
	b, _ := d.text()
	for _, v := range values {
		if string(b) == v {
			return v
		}
	}
	message := "expected one of "
	for i, v := range values {
		if i > 0 {
			message += ", "
		}
		message += v
	}
	d.Invalid(message)
	return ""
}

// text reads a string and returns its bytes without escapes: a part of the document, or memory of their own.
func (d *Decoder) text() (b []byte, own bool) {
	if d.pos >= len(d.data) || d.data[d.pos] != '"' {
		d.expected("a string")
		return nil, false
	}
	begin := d.pos + 1
	i, high := scan(d.data, begin, min(len(d.data), d.next))
	if high == 0 && i < len(d.data) && d.data[i] == '"' {
		d.pos = i + 1
		return d.data[begin:i:i], false
	}
	end, escaped := d.textEnd(begin, i, high)
	if !escaped || d.err != nil {
		return d.doc[begin:end:end], false
	}
	b, lone, _ := unescape(d.doc[begin:end], d)
	if lone > 0 {
		d.repair(begin-1, lone)
	}
	return b, true
}

// textEnd checks the string whose first byte after the quote is at begin and returns where it ends, with d.pos behind
// the quote. Up to i, where scan stopped, only UTF-8 is unchecked, and high tells whether there is any.
func (d *Decoder) textEnd(begin, i int, high uint64) (end int, escaped bool) {
	part := begin // from here on UTF-8 is unchecked
	for {
		stop := i >= len(d.data)
		var c byte
		if !stop {
			c = d.data[i]
			stop = c == '"' || c == '\\' || c < ' '
		}
		cut := i
		if !stop {
			// A pause for a tick. A character that reaches over it is left for the next part.
			for cut > part && i-cut < utf8.UTFMax && !utf8.RuneStart(d.data[cut]) {
				cut--
			}
		}
		if high != 0 && !utf8.Valid(d.data[part:cut]) {
			d.fail(begin-1, CodeInvalid, "invalid UTF-8 in a string")
			return begin, false
		}
		part = cut
		if part == i {
			high = 0
		}
		switch {
		case i >= len(d.data):
			d.fail(begin-1, CodeInvalid, "unexpected end of the document")
			return begin, false
		case !stop:
		case c == '"':
			d.pos = i + 1
			return i, escaped
		case c == '\\':
			n := escapeLen(d.data[i:])
			if n == 0 {
				d.fail(begin-1, CodeInvalid, "invalid escape in a string")
				return begin, false
			}
			escaped = true
			i += n
			part = i
		default:
			d.fail(begin-1, CodeInvalid, "control character in a string")
			return begin, false
		}
		if i >= d.next {
			d.pos = i
			d.tick()
		}
		var more uint64
		i, more = scan(d.data, i, min(len(d.data), max(d.next, i)))
		high |= more
	}
}

// repair notes a string, and counts the lone surrogates in it.
func (d *Decoder) repair(at, lone int) {
	d.RepairedCount += lone
	if len(d.repaired) >= maxRepaired {
		return
	}
	d.repaired = append(d.repaired, place{at: at})
}

// escapeLen returns the length of the escape that b begins with, 0 when it is none.
func escapeLen(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if len(b) >= 6 && hex4(b[2:6]) >= 0 {
			return 6
		}
	}
	return 0
}

// hex4 returns the value of four hexadecimal digits, negative when they are none.
func hex4(b []byte) rune {
	var r rune
	for _, c := range b[:4] {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return -1
		}
	}
	return r
}

// unescape returns the text of a checked string, in memory of its own, and how many lone surrogates became U+FFFD. An
// escape that is none ends the text.
func unescape(raw []byte, d *Decoder) (text []byte, lone int, ok bool) {
	text = make([]byte, 0, len(raw))
	next := tickBytes
	for i := 0; i < len(raw); {
		if i >= next && d != nil && d.Tick != nil {
			d.Tick()
			next = i + tickBytes
		}
		j, _ := scan(raw, i, min(len(raw), i+tickBytes))
		text = append(text, raw[i:j]...)
		if j >= len(raw) {
			break
		}
		i = j
		if raw[i] != '\\' {
			// A pause for a tick, or a byte that a string can't hold.
			if raw[i] == '"' || raw[i] < ' ' {
				return text, lone, false
			}
			continue
		}
		n := escapeLen(raw[i:])
		if n == 0 {
			return text, lone, false
		}
		switch c := raw[i+1]; c {
		case 'b':
			text = append(text, '\b')
		case 'f':
			text = append(text, '\f')
		case 'n':
			text = append(text, '\n')
		case 'r':
			text = append(text, '\r')
		case 't':
			text = append(text, '\t')
		case 'u':
			r := hex4(raw[i+2:])
			if r >= 0xD800 && r <= 0xDFFF {
				low := rune(-1)
				if r < 0xDC00 && escapeLen(raw[i+6:]) == 6 {
					low = hex4(raw[i+8:])
				}
				if low >= 0xDC00 && low <= 0xDFFF {
					r = (r-0xD800)<<10 | (low - 0xDC00) + 0x10000
					n = 12
				} else {
					r = utf8.RuneError
					lone++
				}
			}
			text = utf8.AppendRune(text, r)
		default:
			text = append(text, c)
		}
		i += n
	}
	return text, lone, true
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// scan returns the offset of the first quote, backslash or control character of b[i:end], end when there is none, and a
// value other than 0 when a byte before it is not ASCII.
func scan(b []byte, i, end int) (int, uint64) {
	b = b[:end]
	var high uint64
	for len(b)-i >= 8 {
		x := load(b[i:])
		q := x ^ ones*'"'
		s := x ^ ones*'\\'
		// In each of the three the lowest bit that is set marks a true hit; those above it may be borrows.
		m := ((x-ones*' ')&^x | (q-ones)&^q | (s-ones)&^s) & highs
		if m != 0 {
			return i + bits.TrailingZeros64(m)>>3, high | x&highs&((m&-m)-1)
		}
		high |= x & highs
		i += 8
	}
	for ; i < end; i++ {
		c := b[i]
		if c == '"' || c == '\\' || c < ' ' {
			break
		}
		high |= uint64(c & 0x80)
	}
	return i, high
}

// load returns eight bytes, the first one lowest.
func load(b []byte) uint64 {
	_ = b[7]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// alias returns a string on the memory of b.
func alias(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// view returns the bytes of s, which must not be changed.
func view(s string) []byte {
	return unsafe.Slice(unsafe.StringData(s), len(s))
}
