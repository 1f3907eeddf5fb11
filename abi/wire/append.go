package wire

import (
	"slices"
	"strconv"
	"unicode/utf8"
)

// Comma begins another member of an object: it adds a comma unless dst ends with the brace that opened the object.
func Comma(dst []byte) []byte {
	if dst[len(dst)-1] == '{' {
		return dst
	}
	return append(dst, ',')
}

// AppendInt writes an integer.
func AppendInt(dst []byte, n int64) []byte { return strconv.AppendInt(dst, n, 10) }

func appendUint(dst []byte, n uint64) []byte { return strconv.AppendUint(dst, n, 10) }

// AppendBool writes true or false.
func AppendBool(dst []byte, b bool) []byte {
	if b {
		return append(dst, "true"...)
	}
	return append(dst, "false"...)
}

// AppendString writes s in quotes. Quotes, backslashes and control characters are escaped, in the short form where
// there is one; nothing else is. Invalid UTF-8 becomes U+FFFD, byte by byte.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	b := view(s)
	for begin := 0; begin < len(b); {
		i, high := scan(b, begin, len(b))
		if high == 0 || utf8.Valid(b[begin:i]) {
			dst = append(dst, b[begin:i]...)
		} else {
			dst = appendValid(dst, b[begin:i])
		}
		if i == len(b) {
			break
		}
		dst = appendEscaped(dst, b[i])
		begin = i + 1
	}
	return append(dst, '"')
}

func appendValid(dst, b []byte) []byte {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		dst = utf8.AppendRune(dst, r)
		b = b[n:]
	}
	return dst
}

func appendEscaped(dst []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}

// Keys returns the keys of m in byte order.
func Keys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
