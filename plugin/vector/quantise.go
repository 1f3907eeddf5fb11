package vector

import "math"

// scaleBits is the fixed point of scales: 2^-24.
const scaleBits = 24

// queryBits is how many more bits the scale of a question has.
const queryBits = 6

// Vector is a stored vector. The zero Vector is none.
type Vector struct {
	// Q holds the components, the largest of which is ±127.
	Q []int8
	// Scale is the length-1 value of one step, in units of 2^-24.
	Scale int32
}

// overhead is what a stored vector costs beside its components.
const overhead = 32

// Empty reports whether there is no vector.
func (v Vector) Empty() bool { return len(v.Q) == 0 }

// Refused stands for a vector that the model will not make. It is empty.
var Refused = Vector{Scale: -1}

// Settled reports whether there is a vector, or never will be.
func (v Vector) Settled() bool { return len(v.Q) > 0 || v.Scale < 0 }

// Bytes is what the vector costs the state.
func (v Vector) Bytes() int64 { return int64(len(v.Q)) + overhead }

// Query is the vector of a question.
type Query struct {
	// Q holds the components, the largest of which is ±32,767.
	Q []int16
	// Scale is as that of a Vector, in units of 2^-30.
	Scale int32
}

// FromF32 reads vectors of the given dimension, one after the other, from little-endian float32. It reports false when
// the bytes are not n vectors, or one of them is not finite or zero.
func FromF32(b []byte, dimension, n int) ([]Vector, bool) {
	if dimension < 1 || n < 0 || len(b) != 4*dimension*n {
		return nil, false
	}
	out := make([]Vector, n)
	unit := make([]float64, dimension)
	for i := range out {
		if !readF32(unit, b[4*dimension*i:]) {
			return nil, false
		}
		out[i] = store(unit)
	}
	return out, true
}

// FromI8 reads vectors from int8, of which only the direction matters.
func FromI8(b []byte, dimension, n int) ([]Vector, bool) {
	if dimension < 1 || n < 0 || len(b) != dimension*n {
		return nil, false
	}
	out := make([]Vector, n)
	unit := make([]float64, dimension)
	for i := range out {
		if !readI8(unit, b[dimension*i:]) {
			return nil, false
		}
		out[i] = store(unit)
	}
	return out, true
}

// QueryF32 reads one vector of a question.
func QueryF32(b []byte, dimension int) (Query, bool) {
	unit := make([]float64, max(dimension, 0))
	if dimension < 1 || len(b) != 4*dimension || !readF32(unit, b) {
		return Query{}, false
	}
	return question(unit), true
}

// QueryI8 reads one vector of a question from int8.
func QueryI8(b []byte, dimension int) (Query, bool) {
	unit := make([]float64, max(dimension, 0))
	if dimension < 1 || len(b) != dimension || !readI8(unit, b) {
		return Query{}, false
	}
	return question(unit), true
}

// readF32 fills unit with the first components of b and normalises them. The largest is brought to 1 first, so that the
// squares of neither huge nor tiny vectors leave the range.
func readF32(unit []float64, b []byte) bool {
	for i := range unit {
		bits := uint32(b[4*i]) | uint32(b[4*i+1])<<8 | uint32(b[4*i+2])<<16 | uint32(b[4*i+3])<<24
		if bits&0x7f800000 == 0x7f800000 {
			return false
		}
		unit[i] = float64(math.Float32frombits(bits))
	}
	return normalise(unit)
}

func readI8(unit []float64, b []byte) bool {
	for i := range unit {
		unit[i] = float64(int8(b[i]))
	}
	return normalise(unit)
}

func normalise(unit []float64) bool {
	var top float64
	for _, x := range unit {
		top = max(top, math.Abs(x))
	}
	if top == 0 {
		return false
	}
	var sum float64
	for i := range unit {
		unit[i] /= top
		sum = float64(unit[i]*unit[i]) + sum
	}
	length := math.Sqrt(sum)
	for i := range unit {
		unit[i] /= length
	}
	return true
}

func store(unit []float64) Vector {
	v := Vector{Q: make([]int8, len(unit))}
	top := largest(unit)
	for i, x := range unit {
		v.Q[i] = int8(math.RoundToEven(x / top * 127))
	}
	v.Scale = int32(math.RoundToEven(top / 127 * (1 << scaleBits)))
	return v
}

func question(unit []float64) Query {
	q := Query{Q: make([]int16, len(unit))}
	top := largest(unit)
	for i, x := range unit {
		q.Q[i] = int16(math.RoundToEven(x / top * 32767))
	}
	q.Scale = int32(math.RoundToEven(top / 32767 * (1 << (scaleBits + queryBits))))
	return q
}

func largest(unit []float64) float64 {
	var top float64
	for _, x := range unit {
		top = max(top, math.Abs(x))
	}
	return top
}

// Cosine of the question and a vector of the same dimension, in millionths, rounded towards zero.
func (q Query) Cosine(v Vector) int64 {
	if len(q.Q) != len(v.Q) {
		return 0
	}
	// Both are of length 1, so that the product of dot and scales is at most about 2^54.
	return dot(q.Q, v.Q) * int64(q.Scale) * int64(v.Scale) / (1 << 20) * 1_000_000 / (1 << (2*scaleBits + queryBits - 20))
}
