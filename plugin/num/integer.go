package num

import "math"

// SaturatingAdd is a+b, held within int64.
func SaturatingAdd(a, b int64) int64 {
	c := a + b
	if (c < a) == (b < 0) {
		return c
	}
	return bound(b < 0)
}

// SaturatingSub is a-b, held within int64.
func SaturatingSub(a, b int64) int64 {
	c := a - b
	if (c > a) == (b < 0) {
		return c
	}
	return bound(b > 0)
}

// SaturatingMul is a·b, held within int64.
func SaturatingMul(a, b int64) int64 {
	if a == 0 || b == 0 {
		return 0
	}
	c := a * b
	overflow := c/b != a || a == math.MinInt64 && b == -1 || b == math.MinInt64 && a == -1
	if !overflow {
		return c
	}
	return bound((a < 0) != (b < 0))
}

func bound(negative bool) int64 {
	if negative {
		return math.MinInt64
	}
	return math.MaxInt64
}

// CeilDiv is a/b rounded up. b must be positive.
func CeilDiv(a, b int64) int64 {
	q := a / b
	if a > 0 && a%b != 0 {
		q++
	}
	return q
}

// Isqrt is the largest integer whose square is at most n, and 0 for negative n.
func Isqrt(n int64) int64 {
	if n <= 0 {
		return 0
	}
	// The square root of the nearest float is off by one at most; division avoids squares beyond int64.
	r := int64(math.Sqrt(float64(n)))
	for r > n/r {
		r--
	}
	for r+1 <= n/(r+1) {
		r++
	}
	return r
}
