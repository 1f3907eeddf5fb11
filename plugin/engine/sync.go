package engine

import (
	"slices"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/message"
)

// matchContent matches the messages of a sync that no id has matched (at is -1) with stored ones that say the same, and
// fills at. A message with an id of its own matches only stored ones without. It returns the stored messages that are not
// matched.
//
// System and developer messages are always in front, so that they are matched by themselves. Then the others are matched in
// order. When the list begins with what the thread ends with, as the windows do that agents keep, it is that; unless a
// longest common subsequence, in which messages matched by id count, has twice as many or more, or leaves nothing new. Of several it takes one that
// ends earliest in the list, so that what is new stands at its end, and latest in the thread. Then what stands in the list
// before the end of that is matched in any order. What stands behind is new, even where an older message said the same:
// "yes" may be said twice.
func (s *Space) matchContent(t *thread, messages []abi.Message, at []int32) (absent []int32) {
	m := matcher{tick: s.tick, t: t, messages: messages, at: at, taken: make([]bool, len(t.book.Messages))}
	m.list()
	chain := m.prefix()
	if len(chain) < len(m.stored) {
		m.hash()
		window := m.window()
		if 2*len(window) <= min(len(m.asked), len(m.stored)) {
			chain = append(chain, m.subsequence(len(chain))...)
			m.shift(chain)
		}
		if 2*len(window) > len(chain) && (len(window) == len(m.asked) || !m.covers(chain)) {
			chain = window
		}
	}
	end := int32(-1)
	for _, p := range chain {
		m.pair(m.asked[p[0]], m.stored[p[1]])
		end = m.asked[p[0]]
	}
	m.anywhere(end)
	for a, old := range t.book.Messages {
		if !old.Gone && !m.taken[a] {
			absent = append(absent, int32(a))
		}
	}
	return absent
}

