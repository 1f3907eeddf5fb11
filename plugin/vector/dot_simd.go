//go:build goexperiment.simd && wasm

package vector

import "simd/archsimd"

// blocksPerFlush keeps the 32-bit lanes from overflowing: a block adds four products of at most 32,767 · 127 to each lane.
const blocksPerFlush = 64

func dot(q []int16, v []int8) int64 {
	q = q[:len(v)]
	var sum int64
	i := 0
	for i+16 <= len(v) {
		var acc archsimd.Int32x4
		for n := 0; n < blocksPerFlush && i+16 <= len(v); n++ {
			x := archsimd.LoadInt8x16(v[i:])
			lo, hi := x.ExtendLo8ToInt16(), x.ExtendHi8ToInt16()
			a := archsimd.LoadInt16x8(q[i:])
			b := archsimd.LoadInt16x8(q[i+8:])
			acc = acc.Add(a.MulWidenLo(lo)).Add(a.MulWidenHi(lo)).Add(b.MulWidenLo(hi)).Add(b.MulWidenHi(hi))
			i += 16
		}
		sum += int64(acc.GetElem(0)) + int64(acc.GetElem(1)) + int64(acc.GetElem(2)) + int64(acc.GetElem(3))
	}
	return sum + dotScalar(q[i:], v[i:])
}
