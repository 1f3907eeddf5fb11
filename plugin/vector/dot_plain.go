//go:build !(goexperiment.simd && wasm)

package vector

func dot(q []int16, v []int8) int64 { return dotScalar(q, v) }
