// Package checktalk takes a conversation and the questions on it, as kept in testdata/conversations, and gives the list
// of their faults; an empty list means that both can be relied on by demos, tests and measurements.
//
// A conversation is JSON Lines, one message a line in the shape of the contract (abi/ABI.md, messages). It is sound when
//   - every user message has a name and no two have the same content,
//   - times carry an offset and never run backwards,
//   - every tool result answers one call made earlier in the same turn, and exactly one call of the whole is abandoned,
//   - it is long enough to be a test (Least), with calls in parallel and a stretch of turns in Chinese.
//
// Questions are JSON Lines as well. They are sound when their evidence points at lines that exist without repeating the
// words of those lines, when half of them are Chinese, and when the first two ask the same, in English and in Chinese, of
// two messages far apart.
//
// The package judges form only. Whether an answer is right, a person has to read.
package checktalk
