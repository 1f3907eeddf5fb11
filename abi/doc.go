// Package abi holds the contract between the ctxplan engine and its hosts: request and response types in, canonical
// JSON bytes out, and back.
//
// types.go, plan.go and settings.go are the one definition of every request and response. The codec (codec_gen.go) and the JSON
// Schemas (schema/) are generated from them; ABI.md describes the same contract for people and for hosts in other
// languages. A test fails when any of the three is stale.
//
// Requests are decoded strictly: an unknown field, a duplicate key, a wrong type or invalid UTF-8 is an error that names
// the path. For an optional field null is the same as absent. Readers of responses ignore fields that they do not know.
//
// The package does no I/O, keeps no state, and is safe for concurrent use.
package abi
