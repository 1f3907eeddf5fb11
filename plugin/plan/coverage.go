package plan

import "github.com/ctxplan/ctxplan/abi"

// Cover turns the fate of messages, by their number from 0, into closed ranges of sequence numbers. A fate of 0 is
// dropped, gone is nothing, any other verbatim.
func Cover[F ~uint8](fates []F, gone F) abi.Coverage {
	c := abi.Coverage{Verbatim: [][2]int64{}, Summarised: [][2]int64{}, Dropped: [][2]int64{}}
	for i := 0; i < len(fates); {
		if fates[i] == gone {
			i++
			continue
		}
		j := i + 1
		for j < len(fates) && fates[j] != gone && (fates[j] == 0) == (fates[i] == 0) {
			j++
		}
		r := [2]int64{int64(i) + 1, int64(j)}
		if fates[i] != 0 {
			c.Verbatim = append(c.Verbatim, r)
		} else {
			c.Dropped = append(c.Dropped, r)
		}
		i = j
	}
	return c
}
