package text

import (
	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// Lang selects a stemmer.
type Lang uint8

const (
	// None leaves terms as they are.
	None Lang = iota
	// English is the Snowball English (Porter 2) stemmer.
	English
)

// Stem appends the stem of a folded term to dst. It allocates; callers keep a cache from term to stem.
func Stem(dst []byte, lang Lang, term []byte) []byte {
	if lang != English || len(term) < 3 || len(term) > MaxTerm {
		return append(dst, term...)
	}
	for _, c := range term {
		if c < 'a' && c != '\'' || c > 'z' {
			return append(dst, term...)
		}
	}
	env := snowballstem.NewEnv(string(term))
	english.Stem(env)
	return append(dst, env.Current()...)
}
