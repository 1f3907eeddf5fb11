// Package vector takes vectors as bytes and gives small ones that can be compared: int8 for what is stored, int16 for the
// question.
//
// A vector is normalised and scaled so that its largest component is 127 (32,767 for a question), rounded half to even;
// the scale is kept as an integer, so that a comparison is a product of integers and is the same on every machine. Vectors
// with a component that is not finite, and those of length zero, are refused. Only vectors of one model and dimension may
// be compared; the caller sees to that.
//
// The kernel has a scalar and a SIMD form that give equal results.
package vector
