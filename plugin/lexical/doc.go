// Package lexical takes the messages of threads and a question, and gives the messages ranked by the words they share.
//
// An Index holds one thread: one list of postings per term, each with message, sentence and frequency. All else is added
// up when a question comes: the context of a message, its run, its session. Searcher.Search ranks over several threads
// together. The score is the one that was measured best without a model:
//
//	s = .5·A/max A + 1·W/max W + .75·S/max S + .7·P/max P, times the boosts
//
// Each of the four is BM25 with idf = ln(1 + (N−n+.5)/(n+.5)) over a collection of its own:
//
//	A  the run of the message: consecutive messages of one speaker  k1 1.2, b .75
//	W  the message and its neighbours, ¼ ½ 1 ½ ¼, same session     k1 1.2, b .75
//	S  its best sentence                                            k1 1.2, b .4
//	P  its session                                                  k1 1.2, b .75
//
// The frequency of a term in a message is its count in the text, plus its count in the name of the speaker, plus one half
// for each of month, day and year of the date that it names. A sentence has its own words and the name of the speaker.
//
// Weights: 1 for a word, 2 for the name of a participant, .3 for a function word, 0 for a question word. Bigrams of
// unspaced scripts weigh 1, .75 with one particle, .5 when wholly of particles; a single character weighs .4 of that and
// stands for all grams that hold it. A word of four letters or more that no visible message holds is replaced at .5 by
// the terms that are one edit away or share a prefix of five letters and 70 % of the longer one; that goes for the first
// 24 such words of a question. A question of function and question words alone is searched by those, at .3, articles,
// prepositions and conjunctions left out: "The Who" finds something, "of the and" nothing.
//
// Boosts: ×1.25 when the question asks for a time and the message holds a word of time, ×1.4 when the question names a
// date and the message is of it, ×1.8 when it names exactly one participant and the message is that participant's.
//
// Candidates are the messages with A, W or S above 0; among fewer than 20 visible messages only those that hold a term
// themselves. Work is bounded: content terms are taken rarest first while their
// reach (how many visible messages hold the term in text, name or date) adds up to at most the number of visible messages
// or 4,096, whichever is more; then function words likewise while the sum is at most 4,096. The first term is always
// taken. Terms that are not taken score nothing. Measured on conversations of 1,000 to 2,400 messages, that bound alone
// changes the evidence in a plan by less than a hundredth either way.
//
// A message without a term takes no part: it is in no statistics and no neighbour of any other.
//
// What is not visible leaves no trace: statistics, neighbours, names, replacements and order are those of an index that
// holds the visible messages alone, bit for bit. The same holds for removed messages.
//
// Floating-point sums run in a fixed order, of terms and then of parts, without fused operations, so that scores are
// equal on every machine. The package does not store texts, does not know tokens or budgets, and does not fuse lists.
package lexical
