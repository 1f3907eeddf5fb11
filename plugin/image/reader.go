package image

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"hash"
)

// maxPart bounds a part: a record holds a request and its response, each at most a frame, the request perhaps with escapes.
const maxPart = 64 << 20

// Errors of a Reader.
type Error string

func (e Error) Error() string { return string(e) }

// What can be wrong with a stream.
const (
	ErrVersion Error = "the image is of a newer form"
	ErrKind    Error = "the image holds a frame of an unknown kind"
	ErrLength  Error = "a part is longer than any can be"
	ErrCut     Error = "the data ends in the middle of a part"
	ErrMagic   Error = "the data is neither lines nor an image"
)

// Reader takes a stream apart. Feed it, then call Next until there is nothing more, then feed it again; after the last
// bytes call Finish first.
type Reader struct {
	buf  []byte
	at   int // of the next part in buf
	last int // where the newest part began, for the sum
	// scanned is how far a line feed was looked for.
	scanned  int
	frames   bool
	begun    bool
	finished bool
	sum      hash.Hash
	parts    int64
}

// Feed adds bytes, which are copied.
func (r *Reader) Feed(b []byte) {
	r.absorb()
	r.buf = append(r.buf[:copy(r.buf, r.buf[r.at:])], b...)
	r.scanned -= r.at
	r.at, r.last = 0, 0
}

// Finish says that nothing more will be fed.
func (r *Reader) Finish() { r.finished = true }

// absorb adds the newest part to the sum.
func (r *Reader) absorb() {
	if r.sum == nil {
		r.sum = sha256.New()
	}
	r.sum.Write(r.buf[r.last:r.at])
	r.last = r.at
}

// Sum is the SHA-256 of all bytes before the newest part.
func (r *Reader) Sum() []byte { return r.sum.Sum(nil) }

// Parts is how many parts there were before the newest one.
func (r *Reader) Parts() int64 { return r.parts - 1 }

// Next gives the next part. Without one ok is false: more has to be fed, or after Finish the stream is at its end. The
// body is good until the next call of Next or Feed.
func (r *Reader) Next() (kind Kind, body []byte, ok bool, err error) {
	r.absorb()
	if !r.begun {
		ready, err := r.begin()
		if !ready || err != nil {
			return 0, nil, false, err
		}
	}
	rest := r.buf[r.at:]
	if len(rest) == 0 {
		if r.finished && r.frames {
			return 0, nil, false, ErrCut
		}
		return 0, nil, false, nil
	}
	if r.frames {
		return r.frame(rest)
	}
	return r.line(rest)
}

// begin looks at the first bytes.
func (r *Reader) begin() (bool, error) {
	n := min(len(r.buf), len(Magic)-1)
	switch {
	case len(r.buf) == 0:
		return false, nil
	case r.buf[0] == '{':
		r.begun = true
		return true, nil
	case string(r.buf[:n]) != Magic[:n]:
		return false, ErrMagic
	case len(r.buf) < len(Magic):
		if r.finished {
			return false, ErrCut
		}
		return false, nil
	case r.buf[n] > Magic[n]:
		return false, ErrVersion
	case r.buf[n] != Magic[n]:
		return false, ErrMagic
	}
	r.begun, r.frames, r.at = true, true, len(Magic)
	r.absorb()
	return true, nil
}

func (r *Reader) frame(rest []byte) (Kind, []byte, bool, error) {
	size, w := binary.Uvarint(rest)
	if w < 0 || size > maxPart {
		return 0, nil, false, ErrLength
	}
	if w == 0 || uint64(len(rest)-w) < size+1 {
		if r.finished {
			return 0, nil, false, ErrCut
		}
		return 0, nil, false, nil
	}
	kind, body := Kind(rest[w]), rest[w+1:w+1+int(size)]
	switch kind {
	case Header, Thread, Message, Vectors:
	case End:
		r.frames = false
		r.scanned = r.at + w + 1 + int(size)
	default:
		return 0, nil, false, ErrKind
	}
	r.at += w + 1 + int(size)
	r.parts++
	return kind, body, true, nil
}

func (r *Reader) line(rest []byte) (Kind, []byte, bool, error) {
	from := max(r.scanned, r.at)
	n := bytes.IndexByte(r.buf[from:], '\n')
	if n < 0 {
		r.scanned = len(r.buf)
		switch {
		case len(rest) > maxPart:
			return 0, nil, false, ErrLength
		case !r.finished:
			return 0, nil, false, nil
		}
		r.at = len(r.buf)
		r.parts++
		return Line, rest, true, nil
	}
	end := from + n
	body := r.buf[r.at:end]
	r.at, r.scanned = end+1, end+1
	r.parts++
	return Line, body, true, nil
}
