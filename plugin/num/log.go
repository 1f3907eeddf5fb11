package num

import "math"

const (
	// ln2Hi has 33 significant bits, so that its product with an exponent is exact; ln2Lo is the rest.
	ln2Hi = 0x1.62e42feep-1
	ln2Lo = 0x1.a39ef35793c76p-33
	sqrt2 = 0x1.6a09e667f3bcdp0
)

// Log is the natural logarithm of x, with a relative error below 1e-15. Log(0) is -Inf, Log(+Inf) is +Inf, and of
// negative numbers and NaN it is NaN.
//
// x is split into 2^k·f with f between √½ and √2; then ln f = 2·artanh s with s = (f-1)/(f+1), |s| < 0.172, whose
// series needs twelve terms (Abramowitz and Stegun, 4.1.27).
func Log(x float64) float64 {
	switch {
	case x != x || x > math.MaxFloat64:
		return x
	case x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	}
	shift := 0
	if x < 0x1p-1022 {
		x *= 0x1p54
		shift = 54
	}
	b := math.Float64bits(x)
	exp := int(b>>52) - 1023 - shift
	f := math.Float64frombits(b&(1<<52-1) | 1023<<52)
	if f > sqrt2 {
		f /= 2
		exp++
	}
	s := (f - 1) / (f + 1)
	z := s * s
	p := 1.0 / 25
	for n := 23; n >= 3; n -= 2 {
		p = float64(p*z) + reciprocal[n/2]
	}
	k := float64(exp)
	small := float64(float64(2*s)*float64(p*z)) + float64(k*ln2Lo)
	return float64(k*ln2Hi) + (float64(2*s) + small)
}

// reciprocal[i] is 1/(2i+1).
var reciprocal = [...]float64{1, 1.0 / 3, 1.0 / 5, 1.0 / 7, 1.0 / 9, 1.0 / 11, 1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21, 1.0 / 23}
