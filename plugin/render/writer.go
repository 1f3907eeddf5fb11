package render

import "github.com/ctxplan/ctxplan/abi/wire"

// writer writes JSON from front to back. It sees from the last byte whether a comma is due: no value ends in {, [ or a
// colon.
type writer struct {
	b []byte
}

func (w *writer) comma() {
	if n := len(w.b); n > 0 {
		switch w.b[n-1] {
		case '{', '[', ':':
		default:
			w.b = append(w.b, ',')
		}
	}
}

// open begins an object or array.
func (w *writer) open(bracket byte) {
	w.comma()
	w.b = append(w.b, bracket)
}

// close ends what is open, innermost last: the brackets are those that close.
func (w *writer) close(brackets string) { w.b = append(w.b, brackets...) }

// key begins a member.
func (w *writer) key(name string) {
	w.comma()
	w.b = append(w.b, '"')
	w.b = append(w.b, name...)
	w.b = append(w.b, `":`...)
}

// text writes a string.
func (w *writer) text(s string) {
	w.comma()
	w.b = wire.AppendString(w.b, s)
}

// raw writes JSON as it is.
func (w *writer) raw(json string) {
	w.comma()
	w.b = append(w.b, json...)
}

// object writes JSON without space.
func (w *writer) object(json string) {
	w.comma()
	w.b = appendCompact(w.b, json)
}

// arguments writes the arguments of a call as an object.
func (w *writer) arguments(s string) {
	w.comma()
	w.b = appendArguments(w.b, s)
}

// member writes a member that is a string.
func (w *writer) member(name, value string) {
	w.key(name)
	w.text(value)
}
