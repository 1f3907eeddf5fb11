// Command extismfilter takes the lines of the conformance suite on its standard
// input and gives the responses of an Extism plug-in on its standard output:
//
//	extismfilter build/ctxplan.extism.wasm
//
// Invariants:
//
//   - The bytes of a request reach the plug-in as they stand in the line, and
//     those of its response come back as they are.
//   - A plug-in instance is one space; a reset throws it away and makes another.
//   - After a call that failed, every op is unavailable until the next reset.
//
// It checks no request and repairs no response: what Extism can't carry is to
// be seen here. It is a module of its own, so that the Extism SDK is no
// dependency of the programs that import package host. The protocol is that of
// testdata/conformance/README.md.
package main
