// Package shell takes the name of an op and the bytes of a request and gives the bytes of the response: strict decode,
// call of the engine, canonical encode.
//
// Every answer is one complete JSON object, {"error":{…}} when the op failed; the state is then as it was. Panics of the
// engine become the code internal, unless they come from the tick, which is how a host abandons a call.
//
// One Engine is one space. It is not safe for concurrent use, and is never entered again from within itself.
package shell
