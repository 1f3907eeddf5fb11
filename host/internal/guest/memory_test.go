package guest

import (
	"bytes"
	"testing"

	"github.com/tetratelabs/wazero/experimental"
)

func TestMemoryGrows(t *testing.T) {
	for name, memory := range map[string]experimental.LinearMemory{
		"of the platform": allocate(1<<20, 1<<30),
		"of the heap":     &heapMemory{},
	} {
		t.Run(name, func(t *testing.T) {
			defer memory.Free()
			var want []byte
			for _, pages := range []int{1, 1, 3, 40, 41, 300} {
				b := memory.Reallocate(uint64(pages * pageSize))
				if len(b) != pages*pageSize {
					t.Fatalf("%d bytes, want %d pages", len(b), pages)
				}
				want = append(want, make([]byte, len(b)-len(want))...)
				if !bytes.Equal(b, want) {
					t.Fatalf("at %d pages the contents differ: old ones have to stay, new ones to be zero", pages)
				}
				for i := range b {
					b[i] = byte(i / pages)
				}
				copy(want, b)
			}
		})
	}
}

func TestMemoryEndsAtItsMaximum(t *testing.T) {
	mapped := allocate(pageSize, 2*pageSize)
	defer mapped.Free()
	if _, ok := mapped.(*heapMemory); ok {
		t.Skip("memory of the heap has no maximum of its own")
	}
	if b := mapped.Reallocate(3 * pageSize); b != nil {
		t.Errorf("%d bytes of a memory of two pages", len(b))
	}
	if b := mapped.Reallocate(2 * pageSize); len(b) != 2*pageSize {
		t.Errorf("%d bytes, want two pages", len(b))
	}
	mapped.Free() // freeing twice is nothing
}
