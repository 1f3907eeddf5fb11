package main

import (
	"errors"
	"unicode/utf8"
)

var (
	errShort = errors.New("ends too early")
	errLEB   = errors.New("malformed LEB128 integer")
	errUTF8  = errors.New("name is not UTF-8")
)

// reader walks over the input. After the first error all reads give zero
// values and err stays.
type reader struct {
	b   []byte
	at  int
	err error
}

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *reader) byte() byte {
	if r.err != nil {
		return 0
	}
	if r.at >= len(r.b) {
		r.fail(errShort)
		return 0
	}
	r.at++
	return r.b[r.at-1]
}

func (r *reader) bytes(n uint32) []byte {
	if r.err != nil {
		return nil
	}
	if uint64(n) > uint64(len(r.b)-r.at) {
		r.fail(errShort)
		return nil
	}
	r.at += int(n)
	return r.b[r.at-int(n) : r.at : r.at]
}

// u32 reads an unsigned LEB128 integer of at most five bytes, padded ones
// included.
func (r *reader) u32() uint32 {
	var v uint32
	for shift := 0; shift < 35; shift += 7 {
		c := r.byte()
		if r.err != nil {
			return 0
		}
		if shift == 28 && c > 0x0f {
			break
		}
		v |= uint32(c&0x7f) << shift
		if c < 0x80 {
			return v
		}
	}
	r.fail(errLEB)
	return 0
}

// s32 reads a signed LEB128 integer of at most five bytes.
func (r *reader) s32() int32 {
	var v int64
	for shift := 0; shift < 35; shift += 7 {
		c := r.byte()
		if r.err != nil {
			return 0
		}
		v |= int64(c&0x7f) << shift
		if c < 0x80 {
			if c&0x40 != 0 {
				v |= -1 << (shift + 7)
			}
			if v != int64(int32(v)) {
				break
			}
			return int32(v)
		}
	}
	r.fail(errLEB)
	return 0
}

func (r *reader) name() string {
	b := r.bytes(r.u32())
	if r.err == nil && !utf8.Valid(b) {
		r.fail(errUTF8)
	}
	return string(b)
}

// limits reads the limits of a table or memory. Max is meaningful when hasMax.
func (r *reader) limits() (lo, hi uint32, hasMax bool) {
	switch flag := r.byte(); flag {
	case 0:
		return r.u32(), 0, false
	case 1:
		lo = r.u32()
		return lo, r.u32(), true
	default:
		r.fail(errors.New("limits that are shared, 64 bits wide or unknown"))
		return 0, 0, false
	}
}

// end reports an error when a body holds more than was read of it.
func (r *reader) end() error {
	if r.err == nil && r.at != len(r.b) {
		r.err = errors.New("has bytes after its end")
	}
	return r.err
}

func appendU32(b []byte, v uint32) []byte {
	for v >= 0x80 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}

func appendS32(b []byte, v int32) []byte {
	for {
		c := byte(v & 0x7f)
		v >>= 7
		if v == 0 && c&0x40 == 0 || v == -1 && c&0x40 != 0 {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}
