// Package need takes what the engine wants from a model and gives needs: model calls with an id that is derived from what
// they are for.
//
// The same source, model and text give the same id on every machine; another text or another model gives another one, so
// that a late result for something that has changed is known as such. A need holds at most 32 texts and 8,192 tokens, of
// one message.
//
// The package keeps no state and calls nobody.
package need
