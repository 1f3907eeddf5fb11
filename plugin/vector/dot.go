package vector

// dotScalar is the product of a question and a vector of the same length. It is the oracle of the SIMD form.
func dotScalar(q []int16, v []int8) int64 {
	var sum int64
	q = q[:len(v)]
	for i, x := range v {
		sum += int64(int32(q[i]) * int32(x))
	}
	return sum
}
