package lexical

import (
	"math/bits"

	"github.com/ctxplan/ctxplan/plugin/text"
)

// dictionary maps folded words to surfaces, and surfaces to terms. Ingest looks up each word once; its stem is computed
// when the word is new. A surface lives while a message holds the word, a term while one of its surfaces does.
type dictionary struct {
	words        map[string]int32
	surfaces     []surface
	freeSurfaces []int32
	stems        map[string]int32
	terms        []term
	masks        []uint32 // letters of each term, to pass over terms that can't be near a word
	freeTerms    []int32

	keys     int64 // bytes of words and stems
	buffers  int64 // bytes of postings
	postings int64
	stem     []byte
}

// surface is one folded word as it is written.
type surface struct {
	term  int32
	count int32 // tokens in all messages
	time  bool  // a word of time
}

const (
	surfaceBytes = 48
	termBytes    = 112
)

func newDictionary() dictionary {
	return dictionary{words: map[string]int32{}, stems: map[string]int32{}}
}

func (d *dictionary) size() int64 {
	return int64(len(d.surfaces)-len(d.freeSurfaces))*surfaceBytes + int64(len(d.terms)-len(d.freeTerms))*termBytes + d.keys + d.buffers
}

// intern returns the surface of a token, new if need be.
func (d *dictionary) intern(t text.Token) int32 {
	if id, ok := d.words[string(t.Term)]; ok {
		return id
	}
	word := string(t.Term)
	s := surface{term: d.internStem(word, t.Kind), time: timeWord(word, t.Kind)}
	id := int32(len(d.surfaces))
	if n := len(d.freeSurfaces); n > 0 {
		id, d.freeSurfaces = d.freeSurfaces[n-1], d.freeSurfaces[:n-1]
		d.surfaces[id] = s
	} else {
		d.surfaces = append(d.surfaces, s)
	}
	d.words[word] = id
	d.keys += int64(len(word))
	return id
}

func (d *dictionary) internStem(word string, kind text.Kind) int32 {
	key := word
	if kind == text.Word {
		d.stem = text.Stem(d.stem[:0], text.English, []byte(word))
		if string(d.stem) != word {
			key = string(d.stem)
		}
	}
	if id, ok := d.stems[key]; ok {
		return id
	}
	id := int32(len(d.terms))
	if n := len(d.freeTerms); n > 0 {
		id, d.freeTerms = d.freeTerms[n-1], d.freeTerms[:n-1]
		d.terms[id] = newTerm(key)
		d.masks[id] = letters(key)
	} else {
		d.terms = append(d.terms, newTerm(key))
		d.masks = append(d.masks, letters(key))
	}
	d.stems[key] = id
	d.keys += int64(len(key))
	return id
}

// release takes one token of a surface out, and the surface with the last one.
func (d *dictionary) release(word []byte, id int32) {
	s := &d.surfaces[id]
	if s.count--; s.count > 0 {
		return
	}
	delete(d.words, string(word))
	d.keys -= int64(len(word))
	*s = surface{}
	d.freeSurfaces = append(d.freeSurfaces, id)
}

// drop takes a term out that has no postings.
func (d *dictionary) drop(id int32) {
	t := &d.terms[id]
	delete(d.stems, t.key)
	d.keys -= int64(len(t.key))
	*t = term{}
	d.masks[id] = 0
	d.freeTerms = append(d.freeTerms, id)
}

// letters is a set of the letters of a word: one bit each for a to z, digits and other ASCII together, the rest by hash.
func letters(word string) uint32 {
	var m uint32
	for i := 0; i < len(word); i++ {
		switch c := word[i]; {
		case c >= 'a' && c <= 'z':
			m |= 1 << (c - 'a')
		case c < 0x80:
			m |= 1 << 26
		default:
			m |= 1 << (27 + c%5)
		}
	}
	return m
}

// lettersApart is how many letters one word has that the other has not, at least.
func lettersApart(a, b uint32) int { return bits.OnesCount32(a ^ b) }
