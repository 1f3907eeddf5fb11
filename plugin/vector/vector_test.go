package vector

import (
	"encoding/binary"
	"math"
	"math/rand"
	"testing"
)

func bytesF32(v ...float32) []byte {
	var b []byte
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

func TestRefusesWhatHasNoDirection(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct {
		name string
		b    []byte
		dim  int
		ok   bool
	}{
		{"zero", bytesF32(0, 0), 2, false},
		{"negative zero", bytesF32(0, float32(math.Copysign(0, -1))), 2, false},
		{"NaN", bytesF32(nan, 1), 2, false},
		{"infinite", bytesF32(inf, 1), 2, false},
		{"minus infinite", bytesF32(1, -inf), 2, false},
		{"largest finite", bytesF32(3e38, 3e38), 2, true},
		{"smallest", bytesF32(math.SmallestNonzeroFloat32, 0), 2, true},
		{"one byte short", bytesF32(1, 2)[:7], 2, false},
		{"one byte long", append(bytesF32(1, 2), 0), 2, false},
		{"dimension 0", nil, 0, false},
		{"plain", bytesF32(3, 4), 2, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, ok := FromF32(c.b, c.dim, 1)
			_, qok := QueryF32(c.b, c.dim)
			if ok != c.ok || qok != c.ok {
				t.Fatalf("stored %v, question %v; want %v", ok, qok, c.ok)
			}
			if ok && (len(v) != 1 || len(v[0].Q) != c.dim || v[0].Scale <= 0 && c.name != "smallest") {
				t.Fatalf("got %+v", v)
			}
		})
	}
	if _, ok := FromI8([]byte{0, 0}, 2, 1); ok {
		t.Fatal("a zero int8 vector was taken")
	}
}

func TestQuantisationGolden(t *testing.T) {
	v, _ := FromF32(bytesF32(3, 4, -1, 0), 4, 1)
	if v[0].Q[0] != 95 || v[0].Q[1] != 127 || v[0].Q[2] != -32 || v[0].Q[3] != 0 {
		t.Fatalf("components %v", v[0].Q)
	}
	if want := int32(math.RoundToEven(4 / math.Sqrt(26) / 127 * (1 << 24))); v[0].Scale != want {
		t.Fatalf("scale %d, want %d", v[0].Scale, want)
	}
}

func TestCosineIsNearTheExactOne(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for _, dim := range []int{1, 2, 3, 15, 16, 17, 128, 384, 1024, 4096, 8192} {
		for range 20 {
			a, b := make([]float32, dim), make([]float32, dim)
			var dot, na, nb float64
			for i := range a {
				a[i], b[i] = float32(r.NormFloat64()), float32(r.NormFloat64())
				b[i] += a[i]
				dot += float64(a[i]) * float64(b[i])
				na += float64(a[i]) * float64(a[i])
				nb += float64(b[i]) * float64(b[i])
			}
			want := dot / math.Sqrt(na*nb)
			q, ok1 := QueryF32(bytesF32(a...), dim)
			v, ok2 := FromF32(bytesF32(b...), dim, 1)
			if !ok1 || !ok2 {
				t.Fatal("refused")
			}
			if got := float64(q.Cosine(v[0])) / 1e6; math.Abs(got-want) > 0.01 {
				t.Fatalf("dimension %d: cosine %f, exact %f", dim, got, want)
			}
		}
	}
}

func TestScaleDoesNotMatter(t *testing.T) {
	a, _ := FromF32(bytesF32(0.3, -0.1, 0.25), 3, 1)
	b, _ := FromF32(bytesF32(0.3e30, -0.1e30, 0.25e30), 3, 1)
	for i := range a[0].Q {
		if a[0].Q[i] != b[0].Q[i] {
			t.Fatalf("%v and %v", a[0].Q, b[0].Q)
		}
	}
}

func TestDotAgreesWithTheScalarForm(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	for n := range 200 {
		dim := n
		if n >= 100 {
			dim = r.Intn(8192) + 1
		}
		q, v := make([]int16, dim), make([]int8, dim)
		for i := range q {
			q[i], v[i] = int16(r.Intn(65535)-32767), int8(r.Intn(255)-127)
			if n%3 == 0 {
				q[i], v[i] = 32767, -127
			}
		}
		if got, want := dot(q, v), dotScalar(q, v); got != want {
			t.Fatalf("dimension %d: %d, want %d", dim, got, want)
		}
	}
}

func BenchmarkScan(b *testing.B) {
	r := rand.New(rand.NewSource(3))
	const n, dim = 25_000, 384
	vs := make([]Vector, n)
	raw := make([]byte, dim)
	for i := range vs {
		for j := range raw {
			raw[j] = byte(r.Intn(256))
		}
		v, _ := FromI8(raw, dim, 1)
		vs[i] = v[0]
	}
	q, _ := QueryI8(raw, dim)
	for b.Loop() {
		var best int64
		for i := range vs {
			best = max(best, q.Cosine(vs[i]))
		}
	}
}
