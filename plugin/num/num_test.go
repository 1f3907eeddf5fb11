package num

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func relative(got, want float64) float64 {
	if got == want {
		return 0
	}
	return math.Abs(got-want) / math.Abs(want)
}

func TestLogAgainstMath(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	worst := 0.0
	check := func(x float64) {
		t.Helper()
		want := math.Log(x)
		if x < 0x1p-1022 { // where math.Log in assembly is not exact
			want = math.Log(x*0x1p54) - 54*math.Ln2
		}
		e := relative(Log(x), want)
		worst = max(worst, e)
		if e > 1e-15 {
			t.Fatalf("Log(%g) = %g, math.Log %g, relative error %g", x, Log(x), math.Log(x), e)
		}
	}
	for range 1_000_000 {
		check(math.Float64frombits(r.Uint64() & (1<<63 - 1) % (0x7ff << 52)))
		check(1 + (r.Float64()-.5)/float64(int64(1)<<r.IntN(50)))
		check(float64(1 + r.IntN(1_000_000)))
		check((float64(r.IntN(200_000)) + .5) / (float64(r.IntN(200_000)) + .5))
	}
	for _, x := range []float64{math.SmallestNonzeroFloat64, 0x1p-1022, math.MaxFloat64, sqrt2, math.Nextafter(sqrt2, 2), .5, 2} {
		check(x)
	}
	t.Logf("largest relative difference to math.Log: %.3g", worst)
}

// The bits are those of every build; a change of them changes rankings.
func TestLogBits(t *testing.T) {
	for _, c := range []struct {
		x    float64
		bits uint64
	}{
		{5e-324, 0xc0874385446d71c3},
		{1e-300, 0xc085963447f87fb5},
		{0.001, 0xc01ba18a998fffa0},
		{0.1, 0xc0026bb1bbb55515},
		{0.5, 0xbfe62e42fefa39ef},
		{0.7, 0xbfd6d3c324e13f50},
		{0.999999, 0xbeb0c6f82d74d230},
		{1.000001, 0x3eb0c6f713f33a1d},
		{1.4142135623730951, 0x3fd62e42fefa39f1},
		{1.5, 0x3fd9f323ecbf984c},
		{2, 0x3fe62e42fefa39ef},
		{math.E, 0x3ff0000000000000},
		{3, 0x3ff193ea7aad030b},
		{10, 0x40026bb1bbb55516},
		{12.5, 0x400434b1382efeb8},
		{100, 0x40126bb1bbb55516},
		{1234.5678, 0x401c7951d51791d7},
		{25000.5, 0x402440d869d85c6d},
		{1e+06, 0x402ba18a998fffa0},
		{1e+100, 0x406cc845b54b54f2},
		{math.MaxFloat64, 0x40862e42fefa39ef},
	} {
		if got := math.Float64bits(Log(c.x)); got != c.bits {
			t.Errorf("Log(%g) = %#x, want %#x", c.x, got, c.bits)
		}
	}
}

func TestLogAtTheEdges(t *testing.T) {
	if !math.IsInf(Log(0), -1) || !math.IsInf(Log(math.Inf(1)), 1) || !math.IsNaN(Log(-1)) || !math.IsNaN(Log(math.NaN())) || Log(1) != 0 {
		t.Errorf("Log(0, +Inf, -1, NaN, 1) = %g %g %g %g %g", Log(0), Log(math.Inf(1)), Log(-1), Log(math.NaN()), Log(1))
	}
}

func TestRound(t *testing.T) {
	for _, c := range []struct {
		x    float64
		want int64
	}{
		{0, 0}, {.5, 0}, {1.5, 2}, {2.5, 2}, {-.5, 0}, {-1.5, -2}, {-2.5, -2}, {.49999999999999994, 0}, {2.500000001, 3},
		{0x1p52 + 1, 1<<52 + 1}, {0x1p51 + .5, 1 << 51}, {0x1p51 + 1.5, 1<<51 + 2}, {1e300, math.MaxInt64}, {-1e300, math.MinInt64},
		{0x1p63, math.MaxInt64}, {-0x1p63, math.MinInt64}, {math.Inf(1), math.MaxInt64}, {math.Inf(-1), math.MinInt64}, {math.NaN(), 0},
	} {
		if got := Round(c.x); got != c.want {
			t.Errorf("Round(%g) = %d, want %d", c.x, got, c.want)
		}
	}
	r := rand.New(rand.NewPCG(5, 6))
	for range 1_000_000 {
		x := (r.Float64() - .5) * float64(int64(1)<<r.IntN(60))
		if got, want := Round(x), int64(math.RoundToEven(x)); got != want {
			t.Fatalf("Round(%g) = %d, want %d", x, got, want)
		}
	}
}

// edges are where int64 arithmetic goes wrong.
var edges = []int64{0, 1, -1, 2, -2, 3, 7, -7, 1 << 31, -1 << 31, 3037000499, 3037000500, -3037000500, 1 << 62, -1 << 62,
	math.MaxInt64, math.MaxInt64 - 1, math.MinInt64, math.MinInt64 + 1}

func TestSaturating(t *testing.T) {
	clamp := func(x *big.Int) int64 {
		if x.IsInt64() {
			return x.Int64()
		}
		return bound(x.Sign() < 0)
	}
	for _, a := range edges {
		for _, b := range edges {
			x, y := big.NewInt(a), big.NewInt(b)
			for _, c := range []struct {
				name string
				got  int64
				want *big.Int
			}{
				{"SaturatingAdd", SaturatingAdd(a, b), new(big.Int).Add(x, y)},
				{"SaturatingSub", SaturatingSub(a, b), new(big.Int).Sub(x, y)},
				{"SaturatingMul", SaturatingMul(a, b), new(big.Int).Mul(x, y)},
			} {
				if want := clamp(c.want); c.got != want {
					t.Errorf("%s(%d, %d) = %d, want %d", c.name, a, b, c.got, want)
				}
			}
		}
	}
}

func TestCeilDiv(t *testing.T) {
	for _, a := range edges {
		for _, b := range edges {
			if b <= 0 {
				continue
			}
			q, r := new(big.Int).DivMod(big.NewInt(a), big.NewInt(b), new(big.Int))
			if r.Sign() > 0 {
				q.Add(q, big.NewInt(1))
			}
			if got := CeilDiv(a, b); got != q.Int64() {
				t.Errorf("CeilDiv(%d, %d) = %d, want %d", a, b, got, q)
			}
		}
	}
}

func TestIsqrt(t *testing.T) {
	check := func(n int64) {
		t.Helper()
		want := new(big.Int).Sqrt(big.NewInt(max(n, 0))).Int64()
		if got := Isqrt(n); got != want {
			t.Fatalf("Isqrt(%d) = %d, want %d", n, got, want)
		}
	}
	for _, n := range edges {
		check(n)
	}
	r := rand.New(rand.NewPCG(7, 8))
	for range 100_000 {
		root := r.Int64N(3037000500)
		check(root * root)
		check(root*root - 1)
		check(r.Int64())
	}
}

func BenchmarkLog(b *testing.B) {
	x := 1.0
	for b.Loop() {
		x += Log(x)
	}
}
