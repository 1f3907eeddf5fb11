// Package num takes numbers and gives the same numbers on every machine: logarithm, rounding, and integer arithmetic
// that saturates instead of wrapping.
//
// Invariants: floating-point code uses only + - * / and square root, which IEEE 754 rounds in one way, and writes
// float64(x*y)+z wherever a product is added, so that no compiler fuses the two; results are therefore equal bit for bit
// on amd64 at every level, on arm64 and in WebAssembly. Package math does not promise that for Log, Exp or Pow.
//
// It does not do error analysis at run time, and knows nothing of scores or tokens. Safe for concurrent use.
package num
