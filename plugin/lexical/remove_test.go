package lexical

import (
	"math/rand"
	"slices"
	"testing"
)

// state is all that an index holds, in a form that does not depend on numbers of terms and surfaces.
func state(x *Index) map[string][]entry {
	out := map[string][]entry{}
	for word, id := range x.words {
		out["word "+word] = []entry{{x.surfaces[id].count, 0, 0}}
	}
	for stem, id := range x.stems {
		out["stem "+stem] = x.terms[id].decode(nil)
	}
	for name, id := range x.speakers.byName {
		out["name "+name] = []entry{{x.speakers.list[id].count, 0, 0}}
	}
	return out
}

// TestRemoveLeavesNothing removes at random and compares with an index to which the removed messages came empty.
func TestRemoveLeavesNothing(t *testing.T) {
	for seed := range int64(60) {
		r := rand.New(rand.NewSource(seed))
		docs := randomThread(r, 1+r.Intn(40))
		x, want := New(), New()
		for _, d := range docs {
			x.Add(d)
		}
		var gone []int
		for i := range docs {
			if r.Intn(2) == 0 {
				gone = append(gone, i)
			}
		}
		r.Shuffle(len(gone), func(a, b int) { gone[a], gone[b] = gone[b], gone[a] })
		if r.Intn(2) == 0 {
			if !x.RemoveAll(append(gone, gone...), func(doc int) Doc { return docs[doc] }) {
				t.Fatalf("seed %d: not removed", seed)
			}
		} else {
			for _, i := range gone {
				if !x.Remove(i, docs[i]) {
					t.Fatalf("seed %d: %d not removed", seed, i)
				}
				if x.Remove(i, docs[i]) {
					t.Fatalf("seed %d: %d removed twice", seed, i)
				}
			}
		}
		for i, d := range docs {
			if slices.Contains(gone, i) {
				d = Doc{Session: d.Session, Run: d.Run}
			}
			want.Add(d)
		}
		a, b := state(x), state(want)
		for k, v := range a {
			if !slices.Equal(v, b[k]) {
				t.Fatalf("seed %d: %s is %v, want %v", seed, k, v, b[k])
			}
		}
		if len(a) != len(b) || x.Postings() != want.Postings() || x.Terms() != want.Terms() || x.Live() != want.Live() || x.Len() != want.Len() {
			t.Fatalf("seed %d: %d entries, %d postings, %d terms, %d live; want %d, %d, %d, %d", seed,
				len(a), x.Postings(), x.Terms(), x.Live(), len(b), want.Postings(), want.Terms(), want.Live())
		}
		if x.buffers != want.buffers || x.keys != want.keys {
			t.Fatalf("seed %d: %d bytes of postings, %d of words; want %d, %d", seed, x.buffers, x.keys, want.buffers, want.keys)
		}
		// What freed numbers take up again must be as good as new.
		for i, d := range docs {
			x.Add(d)
			want.Add(d)
			if slices.Contains(gone, i) && r.Intn(2) == 0 {
				x.Remove(x.Len()-1, d)
				want.Remove(want.Len()-1, d)
			}
		}
		a, b = state(x), state(want)
		for k, v := range b {
			if !slices.Equal(v, a[k]) {
				t.Fatalf("seed %d: after more, %s is %v, want %v", seed, k, a[k], v)
			}
		}
	}
}

func TestRemoveRefusesAnotherMessage(t *testing.T) {
	x := New()
	d := Doc{Text: "the door code is 4417", Speaker: "Ana", Year: 2024, Month: 5, Day: 8}
	x.Add(d)
	x.Add(Doc{Text: "tea"})
	before := state(x)
	for name, c := range map[string]struct {
		doc int
		d   Doc
	}{
		"no such number":  {2, d},
		"negative number": {-1, d},
		"another text":    {0, Doc{Text: "tea", Speaker: "Ana", Year: 2024, Month: 5, Day: 8}},
		"unknown words":   {0, Doc{Text: "the door code is 4418", Speaker: "Ana", Year: 2024, Month: 5, Day: 8}},
		"another speaker": {0, Doc{Text: d.Text, Speaker: "Bo", Year: 2024, Month: 5, Day: 8}},
		"no speaker":      {0, Doc{Text: d.Text, Year: 2024, Month: 5, Day: 8}},
		"another date":    {0, Doc{Text: d.Text, Speaker: "Ana", Year: 2024, Month: 5, Day: 9}},
	} {
		if x.Remove(c.doc, c.d) {
			t.Errorf("%s: removed", name)
		}
	}
	after := state(x)
	for k, v := range before {
		if !slices.Equal(v, after[k]) {
			t.Errorf("%s changed from %v to %v", k, v, after[k])
		}
	}
	if !x.Remove(0, d) || x.Terms() != 1 {
		t.Errorf("%d terms are left", x.Terms())
	}
}
