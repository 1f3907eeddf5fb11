package lexical

// A word that no visible message holds is replaced by terms that are near it. near finds them among the terms of one
// thread: those at edit distance 1, where swapping two neighbours is one edit, and those that share a prefix of at least
// five letters and 70 % of the longer word. Both the word and its stem are compared with the stems of the index, in the
// order of the terms.
func (d *dictionary) near(word, stem string, dst []int32) []int32 {
	wm, sm := letters(word), letters(stem)
	var head uint32
	if len(stem) >= minPrefix {
		head = letters(stem[:minPrefix])
	}
	for id, m := range d.masks {
		if m == 0 {
			continue
		}
		// One edit adds or takes at most one letter, or does both.
		close := lettersApart(m, wm) <= 2 || lettersApart(m, sm) <= 2
		if !close && (head == 0 || m&head != head) {
			continue
		}
		t := d.terms[id].key
		if close && (oneEdit(t, word) || oneEdit(t, stem)) || samePrefix(t, stem) {
			dst = append(dst, int32(id))
		}
	}
	return dst
}

const (
	minNear   = 4 // bytes of a word that is replaced
	minPrefix = 5

	// maxReplaced bounds the words of one question that are looked for: each takes a pass over all terms.
	maxReplaced = 24
)

// oneEdit says whether one byte inserted, deleted or replaced, or two neighbours swapped, makes one word of the other.
func oneEdit(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 || len(a) < minNear-1 || a == b {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:]
	}
	if a[i+1:] == b[i+1:] {
		return true
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

func samePrefix(a, b string) bool {
	longer := max(len(a), len(b))
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n >= minPrefix && 10*n >= 7*longer
}

// holding finds the grams that hold a character.
func (d *dictionary) holding(char string, dst []int32) []int32 {
	m := letters(char)
	for id, mask := range d.masks {
		if mask&m == m && holds(d.terms[id].key, char) {
			dst = append(dst, int32(id))
		}
	}
	return dst
}
