// Package twin takes a JSON document and a Go type in, and gives the value or the first error out: what the generated
// codec must do, done slowly and plainly, by reflection and with encoding/json. It is the oracle of the codec's tests.
//
// It shares no code with the codec. It answers only for documents that are JSON and valid UTF-8; those that are not have
// to be refused, whatever the error.
package twin
