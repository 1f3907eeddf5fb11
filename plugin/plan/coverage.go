package plan

import "github.com/ctxplan/ctxplan/abi"

// Cover turns the fate of messages, by their number from 0, into closed ranges of sequence numbers.
func Cover(n int, verbatim func(i int) bool) abi.Coverage {
	c := abi.Coverage{Verbatim: [][2]int64{}, Summarised: [][2]int64{}, Dropped: [][2]int64{}}
	for i := 0; i < n; {
		v := verbatim(i)
		j := i + 1
		for j < n && verbatim(j) == v {
			j++
		}
		r := [2]int64{int64(i) + 1, int64(j)}
		if v {
			c.Verbatim = append(c.Verbatim, r)
		} else {
			c.Dropped = append(c.Dropped, r)
		}
		i = j
	}
	return c
}
