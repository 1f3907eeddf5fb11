// Package scenario takes stories of requests and of what must hold of their
// answers, runs them on an engine, and gives back what did not hold.
//
// A story is a file of testdata/scenarios, whose README describes the form. An
// expectation names a place in an answer by a path and says one thing about it.
// Beside what a story expects, every plan in it has to keep the guarantees that
// every plan gives, which [Guarantees] checks against the messages that are
// stored; that function is a second, naive telling of the rules, and shares
// nothing with the engine.
//
// The package compares no bytes with files: that is the conformance suite.
package scenario
