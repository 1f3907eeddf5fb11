// Package wire takes JSON bytes in and gives values out, and the other way round: the runtime under the generated codec
// of package abi.
//
// A [Decoder] walks one document from front to back. Generated and hand-written DecodeWire methods tell it what they
// expect; it checks syntax, UTF-8 and types, and keeps the first error in document order. After an error every method
// returns a zero value and every loop ends, so that callers need no checks of their own on the way. Paths such as
// messages[3].role are found by scanning the document again, and only once an error has happened: reading costs nothing
// for them.
//
// The Append functions write canonical JSON: no insignificant space, no HTML escapes, as few escapes as RFC 8259 allows,
// map keys in byte order, always valid UTF-8.
//
// Invariants: nothing recurses by the nesting of the input (RFC 8259 text may be nested as deeply as it likes, and is
// refused beyond a limit by a loop); no reflection, no clock, no map order in the output; the same bytes give the same
// values and the same error on every machine.
//
// The package does not stream, does not read floating point numbers (see [Fixed]), and does not know any type of the
// contract.
package wire
