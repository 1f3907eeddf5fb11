// Package pack takes things that have a price in tokens and gives what fits into a budget.
//
// Invariants: the sum of what is taken never exceeds the budget; what does not fit is skipped and the next one tried; an
// excerpt never costs more than it may. Order of equal values is the order in which they came.
//
// The package knows no messages and no plans.
package pack
