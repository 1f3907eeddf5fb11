package image

import "encoding/binary"

// Magic begins a binary image. Its last byte is the version of the form.
const Magic = "CTXPLAN\x01"

// Kind of a part of a stream.
type Kind byte

// Kinds of parts.
const (
	// Line is a line of JSON, without its line feed.
	Line Kind = 'l'
	// Header, Thread, Message, Vectors and End are the frames of a binary image.
	Header  Kind = 'h'
	Thread  Kind = 't'
	Message Kind = 'm'
	Vectors Kind = 'v'
	End     Kind = 'e'
)

// AppendFrame writes a frame.
func AppendFrame(dst []byte, kind Kind, body []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(body)))
	dst = append(dst, byte(kind))
	return append(dst, body...)
}

// AppendLine writes a line.
func AppendLine(dst, line []byte) []byte {
	return append(append(dst, line...), '\n')
}
