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
	b, lone := d.unescape(d.doc[begin:end])
	if lone > 0 {
		d.repair(begin-1, lone)
	}
	return b, true
}

// textEnd checks the string whose first byte after the quote is at begin and returns where it ends, with d.pos behind
// the quote. Up to i, where scan stopped, only UTF-8 is unchecked, and high tells whether there is any.
func (d *Decoder) textEnd(begin, i int, high uint64) (end int, escaped bool) {
	b := d.data
	part := begin // from here on UTF-8 is unchecked
	for {
		// Escapes, one after the other where there are many.
		for i+1 < len(b) && b[i] == '\\' && high == 0 && simple[b[i+1]] != 0 && i < d.next {
			escaped = true
			i += 2
			part = i
			i, high = scan(b, i, min(len(b), max(d.next, i)))
		}
		var c byte
		cut := i
		pause := i < len(b) && b[i] != '"' && b[i] != '\\' && b[i] >= ' '
		if pause {
			// The tick is due. A character that reaches over this point is left for the next part.
			for cut > part && i-cut < utf8.UTFMax && !utf8.RuneStart(b[cut]) {
				cut--
			}
		} else if i < len(b) {
			c = b[i]
		}
		if high != 0 && !utf8.Valid(b[part:cut]) {
			return begin, d.failText(begin, "invalid UTF-8 in a string")
		}
		part = cut
		if part == i {
			high = 0
		}
		switch {
		case pause:
		case i >= len(b):
			return begin, d.failText(begin, "unexpected end of the document")
		case c == '"':
			d.pos = i + 1
			return i, escaped
		case c == '\\':
			n := escapeLen(b[i:])
			if n == 0 {
				return begin, d.failText(begin, "invalid escape in a string")
			}
			escaped = true
			i += n
			part = i
		default:
			return begin, d.failText(begin, "control character in a string")
		}
		if i >= d.next {
			d.pos = i
			d.tick()
		}
		var more uint64
		i, more = scan(b, i, min(len(b), max(d.next, i)))
		high |= more
	}
}

// failText refuses the string whose first byte after the quote is at begin. It returns false.
func (d *Decoder) failText(begin int, message string) bool {
	d.fail(begin-1, CodeInvalid, message)
	return false
}

// repair notes a string, and counts the lone surrogates in it.
func (d *Decoder) repair(at, lone int) {
	d.RepairedCount += lone
	if len(d.repaired) >= maxRepaired {
		return
	}
	d.repaired = append(d.repaired, place{at: at})
}

// simple has what stands behind the backslash of an escape of two bytes, and 0 for all else.
var simple = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escapeLen returns the length of the escape that b begins with, 0 when it is none.
func escapeLen(b []byte) int {
	switch {
	case len(b) < 2 || b[0] != '\\':
		return 0
	case simple[b[1]] != 0:
		return 2
	case b[1] == 'u' && len(b) >= 6 && hex4(b[2:6]) >= 0:
		return 6
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

// arenaSize is how much memory is taken at once for strings with escapes, when the caller lets strings share memory.
const arenaSize = 16 << 10

// unescape returns the text of a checked string, and how many lone surrogates became U+FFFD.
func (d *Decoder) unescape(raw []byte) (text []byte, lone int) {
	if !d.Alias || len(raw) > arenaSize/4 {
		text = make([]byte, len(raw))
		n, lone := unescape(text, raw, d.Tick)
		if len(raw)-n > n/2 {
			text = append([]byte(nil), text[:n]...)
		}
		return text[:n], lone
	}
	if len(d.arena) < len(raw) {
		d.arena = make([]byte, arenaSize)
	}
	n, lone := unescape(d.arena, raw, d.Tick)
	text, d.arena = d.arena[:n:n], d.arena[n:]
	return text, lone
}

// unescape writes the text of a string to dst, which is at least as long. It returns its length and how many lone
// surrogates became U+FFFD. Something that is no escape ends the text.
func unescape(dst, raw []byte, tick func()) (n, lone int) {
	dst = dst[:len(raw)]
	pause := tickBytes
	for i := 0; i < len(raw); {
		if i >= pause {
			if tick != nil {
				tick()
			}
			pause = i + tickBytes
		}
		for len(raw)-i >= 8 && i < pause {
			x := load(raw[i:])
			s := x ^ ones*'\\'
			store(dst[n:], x)
			if m := (s - ones) &^ s & highs; m != 0 {
				k := bits.TrailingZeros64(m) >> 3
				i += k
				n += k
				break
			}
			i += 8
			n += 8
		}
		for i < len(raw) && raw[i] != '\\' && i < pause {
			dst[n] = raw[i]
			i++
			n++
		}
		if i >= len(raw) || raw[i] != '\\' {
			continue
		}
		if len(raw)-i >= 2 {
			if c := simple[raw[i+1]]; c != 0 {
				dst[n] = c
				i += 2
				n++
				continue
			}
		}
		if escapeLen(raw[i:]) == 0 {
			return n, lone
		}
		r := hex4(raw[i+2:])
		i += 6
		if r >= 0xD800 && r <= 0xDFFF {
			low := rune(-1)
			if r < 0xDC00 && escapeLen(raw[i:]) == 6 {
				low = hex4(raw[i+2:])
			}
			if low >= 0xDC00 && low <= 0xDFFF {
				r = (r-0xD800)<<10 | (low - 0xDC00) + 0x10000
				i += 6
			} else {
				r = utf8.RuneError
				lone++
			}
		}
		n += utf8.EncodeRune(dst[n:], r)
	}
	return n, lone
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

// store writes eight bytes, the lowest one first.
func store(b []byte, x uint64) {
	_ = b[7]
	b[0], b[1], b[2], b[3] = byte(x), byte(x>>8), byte(x>>16), byte(x>>24)
	b[4], b[5], b[6], b[7] = byte(x>>32), byte(x>>40), byte(x>>48), byte(x>>56)
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
