// Command ctxplan takes a conversation and a question from files and prints the
// context plan, or takes requests of the ABI as lines and prints the responses.
//
// Everything a command reads is parsed and checked before the engine sees any
// of it; a broken line is named by file and line. Results go to standard output
// and nothing else does; errors, notes and progress go to standard error. The
// exit code is 0 when all went well, 1 when an op or an input failed, 2 for
// wrong usage.
//
// The command stores nothing and calls no model: a space lives as long as the
// process.
package main
