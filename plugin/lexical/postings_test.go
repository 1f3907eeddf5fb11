package lexical

import (
	"math/rand"
	"slices"
	"testing"
)

func TestPostingsComeBackAsTheyWent(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	jumps := []int32{0, 1, 1, 2, 300, 65_535, 65_536, 1_000_000}
	for range 300 {
		d := newDictionary()
		id := d.internStem("word", 0)
		var want []entry
		e := entry{doc: int32(r.Intn(3)) * 70_000}
		for range r.Intn(60) {
			if jump := jumps[r.Intn(len(jumps))]; jump > 0 && len(want) > 0 {
				e.doc, e.sent = e.doc+jump, 0
			}
			e.sent += []int32{0, 0, 1, 5, 2047, 2048}[r.Intn(6)]
			// A message names one term token by token.
			tf := []int32{1, 1, 1, 2, 29, 30, 31, 32, 100}[r.Intn(9)]
			for range tf {
				d.post(id, entry{e.doc, e.sent, 1})
			}
			if n := len(want); n > 0 && want[n-1].doc == e.doc && want[n-1].sent == e.sent {
				want[n-1].tf += tf
			} else {
				want = append(want, entry{e.doc, e.sent, tf})
			}
		}
		term := &d.terms[id]
		docs := 0
		for i := range want {
			if i == 0 || want[i].doc != want[i-1].doc {
				docs++
			}
		}
		if got := term.decode(nil); !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
		if int(term.docs) != docs || int(term.entries) != len(want) || d.buffers != 4*int64(len(term.buf)) || d.postings != int64(len(want)) {
			t.Fatalf("%d messages, %d entries, %d bytes, %d postings; want %d, %d, %d, %[6]d", term.docs, term.entries, d.buffers, d.postings, docs, len(want), 4*len(term.buf))
		}
	}
}
