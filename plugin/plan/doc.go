// Package plan takes the account of a request and the fate of each message and gives the ledger and the coverage of a
// plan.
//
// Invariants: total = output + margin + system + tools + evidence + input + used; free = window − total; every message is
// in exactly one of the three ranges of the coverage. Sums saturate and never wrap.
//
// The package chooses nothing: what is in a plan was decided before.
package plan
