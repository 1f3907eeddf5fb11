// Package rank takes ranked lists of messages and gives one: the fused ranking.
//
// Ranks begin at 1; a message that a list lacks gets nothing from that list; one that stands twice in a list counts once,
// at its better rank. Order is total: score, then thread, then message. Arithmetic is in integers, or in floating-point
// operations that are the same everywhere.
//
// Weighted reciprocal rank fusion is that of Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet
// and individual Rank Learning Methods" (SIGIR 2009), with a weight for each list.
//
// The package knows neither texts nor vectors.
package rank
