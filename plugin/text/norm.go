package text

import (
	"slices"
	"unicode/utf8"
)

// Flags of normInfo; the low byte is the canonical combining class.
const (
	infoFold  = 1 << (8 + iota) // the mapping is for Fold only
	infoInner                   // may join with what stands before it under NFKC
	infoInnerFold
	infoStable // NFKC leaves it as it is when it stands alone
	infoStableFold
)

// unit is a code point with its canonical combining class.
type unit struct {
	r   rune
	ccc uint8
}

func normHead(r rune) uint {
	if uint32(r) > maxRune {
		return 0
	}
	block := uint(normIndex[uint32(r)>>7])
	return uint(normBlocks[block<<7|uint(r)&127])
}

func unitOf(r rune) unit { return unit{r, uint8(normInfo[normHead(r)])} }

func mappingAt(head uint) string {
	t := normTargets[head]
	return normText[t>>8 : t>>8+t&255]
}

// Normalize appends the NFKC form of s to dst (UAX 15, Unicode 15.0). Bytes that are not UTF-8 become U+FFFD each.
func Normalize(dst []byte, s string) []byte { return transform(dst, s, false, infoInner, infoStable) }

// Fold appends to dst the form in which terms are compared: toNFKC_Casefold of the canonical decomposition of s
// (Unicode 15.0, section 3.13, R5 and D147), that is NFKC with full case folding, without default ignorable characters
// such as ZERO WIDTH SPACE, SOFT HYPHEN and variation selectors. Bytes that are not UTF-8 become U+FFFD each.
func Fold(dst []byte, s string) []byte {
	return transform(dst, s, true, infoInnerFold, infoStableFold)
}

// transform copies what no rule touches and hands the rest to segment: from a character that cannot join with what
// stands before it up to the next such character.
func transform(dst []byte, s string, fold bool, inner, stable uint16) []byte {
	last, lastOut := 0, len(dst)
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			j := i + 1
			for j < len(s) && s[j] < utf8.RuneSelf {
				j++
			}
			from := len(dst)
			dst = append(dst, s[i:j]...)
			if fold {
				lower(dst[from:])
			}
			last, lastOut = j-1, len(dst)-1
			i = j
			continue
		}
		r, w := utf8.DecodeRuneInString(s[i:])
		head := normHead(r)
		if head == 0 || normInfo[head]&(inner|stable) == stable {
			last, lastOut = i, len(dst)
			if r == utf8.RuneError {
				dst = append(dst, "\uFFFD"...)
			} else {
				dst = append(dst, s[i:i+w]...)
			}
			i += w
			continue
		}
		from := i
		if normInfo[head]&inner != 0 {
			from = last
			dst = dst[:lastOut]
		}
		i = segmentEnd(s, i+w, inner, len(s))
		last, lastOut = i, len(dst)
		dst = segment(dst, s[from:i], fold)
	}
	return dst
}

func lower(b []byte) {
	for i, c := range b {
		b[i] = lowerASCII(c)
	}
}

func lowerASCII(c byte) byte {
	if c-'A' < 26 {
		c += 'a' - 'A'
	}
	return c
}

// segmentEnd is the first position at or after i, and after at most limit characters, where a segment may end.
func segmentEnd(s string, i int, inner uint16, limit int) int {
	for ; i < len(s) && s[i] >= utf8.RuneSelf && limit > 0; limit-- {
		r, w := utf8.DecodeRuneInString(s[i:])
		if normInfo[normHead(r)]&inner == 0 {
			break
		}
		i += w
	}
	return i
}

// segment appends the normal form of one segment.
func segment(dst []byte, s string, fold bool) []byte {
	var room [48]unit
	us := room[:0]
	for _, r := range s {
		head := normHead(r)
		if normTargets[head]&255 == 0 || normInfo[head]&infoFold != 0 {
			us = append(us, unit{r, uint8(normInfo[head])})
			continue
		}
		for _, d := range mappingAt(head) {
			us = append(us, unitOf(d))
		}
	}
	us = reorder(us)
	if fold {
		var room [48]unit
		us = foldUnits(room[:0], us)
	}
	for _, u := range compose(us) {
		dst = utf8.AppendRune(dst, u.r)
	}
	return dst
}

