package vector

import (
	"encoding/binary"
	"math"
	"testing"
)

// FuzzFromF32 reads any bytes as vectors. The oracle decides from the bits whether each has a direction.
func FuzzFromF32(f *testing.F) {
	f.Add(bytesF32(3, 4, -1, 0), 2)
	f.Add(bytesF32(3e38, 3e38, 1e-45, 0), 2)
	f.Add(bytesF32(float32(math.NaN()), 1), 2)
	f.Add([]byte{1, 2, 3}, 1)
	f.Fuzz(func(t *testing.T, b []byte, dimension int) {
		if len(b) > 4096 || dimension > 4096 {
			return
		}
		n := 0
		if dimension > 0 {
			n = len(b) / (4 * dimension)
		}
		want := dimension > 0 && len(b) == 4*dimension*n
		for i := 0; want && i < n; i++ {
			nonzero := false
			for j := range dimension {
				bits := binary.LittleEndian.Uint32(b[4*(dimension*i+j):])
				want = want && bits>>23&0xff != 0xff
				nonzero = nonzero || bits<<1 != 0
			}
			want = want && nonzero
		}
		vs, ok := FromF32(b, dimension, n)
		if ok != want {
			t.Fatalf("accepted %v, want %v", ok, want)
		}
		if !ok {
			return
		}
		for i, v := range vs {
			top := 0
			for _, x := range v.Q {
				top = max(top, int(x), -int(x))
			}
			if len(v.Q) != dimension || top != 127 {
				t.Fatalf("vector %d has %d components up to %d", i, len(v.Q), top)
			}
			q, ok := QueryF32(b[4*dimension*i:4*dimension*(i+1)], dimension)
			// Rounding moves each component by at most half a step.
			if c := q.Cosine(v); !ok || math.Abs(float64(c)-1e6) > 4000*math.Sqrt(float64(dimension)) {
				t.Fatalf("vector %d and itself: cosine %d, accepted %v", i, c, ok)
			}
		}
	})
}
