package rank

import (
	"math/big"
	"math/rand"
	"testing"
)

func docs(ids ...int32) []Doc {
	out := make([]Doc, len(ids))
	for i, id := range ids {
		out[i] = Doc{Doc: id, Score: float64(len(ids) - i)}
	}
	return out
}

func order(fused []Fused) []int32 {
	out := make([]int32, len(fused))
	for i := range fused {
		out[i] = fused[i].Doc
	}
	return out
}

func TestFuseOrder(t *testing.T) {
	for _, c := range []struct {
		name  string
		lists []List
		want  []int32
	}{
		{"tie goes to the older message", []List{{1e6, docs(7, 4)}, {1e6, docs(4, 7)}}, []int32{4, 7}},
		{"four-way tie", []List{{1e6, docs(4, 3, 2, 1)}, {1e6, docs(3, 4, 1, 2)}, {1e6, docs(2, 1, 4, 3)}, {1e6, docs(1, 2, 3, 4)}}, []int32{1, 2, 3, 4}},
		{"a share only where present", []List{{1e6, docs(1, 2, 3)}, {1e6, docs(4, 5, 3)}}, []int32{3, 1, 4, 2, 5}},
		{"twice in one list counts once at the better rank", []List{{1e6, docs(1, 2, 2, 2)}, {1e6, docs(1)}}, []int32{1, 2}},
		{"weights", []List{{3e6, docs(1)}, {1e6, docs(2)}}, []int32{1, 2}},
		{"only the first of a list of weight 0 stays", []List{{1e6, docs(1)}, {0, docs(9, 8, 1)}}, []int32{1, 9}},
		{"nothing", nil, nil},
		{"empty lists", []List{{1e6, nil}, {1e6, nil}}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := order(Fuse(c.lists, RRF, 60))
			if len(got) != len(c.want) {
				t.Fatalf("got %v, want %v", got, c.want)
			}
			for i := range got {
				if got[i] != c.want[i] {
					t.Fatalf("got %v, want %v", got, c.want)
				}
			}
		})
	}
}

func TestFirstRankIsOne(t *testing.T) {
	f := Fuse([]List{{1e6, docs(5)}}, RRF, 60)
	if f[0].Score != Unit/61 || f[0].Ranks[0] != 1 {
		t.Fatalf("got %+v, want rank 1 and 1/61", f[0])
	}
}

func TestFuseByScore(t *testing.T) {
	a := List{2e6, []Doc{{0, 1, 8}, {0, 2, 4}}}
	b := List{1e6, []Doc{{0, 2, 3}, {0, 1, 1.5}}}
	f := Fuse([]List{a, b}, Score, 60)
	if f[0].Doc != 1 || f[0].Score != 2*Unit+Unit/2 || f[1].Score != 2*Unit {
		t.Fatalf("got %+v", f)
	}
	if z := Fuse([]List{{1e6, []Doc{{0, 1, 0}, {0, 2, 0}}}}, Score, 60); len(z) != 2 || z[0].Doc != 1 || z[0].Score != 0 {
		t.Fatalf("all zero: %+v", z)
	}
}

// The naive twin adds exact fractions.
func TestFuseAgreesWithFractions(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	for range 200 {
		lists := make([]List, 1+r.Intn(4))
		exact := map[int32]*big.Rat{}
		k := int64(r.Intn(100))
		for i := range lists {
			lists[i].Weight = int64(1+r.Intn(5)) * 500_000
			for j, id := range r.Perm(30)[:r.Intn(30)] {
				lists[i].Docs = append(lists[i].Docs, Doc{Doc: int32(id)})
				if exact[int32(id)] == nil {
					exact[int32(id)] = new(big.Rat)
				}
				exact[int32(id)].Add(exact[int32(id)], big.NewRat(lists[i].Weight, 1_000_000*(k+int64(j)+1)))
			}
		}
		fused := Fuse(lists, RRF, k)
		if len(fused) != len(exact) {
			t.Fatalf("%d fused, %d in the lists", len(fused), len(exact))
		}
		for i := 1; i < len(fused); i++ {
			a, b := fused[i-1], fused[i]
			// Four divisions rounded down: closer than that the order may differ.
			gap := new(big.Rat).Sub(exact[b.Doc], exact[a.Doc])
			if gap.Cmp(big.NewRat(4, Unit)) > 0 {
				t.Fatalf("%d before %d, but %v < %v", a.Doc, b.Doc, exact[a.Doc], exact[b.Doc])
			}
			if a.Score == b.Score && a.Doc > b.Doc {
				t.Fatalf("tie of %d and %d in the wrong order", a.Doc, b.Doc)
			}
		}
	}
}
