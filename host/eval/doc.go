// Package eval takes evaluation sets (conversations, and questions with the turns that hold their answers) and measures
// how much of that evidence a context plan holds within a token budget.
//
// A set is two files: NAME.conv.jsonl.gz with one conversation a line, and NAME.q.jsonl with one question a line. Two
// figures are reported for a budget: the mean fraction of the evidence turns of a question that are in its plan, and the
// share of questions with all of them. Order of conversations, sessions, turns and questions is that of the files.
//
// The package holds no data and knows no paths; sets are named by the caller. It does not judge answers of a model.
package eval
