// Command wasmlink takes a WebAssembly module as the Go linker wrote it and
// gives back one that hosts load faster and can hold to a ceiling:
//
//	wasmlink -imports abi/imports.txt -exports abi/exports.txt -pages 16384 -o out.wasm in.wasm
//
// It writes a maximum into the memory section, merges data segments, drops
// custom sections, and checks the names that the module imports and exports.
//
// Invariants:
//
//   - The memory image after instantiation is the same before and after.
//   - All other sections keep their bytes.
//   - The output depends on nothing but the input and the flags.
//   - A module that it doesn't understand is an error and never passed on.
//
// It does not look into code, and it does not optimise. The binary format is
// that of the WebAssembly core specification 2.0, section 5.
package main
