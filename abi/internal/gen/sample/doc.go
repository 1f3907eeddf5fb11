// Package sample holds types that use every feature of the generator, and the codec that it makes of them: the subject
// of the codec's tests.
//
// It is not a part of the contract.
package sample

//go:generate go run .. .
