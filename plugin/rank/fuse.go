package rank

import "slices"

// Kinds of fusion.
const (
	RRF   = "rrf"
	Score = "score"
)

// Unit is the value of a score of 1.
const Unit = 1_000_000_000_000

// Doc is one message of a list.
type Doc struct {
	Thread, Doc int32
	// Score is not negative; only Fuse by Score reads it.
	Score float64
}

// List is a ranked list, the best first.
type List struct {
	// Weight in millionths. Of a list of weight 0 only the first message is taken, as a candidate without a score.
	Weight int64
	Docs   []Doc
}

// Fused is one message of the fused ranking.
type Fused struct {
	Thread, Doc int32
	// Score in units of 1 / Unit.
	Score int64
	// Ranks in the lists, from 1; 0 where a list has it not.
	Ranks []int32
}

// Fuse joins lists: with kind RRF a message gets weight / (k + rank) from each list that has it, with kind Score
// weight · score / highest score of the list. The result is sorted by score, then thread, then message, and is the
// caller's.
func Fuse(lists []List, kind string, k int64) []Fused {
	total := 0
	for i := range lists {
		total += len(lists[i].Docs)
	}
	out := make([]Fused, 0, total)
	ranks := make([]int32, total*len(lists))
	at := make(map[uint64]int32, total)
	for li := range lists {
		l := &lists[li]
		var top float64
		for i := range l.Docs {
			top = max(top, l.Docs[i].Score)
		}
		for i := range l.Docs {
			if l.Weight == 0 && i > 0 {
				break
			}
			d := &l.Docs[i]
			key := uint64(uint32(d.Thread))<<32 | uint64(uint32(d.Doc))
			j, ok := at[key]
			if !ok {
				j = int32(len(out))
				at[key] = j
				n := len(lists)
				out = append(out, Fused{Thread: d.Thread, Doc: d.Doc, Ranks: ranks[:n:n]})
				ranks = ranks[n:]
			}
			f := &out[j]
			if f.Ranks[li] != 0 {
				continue
			}
			f.Ranks[li] = int32(i) + 1
			f.Score += part(l.Weight, d.Score, top, kind, k, int64(i)+1)
		}
	}
	slices.SortFunc(out, compare)
	return out
}

func part(weight int64, score, top float64, kind string, k, rank int64) int64 {
	if kind == Score {
		if top <= 0 {
			return 0
		}
		return int64(float64(weight) * (score / top) * 1_000_000)
	}
	return weight * 1_000_000 / (k + rank)
}

func compare(a, b Fused) int {
	switch {
	case a.Score != b.Score:
		if a.Score > b.Score {
			return -1
		}
		return 1
	case a.Thread != b.Thread:
		return int(a.Thread - b.Thread)
	}
	return int(a.Doc - b.Doc)
}
