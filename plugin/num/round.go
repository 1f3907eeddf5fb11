package num

import "math"

// Round gives the integer nearest to x, of two equally near the even one. Beyond int64 it saturates; NaN gives 0.
func Round(x float64) int64 {
	switch {
	case x != x:
		return 0
	case x >= 0x1p63:
		return math.MaxInt64
	case x < -0x1p63:
		return math.MinInt64
	case x >= 0x1p52 || x <= -0x1p52:
		return int64(x)
	}
	n := int64(x)
	d := x - float64(n)
	switch {
	case d > 0.5 || d == 0.5 && n&1 != 0:
		n++
	case d < -0.5 || d == -0.5 && n&1 != 0:
		n--
	}
	return n
}
