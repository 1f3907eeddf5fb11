package lexical

import "github.com/ctxplan/ctxplan/plugin/num"

// idf is ln(1 + (N−n+.5)/(n+.5)), above 0 for every n ≤ N. It follows Robertson and Zaragoza (2009) with the 1 inside the
// logarithm that Lucene adds.
func idf(total, n int) float64 {
	return num.Log(1 + (float64(total-n)+.5)/(float64(n)+.5))
}

// Parameters of BM25.
const (
	k1        = 1.2
	bPassage  = .75
	bSentence = .4
)

// collection scores the documents of one kind. A document is given by its length in the unit of the collection.
type collection struct {
	total    int     // documents
	constant float64 // k1·(1−b)
	slope    float64 // k1·b / mean length
}

// newCollection takes the sum of lengths, in units of which there are perToken in a token.
func newCollection(total int, length int64, b float64) collection {
	c := collection{total: total, constant: float64(k1 * (1 - b))}
	if total > 0 && length > 0 {
		mean := float64(length) / float64(total)
		c.slope = float64(k1*b) / mean
	}
	return c
}

// gain is weight·idf·(k1+1), the factor of a term in this collection.
func (c collection) gain(weight float64, n int) float64 {
	return float64(float64(weight*idf(c.total, n)) * (k1 + 1))
}

// score is gain·tf / (tf + k1·(1−b + b·length/mean length)).
func (c collection) score(gain, tf, length float64) float64 {
	return float64(gain*tf) / (tf + c.constant + float64(c.slope*length))
}