// covers reports whether with this chain every asked message is matched: the last one is in it, and for the others there
// are stored ones somewhere. Then nothing is new, whatever the thread ends with, so that a list that was synced before adds
// nothing.
func (m *matcher) covers(chain [][2]int32) bool {
	if len(chain) == 0 || int(chain[len(chain)-1][0]) != len(m.asked)-1 {
		return false
	}
	in, used := make([]bool, len(m.asked)), make([]bool, len(m.stored))
	for _, p := range chain {
		in[p[0]], used[p[1]] = true, true
	}
	for x := range m.asked {
		if in[x] || m.byID[x] >= 0 {
			continue
		}
		found := false
		for _, n := range m.places[m.symbols[x]] {
			if !used[n] && m.equal(m.asked[x], m.stored[n]) {
				used[n], found = true, true
				break
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// matcher holds what is being matched. Pairs are of places in asked and stored.
type matcher struct {
	tick func()
	// compared counts comparisons, for the tick.
	compared int
	t        *thread
	messages []abi.Message
	at       []int32
	// taken marks stored messages that are matched.
	taken []bool
	// asked lists the messages of the request but standing ones and repeated ids, stored those of the thread that are
	// neither standing nor gone.
	asked, stored []int32
	// byID is the place in stored of the message that an asked one was matched with by id, -1 without.
	byID []int32
	// places in stored by hash of the content, ascending, without those matched by id.
	places map[uint64][]int32
	// symbols of the asked messages and of all of the thread are equal where they may be a pair, and hardly ever else: hashes
	// of the content, and places with the highest bit for those matched by id.
	symbols, kept []uint64
}

const byID = 1 << 63

func (m *matcher) list() {
	place := make([]int32, len(m.t.book.Messages))
	for a, old := range m.t.book.Messages {
		if !old.Gone && !old.Standing() {
			place[a] = int32(len(m.stored))
			m.stored = append(m.stored, int32(a))
		}
	}
	var standing []int32
	var known map[string]bool
	for i := range m.messages {
		w := &m.messages[i]
		if w.ID != "" {
			if known[w.ID] {
				continue
			}
			if known == nil {
				known = map[string]bool{}
			}
			known[w.ID] = true
		}
		a := m.at[i]
		if a >= 0 {
			m.taken[a] = true
		}
		switch {
		case a >= 0 && m.t.book.Messages[a].Standing():
		case a >= 0:
			m.asked = append(m.asked, int32(i))
			m.byID = append(m.byID, place[a])
		case w.Role == abi.RoleSystem || w.Role == abi.RoleDeveloper:
			standing = append(standing, int32(i))
		default:
			m.asked = append(m.asked, int32(i))
			m.byID = append(m.byID, -1)
		}
	}
	if len(standing) > 0 {
		m.standing(standing)
	}
}

// standing matches standing messages with what says the same, the first with the first. Then those at the head of the list
// take the place of what is left at the head of the thread, so that a prompt that changes from call to call is not kept in
// all its forms.
func (m *matcher) standing(asked []int32) {
	places := map[uint64][]int32{}
	for _, a := range m.t.book.Standing {
		h := contentHash(&m.t.book.Messages[a].Wire)
		places[h] = append(places[h], a)
	}
	for _, i := range asked {
		ns := places[contentHash(&m.messages[i])]
		for k, a := range ns {
			if m.equal(i, a) {
				m.pair(i, a)
				ns[k], ns = ns[0], ns[1:]
				places[contentHash(&m.messages[i])] = ns
				break
			}
		}
	}
	head, n := 0, 0
	for head < len(m.messages) && (m.messages[head].Role == abi.RoleSystem || m.messages[head].Role == abi.RoleDeveloper) {
		head++
	}
	for _, i := range asked {
		w := &m.messages[i]
		if int(i) >= head {
			return
		}
		for ; m.at[i] < 0 && w.ID == "" && n < len(m.t.book.Standing); n++ {
			a := m.t.book.Standing[n]
			if len(m.stored) > 0 && a > m.stored[0] {
				return
			}
			if old := &m.t.book.Messages[a].Wire; !m.taken[a] && old.Role == w.Role && old.ID[0] == '#' {
				m.pair(i, a)
			}
		}
	}
}

func (m *matcher) pair(i, a int32) { m.at[i], m.taken[a] = a, true }

// same reports whether an asked message and a stored one may be a pair.
func (m *matcher) same(x, n int32) bool {
	if m.compared++; m.compared%256 == 255 {
		m.tick()
	}
	if m.byID[x] >= 0 {
		return m.byID[x] == n
	}
	return m.equal(m.asked[x], m.stored[n])
}

// equal reports whether an asked message says the same as a stored one that is not taken.
func (m *matcher) equal(i, a int32) bool {
	asked, old := &m.messages[i], &m.t.book.Messages[a].Wire
	return !m.taken[a] && (len(asked.ACL) == 0 || slices.Equal(asked.ACL, old.ACL)) && (asked.ID == "" || asked.ID[0] != '#' && old.ID[0] == '#') && message.Equal(asked, old)
}

// prefix is what both have in common at their beginning.
func (m *matcher) prefix() (chain [][2]int32) {
	n := min(len(m.asked), len(m.stored))
	chain = make([][2]int32, 0, n)
	for x := int32(0); x < int32(n) && m.same(x, x); x++ {
		chain = append(chain, [2]int32{x, x})
	}
	return chain
}

func (m *matcher) hash() {
	m.places = map[uint64][]int32{}
	m.kept = make([]uint64, len(m.t.book.Messages))
	for n, a := range m.stored {
		if n%64 == 63 {
			m.tick()
		}
		if m.taken[a] {
			m.kept[a] = byID | uint64(n)
			continue
		}
		h := contentHash(&m.t.book.Messages[a].Wire) &^ byID
		m.kept[a] = h
		m.places[h] = append(m.places[h], int32(n))
	}
	m.symbols = make([]uint64, len(m.asked))
	for x, i := range m.asked {
		if x%64 == 63 {
			m.tick()
		}
		if n := m.byID[x]; n >= 0 {
			m.symbols[x] = byID | uint64(n)
		} else {
			m.symbols[x] = contentHash(&m.messages[i]) &^ byID
		}
	}
}

// window matches the longest beginning of the list that is the end of the thread, by the algorithm of Knuth, Morris and
// Pratt (1977).
func (m *matcher) window() [][2]int32 {
	head := m.symbols
	borders := make([]int32, len(head)+1)
	k := int32(-1)
	borders[0] = k
	for y := range head {
		for k >= 0 && head[k] != head[y] {
			k = borders[k]
		}
		k++
		borders[y+1] = k
	}
	k = 0
	for _, a := range m.stored {
		if int(k) == len(head) {
			k = borders[k]
		}
		for k >= 0 && head[k] != m.kept[a] {
			k = borders[k]
		}
		k++
	}
	chain := make([][2]int32, k)
	for x := range k {
		chain[x] = [2]int32{x, int32(len(m.stored)) - k + x}
		if !m.same(x, chain[x][1]) {
			return nil
		}
	}
	for _, n := range m.byID[k:] {
		if n >= 0 {
			return nil // what stands behind a window is new
		}
	}
	return chain
}

// candidates are the places in stored, ascending, among which the partners of an asked message are.
func (m *matcher) candidates(x int32) []int32 {
	if m.byID[x] >= 0 {
		return m.byID[x : x+1]
	}
	return m.places[m.symbols[x]]
}

// mostPairs bounds the pairs of equal messages that are looked at; beyond it only the first of each message count.
const mostPairs = 1 << 18

// subsequence finds a longest common subsequence of what stands from place first on in both, by the algorithm of Hunt and
// Szymanski (1977). Of several it is one that ends earliest in asked.
func (m *matcher) subsequence(first int) [][2]int32 {
	type node struct {
		pair   [2]int32
		before int32
	}
	var nodes []node
	var ends []int32 // ends[k] is the node that ends a subsequence of length k+1 at the lowest place
	longest := int32(-1)
	for x := int32(first); x < int32(len(m.asked)); x++ {
		ns := m.candidates(x)
		ns = ns[search(len(ns), func(k int) bool { return ns[k] >= int32(first) }):]
		if len(nodes) > mostPairs {
			ns = ns[:min(len(ns), 1)]
		}
		for y := len(ns) - 1; y >= 0; y-- {
			n := ns[y]
			k := search(len(ends), func(k int) bool { return nodes[ends[k]].pair[1] >= n })
			if k < len(ends) && nodes[ends[k]].pair[1] == n || !m.same(x, n) {
				continue
			}
			before := int32(-1)
			if k > 0 {
				before = ends[k-1]
			}
			nodes = append(nodes, node{[2]int32{x, n}, before})
			last := int32(len(nodes) - 1)
			if k < len(ends) {
				ends[k] = last
				continue
			}
			ends = append(ends, last)
			longest = last
		}
	}
	chain := make([][2]int32, len(ends))
	for k := len(ends) - 1; k >= 0; k-- {
		chain[k] = nodes[longest].pair
		longest = nodes[longest].before
	}
	return chain
}

// shift moves the pairs of a chain as late in stored as they may stand.
func (m *matcher) shift(chain [][2]int32) {
	bound := int32(len(m.stored))
	for k := len(chain) - 1; k >= 0; k-- {
		x := chain[k][0]
		ns := m.candidates(x)
		for y := search(len(ns), func(y int) bool { return ns[y] >= bound }) - 1; y >= 0 && ns[y] > chain[k][1]; y-- {
			if m.same(x, ns[y]) {
				chain[k][1] = ns[y]
				break
			}
		}
		bound = chain[k][1]
	}
}

// anywhere matches what stands in the list before end with what is left of the thread, wherever it stands.
func (m *matcher) anywhere(end int32) {
	var next map[uint64]int
	for x, i := range m.asked {
		if i > end {
			return
		}
		if m.at[i] >= 0 || m.places == nil {
			continue
		}
		if next == nil {
			next = map[uint64]int{}
		}
		h := m.symbols[x]
		ns := m.places[h]
		for next[h] < len(ns) && m.taken[m.stored[ns[next[h]]]] {
			next[h]++
		}
		for y := next[h]; y < len(ns); y++ {
			if m.same(int32(x), ns[y]) {
				m.pair(i, m.stored[ns[y]])
				break
			}
		}
	}
}

// contentHash is a hash of what Equal compares in most messages, eight bytes at a time. It only says where to look.
func contentHash(m *abi.Message) uint64 {
	const prime = 0x9e3779b97f4a7c15
	h := uint64(prime)
	add := func(s string) {
		n := uint64(len(s))
		for ; len(s) >= 8; s = s[8:] {
			w := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40 |
				uint64(s[6])<<48 | uint64(s[7])<<56
			h = (h ^ w) * prime
			h ^= h >> 29
		}
		for i := 0; i < len(s); i++ {
			n = n<<8 | uint64(s[i])
		}
		h = (h ^ n) * prime
		h ^= h >> 32
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
