package frame

import (
	"unsafe"

	"github.com/ctxplan/ctxplan/abi"
)

const (
	// Limit is the largest request in bytes.
	Limit = abi.FrameLimit
	// Slots is the number of buffers that may be outstanding.
	Slots = abi.MaxBuffers
)

// Fault says why a frame was refused.
type Fault uint8

const (
	// None is the zero Fault: the frame is good.
	None Fault = iota
	// UnknownBuffer is an address that is not that of an outstanding request.
	UnknownBuffer
	// BadLength is a length that is not within 1 and the size of the buffer.
	BadLength
)

// Message is a sentence for people.
func (f Fault) Message() string {
	switch f {
	case UnknownBuffer:
		return "the pointer is not that of an outstanding request buffer"
	case BadLength:
		return "the length is not within the request buffer"
	}
	return ""
}

type slot struct {
	data     []byte
	response bool
}

// Table holds the buffers that a host may name by address. The zero value is
// ready.
type Table struct {
	slots   [Slots]slot
	refusal []byte
}

// Alloc gives the address of a zeroed buffer of n bytes for the next request,
// or 0 when n is not within 1 and [Limit], or all slots are taken.
func (t *Table) Alloc(n int32) uintptr {
	if n <= 0 || n > Limit {
		return 0
	}
	i := t.free()
	if i < 0 {
		return 0
	}
	t.slots[i] = slot{data: make([]byte, n)}
	return address(t.slots[i].data)
}

// Take ends the outstanding request at ptr and gives its first n bytes, which
// are the caller's from then on. A wrong length ends the request as well, so
// that a host that errs does not use up its slots.
func (t *Table) Take(ptr uintptr, n int32) ([]byte, Fault) {
	i := t.find(ptr)
	if i < 0 || t.slots[i].response {
		return nil, UnknownBuffer
	}
	data := t.slots[i].data
	t.slots[i] = slot{}
	if n <= 0 || int(n) > len(data) {
		return nil, BadLength
	}
	return data[:n:n], None
}

// Put makes response outstanding and gives its address and length. Response
// must not be empty. There is always a slot after a successful Take; without
// one the result is 0, 0.
func (t *Table) Put(response []byte) (ptr uintptr, n int) {
	i := t.free()
	if i < 0 || len(response) == 0 {
		return 0, 0
	}
	t.slots[i] = slot{data: response, response: true}
	return address(response), len(response)
}

// Refuse keeps response readable until the next Refuse, outside the slots.
func (t *Table) Refuse(response []byte) (ptr uintptr, n int) {
	t.refusal = response
	return address(response), len(response)
}

// Release ends the buffer at ptr, whether response or request. An address that
// is not outstanding is ignored.
func (t *Table) Release(ptr uintptr) {
	if i := t.find(ptr); i >= 0 {
		t.slots[i] = slot{}
	}
}

// Outstanding is the number of slots taken.
func (t *Table) Outstanding() int {
	n := 0
	for i := range t.slots {
		if t.slots[i].data != nil {
			n++
		}
	}
	return n
}

func (t *Table) free() int {
	for i := range t.slots {
		if t.slots[i].data == nil {
			return i
		}
	}
	return -1
}

func (t *Table) find(ptr uintptr) int {
	if ptr == 0 {
		return -1
	}
	for i := range t.slots {
		if t.slots[i].data != nil && address(t.slots[i].data) == ptr {
			return i
		}
	}
	return -1
}

func address(b []byte) uintptr {
	return uintptr(unsafe.Pointer(unsafe.SliceData(b)))
}

// Pack joins the address and length of a response into the result of an op.
func Pack(ptr uintptr, n int) int64 {
	return int64(uint64(uint32(ptr))<<32 | uint64(uint32(n)))
}
