package pack

// Flexible is a text that can be cut down: its whole price and the least that is worth having.
type Flexible struct {
	Whole, Least int64
}

// Level finds the largest cap such that, with every flexible text cut down to the cap (but not below its least), the sum
// is at most budget. It reports false when even the leasts are too much. A cap of at least the largest whole price means
// that nothing has to be cut.
func Level(texts []Flexible, budget int64) (limit int64, ok bool) {
	var top, least int64
	for _, f := range texts {
		least += min(f.Whole, f.Least)
		top = max(top, f.Whole)
	}
	if least > budget {
		return 0, false
	}
	lo, hi := int64(0), top
	for lo < hi {
		mid := lo + (hi-lo+1)/2
		var sum int64
		for _, f := range texts {
			sum += f.At(mid)
		}
		if sum <= budget {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return lo, true
}

// At is the price of the text under a cap.
func (f Flexible) At(limit int64) int64 {
	return min(f.Whole, max(limit, f.Least))
}
