//go:build unix

package guest

import (
	"syscall"

	"github.com/tetratelabs/wazero/experimental"
)

// allocate reserves address space for the whole of a memory and commits pages
// as it grows. So growing copies nothing, guests don't weigh on the collector
// of the host, and closing an instance gives everything back at once. Without
// address space the memory comes from the heap.
func allocate(capacity, maximum uint64) experimental.LinearMemory {
	reserved, err := syscall.Mmap(-1, 0, int(maximum), syscall.PROT_NONE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		return &heapMemory{}
	}
	return &mappedMemory{reserved: reserved}
}

type mappedMemory struct {
	reserved  []byte
	committed uint64
}

// Reallocate makes the first size bytes usable. A fresh page is zero.
func (m *mappedMemory) Reallocate(size uint64) []byte {
	if size > uint64(len(m.reserved)) {
		return nil
	}
	if size > m.committed {
		if err := syscall.Mprotect(m.reserved[m.committed:size], syscall.PROT_READ|syscall.PROT_WRITE); err != nil {
			return nil
		}
		m.committed = size
	}
	return m.reserved[:size:size]
}

// Free unmaps the memory; nothing may read it afterwards.
func (m *mappedMemory) Free() {
	if m.reserved != nil {
		_ = syscall.Munmap(m.reserved)
		m.reserved = nil
	}
}
