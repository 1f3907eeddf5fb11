package text

// Kind says what a token is, so that an index can weigh it.
type Kind uint8

const (
	// Word is a run of letters, marks and digits with at least one letter.
	Word Kind = iota
	// Number is a run of digits, perhaps with a decimal point; thousands separators are left out of its term.
	Number
	// Gram is two neighbouring characters of a script without spaces (or of Hangul), or a single one that stands alone.
	Gram
	// Symbolic is a compound such as c++, .env, v2 or node.js. It comes before the tokens that it is made of.
	Symbolic
)

// Token is one index term of a text. Term is folded and valid only during the call of emit;
// Start and End are bytes of the text as it was given.
type Token struct {
	Term       []byte
	Start, End int
	Kind       Kind
}
