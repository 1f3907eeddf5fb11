package engine

import (
	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/message"
)

// matchContent matches the messages of a sync that no id has matched (at is -1) with stored ones that say the same, in
// order, as many as possible, and fills at. A message with an id of its own matches only stored ones without. It returns
// the stored messages that are not matched.
//
// What the beginning and the end have in common is matched first; between them it is a longest common subsequence by the
// algorithm of Hunt and Szymanski (1977).
func matchContent(t *thread, messages []abi.Message, at []int32) (absent []int32) {
	taken := make([]bool, len(t.book.Messages))
	for _, a := range at {
		if a >= 0 {
			taken[a] = true
		}
	}
	var asked, stored []int32
	for i, a := range at {
		if a < 0 {
			asked = append(asked, int32(i))
		}
	}
	for a, m := range t.book.Messages {
		if !m.Gone && !taken[a] {
			stored = append(stored, int32(a))
		}
	}
	same := func(i, a int32) bool {
		m, old := &messages[i], &t.book.Messages[a].Wire
		return (m.ID == "" || old.ID[0] == '#') && message.Equal(m, old)
	}
	pair := func(i, a int32) { at[i], taken[a] = a, true }
	for len(asked) > 0 && len(stored) > 0 && same(asked[0], stored[0]) {
		pair(asked[0], stored[0])
		asked, stored = asked[1:], stored[1:]
	}
	for len(asked) > 0 && len(stored) > 0 && same(asked[len(asked)-1], stored[len(stored)-1]) {
		pair(asked[len(asked)-1], stored[len(stored)-1])
		asked, stored = asked[:len(asked)-1], stored[:len(stored)-1]
	}
	for _, p := range commonSubsequence(t, messages, asked, stored, same) {
		pair(p[0], p[1])
	}
	for a, m := range t.book.Messages {
		if !m.Gone && !taken[a] {
			absent = append(absent, int32(a))
		}
	}
	return absent
}

// mostPairs bounds the pairs of equal messages that are looked at; beyond it only the first of each message count.
const mostPairs = 1 << 18

// commonSubsequence finds a longest one of asked and stored under same.
func commonSubsequence(t *thread, messages []abi.Message, asked, stored []int32, same func(i, a int32) bool) [][2]int32 {
	if len(asked) == 0 || len(stored) == 0 {
		return nil
	}
	places := map[uint64][]int32{}
	for n, a := range stored {
		h := contentHash(&t.book.Messages[a].Wire)
		places[h] = append(places[h], int32(n))
	}
	type node struct {
		pair   [2]int32
		place  int32
		before int32
	}
	var nodes []node
	var ends []int32 // ends[k] is the node that ends the best subsequence of length k+1
	for _, i := range asked {
		ns := places[contentHash(&messages[i])]
		if len(nodes) > mostPairs {
			ns = ns[:min(len(ns), 1)]
		}
		for x := len(ns) - 1; x >= 0; x-- {
			n := ns[x]
			if !same(i, stored[n]) {
				continue
			}
			k := search(len(ends), func(k int) bool { return nodes[ends[k]].place >= n })
			before := int32(-1)
			if k > 0 {
				before = ends[k-1]
			}
			nodes = append(nodes, node{[2]int32{i, stored[n]}, n, before})
			if k == len(ends) {
				ends = append(ends, 0)
			}
			ends[k] = int32(len(nodes) - 1)
		}
	}
	if len(ends) == 0 {
		return nil
	}
	var pairs [][2]int32
	for n := ends[len(ends)-1]; n >= 0; n = nodes[n].before {
		pairs = append(pairs, nodes[n].pair)
	}
	return pairs
}

// contentHash is a hash (FNV-1a) of what Equal compares in most messages.
func contentHash(m *abi.Message) uint64 {
	h := uint64(14695981039346656037)
	add := func(s string) {
		for i := 0; i < len(s); i++ {
			h = (h ^ uint64(s[i])) * 1099511628211
		}
		h = (h ^ 0xff) * 1099511628211
	}
	add(m.Role)
	add(m.Name)
	add(m.ToolCallID)
	add(message.PlainText(&m.Content))
	for i := range m.ToolCalls {
		add(m.ToolCalls[i].ID)
	}
	return h
}

// search finds the first of n places for which ok holds; it holds from there on.
func search(n int, ok func(i int) bool) int {
	lo, hi := 0, n
	for lo < hi {
		mid := (lo + hi) / 2
		if ok(mid) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}
