package num

import "math"

// MaxInt64 is the largest int64.
const MaxInt64 = math.MaxInt64

// SaturatingAdd is a + b, or the nearest int64.
func SaturatingAdd(a, b int64) int64 {
	c := a + b
	if (a > 0) == (b > 0) && (c > 0) != (a > 0) && a != 0 && b != 0 {
		if a > 0 {
			return math.MaxInt64
		}
		return math.MinInt64
	}
	return c
}

// SaturatingSub is a - b, or the nearest int64.
func SaturatingSub(a, b int64) int64 {
	if b == math.MinInt64 {
		if a >= 0 {
			return math.MaxInt64
		}
		return a - b
	}
	return SaturatingAdd(a, -b)
}
