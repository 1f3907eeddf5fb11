package main

import (
	"fmt"
	"slices"
	"sort"
)

// Bits of a head's info: combining class 0-7, then flags.
const (
	infoFold    = 1 << (8 + iota) // the mapping is case folding, not decomposition
	infoInner                     // normalisation may join it with what stands before
	infoInnerF                    // the same for folding, in which ignorable characters vanish
	infoStable                    // by itself its own normal form
	infoStableF                   // by itself its own folded form
)

const (
	hangulBase, hangulEnd = 0xAC00, 0xD7A4
	jamoV, jamoVEnd       = 0x1161, 0x1176
	jamoT, jamoTEnd       = 0x11A8, 0x11C3
)

// decompose is the full compatibility decomposition in canonical order; Hangul syllables stay whole.
func (db *database) decompose(dst []rune, r rune) []rune {
	if d := db.chars[r].decomp; d != nil {
		for _, x := range d {
			dst = db.decompose(dst, x)
		}
		return dst
	}
	return append(dst, r)
}

func (db *database) order(rs []rune) {
	for i := 1; i < len(rs); i++ {
		for j := i; j > 0; j-- {
			a, b := db.chars[rs[j-1]].ccc, db.chars[rs[j]].ccc
			if b == 0 || a <= b {
				break
			}
			rs[j-1], rs[j] = rs[j], rs[j-1]
		}
	}
}

// mapping is what the tables say of r: its decomposition or, if it has none, its folding.
func (db *database) mapping(r rune) (to []rune, fold, ok bool) {
	if db.chars[r].decomp != nil {
		to = db.decompose(nil, r)
		db.order(to)
		return to, false, true
	}
	c := &db.chars[r]
	if c.ignorable {
		return nil, true, true
	}
	if c.fold != nil {
		for _, x := range c.fold {
			to = db.decompose(to, x)
		}
		db.order(to)
		return to, true, true
	}
	return nil, false, false
}

// folded applies decomposition and then folding to r, as plugin/text does.
func (db *database) folded(r rune) []rune {
	var out []rune
	for _, x := range db.decompose(nil, r) {
		to, _, ok := db.mapping(x)
		if !ok {
			to = []rune{x}
		}
		out = append(out, to...)
	}
	db.order(out)
	return out
}

// check compares folded with NFKC_Casefold for every code point.
func (db *database) check() error {
	for r := range rune(maxRune + 1) {
		c := &db.chars[r]
		want := []rune{r}
		if c.hasNFKCF {
			want = c.nfkcFold
		}
		var d []rune
		for _, x := range want {
			d = db.decompose(d, x)
		}
		db.order(d)
		if got := db.folded(r); !slices.Equal(jamo(got), jamo(d)) {
			return fmt.Errorf("U+%04X folds to %U, NFKC_Casefold says %U", r, got, d)
		}
	}
	return nil
}

// jamo takes Hangul syllables apart.
func jamo(rs []rune) []rune {
	var out []rune
	for _, r := range rs {
		if r < hangulBase || r >= hangulEnd {
			out = append(out, r)
			continue
		}
		n := r - hangulBase
		out = append(out, 0x1100+n/588, jamoV+n%588/28)
		if t := n % 28; t != 0 {
			out = append(out, jamoT-1+t)
		}
	}
	return out
}

// composites are first<<42 | second<<21 | composite, sorted.
func (db *database) composites() []uint64 {
	var out []uint64
	for r := range db.chars {
		c := &db.chars[r]
		if len(c.decomp) == 2 && !c.compat && !c.excluded {
			out = append(out, uint64(c.decomp[0])<<42|uint64(c.decomp[1])<<21|uint64(r))
		}
	}
	slices.Sort(out)
	return out
}

// seconds are the characters that may compose with one before them.
func (db *database) seconds() map[rune]bool {
	out := map[rune]bool{}
	for _, k := range db.composites() {
		out[rune(k>>21&(1<<21-1))] = true
	}
	for r := rune(jamoV); r < jamoVEnd; r++ {
		out[r] = true
	}
	for r := rune(jamoT); r < jamoTEnd; r++ {
		out[r] = true
	}
	return out
}

type head struct {
	to   string
	info uint16
}

// heads gives each code point the number of its row; row 0 is for characters that normalisation never touches.
func (db *database) heads() (of []uint32, rows []head) {
	of = make([]uint32, len(db.chars))
	rows = []head{{}}
	seen := map[head]uint32{{}: 0}
	second := db.seconds()
	inner := func(r rune) bool { return db.chars[r].ccc != 0 || second[r] }
	for i := range db.chars {
		r := rune(i)
		to, fold, _ := db.mapping(r)
		h := head{to: string(to), info: uint16(db.chars[r].ccc)}
		if fold {
			h.info |= infoFold
		}
		if inner(db.decompose(nil, r)[0]) {
			h.info |= infoInner
		}
		if f := db.folded(r); len(f) == 0 || inner(f[0]) {
			h.info |= infoInnerF
		}
		if h.info&infoInner != 0 {
			h.info |= infoInnerF
		}
		if h.info != 0 || h.to != "" {
			if !db.chars[r].changes {
				h.info |= infoStable
			}
			if !db.chars[r].hasNFKCF {
				h.info |= infoStableF
			}
		}
		n, ok := seen[h]
		if !ok {
			n = uint32(len(rows))
			rows = append(rows, h)
			seen[h] = n
		}
		of[r] = n
	}
	return of, rows
}

// pool packs strings so that each is a substring.
func pool(rows []head) (text string, offset map[string]int) {
	var all []string
	for _, h := range rows {
		all = append(all, h.to)
	}
	sort.Slice(all, func(i, j int) bool {
		if len(all[i]) != len(all[j]) {
			return len(all[i]) > len(all[j])
		}
		return all[i] < all[j]
	})
	return packStrings(all)
}
