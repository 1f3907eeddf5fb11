// Package tokens takes texts and messages and answers how many tokens a model is charged for them, by a profile.
//
// A profile is an estimate: a weight for each character by its class, plus flat prices for messages, calls and images.
// Every profile is linear in the length of the text, never counts more than one token a byte, and is monotone: adding a
// non-empty part never lowers the cost, and for any texts a and b
//
//	max(cost a, cost b) ≤ cost(a+b) ≤ cost a + cost b + 1.
//
// Arithmetic is in integers. Profile chars4 is the one of published comparisons (characters / 4, 0.75 for a CJK
// character, 4 for a message); generic errs on the safe side for any model. Exact counting by a model's own tokenizer is
// the host's business.
package tokens
