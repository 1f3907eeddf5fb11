// Package image takes the parts of a state in and gives a stream of bytes out, and takes such a stream apart again, in
// pieces cut anywhere. There are two forms: lines of JSON, which people and other programs read, and binary frames, which
// are smaller and faster to read.
//
// A binary image is the magic, then frames: the length of the body as an unsigned varint, a byte for its kind, the body.
// The bodies of header, thread and message frames are the JSON of their lines without what is binary; a vectors frame
// belongs to the message before it; the end frame is the SHA-256 of all bytes before it. After the end frame, or in place
// of all frames, stand lines.
//
// Invariants: a Reader keeps at most one part and the bytes that it was fed last; it never allocates what a length in the
// stream merely claims; what it gives out is the caller's until the next call.
//
// It does not know what a part means, and checks neither JSON nor order.
package image