// foldsToOne gives what a character folds to if the mapping of its head says so by itself, in one character.
func foldsToOne(head uint) (rune, bool) {
	to := mappingAt(head)
	if to == "" {
		return 0, false
	}
	d, w := utf8.DecodeRuneInString(to)
	switch {
	case w != len(to):
		return 0, false
	case normInfo[head]&infoFold != 0:
		return d, true
	case d < utf8.RuneSelf:
		return rune(lowerASCII(byte(d))), true
	}
	return d, normHead(d) == 0
}

// foldUnits maps decomposed and ordered characters, into out if need be; it works after ordering because U+0345, a mark, folds to a letter.
func foldUnits(out, us []unit) []unit {
	changed := false
	for _, u := range us {
		if u.r < utf8.RuneSelf {
			changed = changed || uint32(u.r)-'A' < 26
		} else if normInfo[normHead(u.r)]&infoFold != 0 {
			changed = true
		}
	}
	if !changed {
		return us
	}
	for _, u := range us {
		head := normHead(u.r)
		if normInfo[head]&infoFold == 0 {
			out = append(out, u)
			continue
		}
		for _, d := range mappingAt(head) {
			out = append(out, unitOf(d))
		}
	}
	return reorder(out)
}

// reorder puts each run of marks into canonical order. Long runs are counted, not inserted, so that a text of a
// million marks costs linear time.
func reorder(us []unit) []unit {
	for i := 0; i < len(us); {
		if us[i].ccc == 0 {
			i++
			continue
		}
		j := i + 1
		for j < len(us) && us[j].ccc != 0 {
			j++
		}
		if j-i > 32 {
			countingSort(us[i:j])
		} else {
			insertionSort(us[i:j])
		}
		i = j
	}
	return us
}

func insertionSort(us []unit) {
	for i := 1; i < len(us); i++ {
		u := us[i]
		j := i
		for j > 0 && us[j-1].ccc > u.ccc {
			us[j] = us[j-1]
			j--
		}
		us[j] = u
	}
}

func countingSort(us []unit) {
	var at [257]int
	for _, u := range us {
		at[int(u.ccc)+1]++
	}
	for c := 1; c < len(at); c++ {
		at[c] += at[c-1]
	}
	for _, u := range slices.Clone(us) {
		us[at[u.ccc]] = u
		at[u.ccc]++
	}
}

// compose is canonical composition (Unicode 3.11, D117) in place.
func compose(us []unit) []unit {
	starter, n := -1, 0
	last := 256
	for _, u := range us {
		if starter >= 0 && (last < int(u.ccc) || last == 0) {
			if c, ok := composite(us[starter].r, u.r); ok {
				us[starter].r = c
				continue
			}
		}
		if u.ccc == 0 {
			starter = n
		}
		last = int(u.ccc)
		us[n] = u
		n++
	}
	return us[:n]
}

const (
	syllableBase, syllableEnd = 0xAC00, 0xD7A4
	leadBase, leadEnd         = 0x1100, 0x1113
	vowelBase, vowelEnd       = 0x1161, 0x1176
	tailBase, tailEnd         = 0x11A7, 0x11C3 // tailBase itself stands for no tail
	vowels, tails             = 21, 28
)

func composite(a, b rune) (rune, bool) {
	switch {
	case a >= leadBase && a < leadEnd && b >= vowelBase && b < vowelEnd:
		return syllableBase + ((a-leadBase)*vowels+b-vowelBase)*tails, true
	case a >= syllableBase && a < syllableEnd && (a-syllableBase)%tails == 0 && b > tailBase && b < tailEnd:
		return a + b - tailBase, true
	}
	key := uint64(a)<<21 | uint64(b)
	lo, hi := 0, len(composites)
	for lo < hi {
		m := int(uint(lo+hi) >> 1)
		if composites[m]>>21 < key {
			lo = m + 1
		} else {
			hi = m
		}
	}
	if lo < len(composites) && composites[lo]>>21 == key {
		return rune(composites[lo] & (1<<21 - 1)), true
	}
	return 0, false
}
