package num

import "math"

// Log is the natural logarithm, made of operations that are the same on every machine. It follows e_log.c of FreeBSD's
// msun (Sun Microsystems, 1993): x = 2^k · f with √2/2 ≤ f < √2, and a rational approximation of log f. The error is below
// one unit in the last place.
func Log(x float64) float64 {
	const (
		ln2Hi = 6.93147180369123816490e-01
		ln2Lo = 1.90821492927058770002e-10
		l1    = 6.666666666666735130e-01
		l2    = 3.999999999940941908e-01
		l3    = 2.857142874366239149e-01
		l4    = 2.222219843214978396e-01
		l5    = 1.818357216161805012e-01
		l6    = 1.531383769920937332e-01
		l7    = 1.479819860511658591e-01
	)
	switch {
	case x != x || x > math.MaxFloat64:
		return x
	case x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	}
	f1, exponent := split(x)
	if f1 < math.Sqrt2/2 {
		f1 *= 2
		exponent--
	}
	f := f1 - 1
	k := float64(exponent)
	s := f / (2 + f)
	s2 := float64(s * s)
	s4 := float64(s2 * s2)
	t1 := float64(s2 * (l1 + float64(s4*(l3+float64(s4*(l5+float64(s4*l7)))))))
	t2 := float64(s4 * (l2 + float64(s4*(l4+float64(s4*l6)))))
	r := t1 + t2
	half := float64(float64(0.5*f) * f)
	return float64(k*ln2Hi) - ((half - (float64(s*(half+r)) + float64(k*ln2Lo))) - f)
}

// split writes a positive finite x as f · 2^e with 1/2 ≤ f < 1.
func split(x float64) (f float64, e int) {
	if x < 0x1p-1022 {
		x *= 0x1p52
		e = -52
	}
	bits := math.Float64bits(x)
	e += int(bits>>52)&0x7ff - 1022
	return math.Float64frombits(bits&^(0x7ff<<52) | 1022<<52), e
}
