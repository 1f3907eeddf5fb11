package wire

// maxInt stands for a tick that is never due.
const maxInt = int(^uint(0) >> 1)

// MaxDepth is how deeply documents may be nested.
const MaxDepth = 64

// tickBytes is how much input is read between two ticks.
const tickBytes = 16 << 10

// maxRepaired is how many paths of repaired strings are kept.
const maxRepaired = 16

// Value is what a document can be decoded into. DecodeWire reads exactly one JSON value; the receiver is zero before.
type Value interface {
	DecodeWire(d *Decoder)
}

// Decoder reads one JSON document at a time. The zero Decoder is ready; its options are set before Decode. It may be
// reused, and must not be used by two goroutines at once.
type Decoder struct {
	// Strict refuses unknown fields; without it they are checked for syntax and skipped.
	Strict bool
	// Alias lets strings, raw values and map keys share memory with the document, which then must not be changed as
	// long as they live.
	Alias bool
	// Tick, when set, is called about every 16 kB of input. It may panic to abandon the document.
	Tick func()
	// Prefix stands before every path, for a document that is part of another one.
	Prefix string
	// Deeper is how much more than MaxDepth the document may be nested, for one that holds another document.
	Deeper int

	// Repaired holds the paths of the first 16 strings in which a lone surrogate escape became U+FFFD.
	Repaired []string
	// RepairedCount is how many lone surrogates were replaced, in all strings.
	RepairedCount int

	quiet bool // build no paths

	doc  []byte // the whole document
	data []byte // the same, and empty after an error, so that all reading ends
	pos  int
	key  []byte // name of the current member, without escapes
	keyQ int    // where the name begins, at its quote
	val  int    // where the newest scalar value began
	next int    // where the next tick is due

	arena    []byte // free memory for strings with escapes
	err      *Error
	repaired []place
}

// place is a string in the document: a value, or the key of a member.
type place struct {
	at    int
	isKey bool
	key   string
}

// Decode reads doc into v, which must be zero. The error is nil or an *Error; after an error v holds parts of the
// document and is to be thrown away. The decoder keeps doc until the next call.
func (d *Decoder) Decode(doc []byte, v Value) error {
	return d.DecodeFunc(doc, v.DecodeWire)
}

// DecodeFunc is Decode with a function that reads exactly one value.
func (d *Decoder) DecodeFunc(doc []byte, read func(*Decoder)) error {
	d.doc, d.data, d.pos, d.err, d.key = doc, doc, 0, nil, nil
	d.Repaired, d.RepairedCount, d.repaired, d.arena = nil, 0, nil, nil
	d.next = maxInt
	if d.Tick != nil {
		d.next = tickBytes
	}
	if at := deeper(doc, MaxDepth+d.Deeper, d.Tick); at >= 0 {
		d.fail(at, CodeInvalid, "nested too deeply")
		return d.err
	}
	if d.space() == 0 && d.pos >= len(doc) {
		d.fail(0, CodeInvalid, "empty document")
		return d.err
	}
	if len(doc) >= 3 && doc[0] == 0xEF && doc[1] == 0xBB && doc[2] == 0xBF {
		d.fail(0, CodeInvalid, "byte order mark before the document")
		return d.err
	}
	read(d)
	d.end()
	if d.err != nil {
		return d.err
	}
	d.resolveRepaired()
	return nil
}

// Unmarshal reads doc into v, which must be zero, ignoring unknown fields and sharing no memory with doc.
func Unmarshal(doc []byte, v Value) error {
	var d Decoder
	return d.Decode(doc, v)
}

// Failed reports whether the document has been refused.
func (d *Decoder) Failed() bool { return d.err != nil }

// Invalid refuses the document because of the scalar value read last.
func (d *Decoder) Invalid(message string) { d.fail(d.val, CodeInvalid, message) }

// Pos returns the offset of the value that comes next, for InvalidAt.
func (d *Decoder) Pos() int { return d.pos }

// InvalidAt refuses the document because of the value that begins at pos.
func (d *Decoder) InvalidAt(pos int, message string) { d.fail(pos, CodeInvalid, message) }

// Object begins an object. It reports whether there is a first member, whose value comes next; Key has its name.
//
//	for ok := d.Object(); ok; ok = d.Member() {
//		switch string(d.Key()) { … }
//	}
func (d *Decoder) Object() bool {
	if d.pos >= len(d.data) || d.data[d.pos] != '{' {
		d.expected("an object")
		return false
	}
	d.pos++
	if d.space() == '}' {
		d.pos++
		return false
	}
	return d.member()
}

// Member goes on in an object after a value. It reports whether there is another member.
func (d *Decoder) Member() bool {
	if d.pos >= d.next {
		d.tick()
	}
	switch d.space() {
	case ',':
		d.pos++
		d.space()
		return d.member()
	case '}':
		d.pos++
		return false
	}
	d.syntax("expected a comma or } in an object")
	return false
}

func (d *Decoder) member() bool {
	if d.pos >= len(d.data) || d.data[d.pos] != '"' {
		d.syntax("expected a name in quotes")
		return false
	}
	known := len(d.repaired)
	d.keyQ = d.pos
	d.key, _ = d.text()
	if len(d.repaired) > known {
		d.repaired[known].isKey, d.repaired[known].key = true, string(d.key)
	}
	if d.space() != ':' {
		d.syntax("expected a colon after a name")
		return false
	}
	d.pos++
	d.space()
	return true
}

// Key returns the name of the current member without escapes. It is valid until the next call of the decoder.
func (d *Decoder) Key() []byte { return d.key }

// KeyString returns the name of the current member as a string that may be kept.
func (d *Decoder) KeyString() string {
	if d.Alias {
		return alias(d.key)
	}
	return string(d.key)
}

// Unknown deals with a member whose name is not known: an error when strict, else it is skipped.
func (d *Decoder) Unknown() {
	if d.Strict {
		d.failName(d.keyQ, string(d.key), CodeUnknownField, "unknown field")
		return
	}
	d.Skip()
}

// Duplicate refuses the document because the name of the current member stood in the object before.
func (d *Decoder) Duplicate() {
	d.failName(d.keyQ, string(d.key), CodeInvalid, "duplicate key")
}

// Once refuses the document when bit is in seen: its member stood in the object before. It returns seen with bit.
func (d *Decoder) Once(seen, bit uint64) uint64 {
	if seen&bit != 0 {
		d.Duplicate()
	}
	return seen | bit
}

// Missing refuses the document when a bit of need is not in seen, after the object has been read. Bit i stands for word
// i of names, which are separated by single spaces.
func (d *Decoder) Missing(seen, need uint64, names string) {
	miss := need &^ seen
	if miss == 0 || d.err != nil {
		return
	}
	for ; miss&1 == 0; miss >>= 1 {
		for names[0] != ' ' {
			names = names[1:]
		}
		names = names[1:]
	}
	n := 0
	for n < len(names) && names[n] != ' ' {
		n++
	}
	d.failName(d.pos-1, names[:n], CodeInvalid, "missing field")
}

// Array begins an array. It reports whether there is a first element, which comes next.
//
//	for ok := d.Array(); ok; ok = d.Element() { … }
func (d *Decoder) Array() bool {
	if d.pos >= len(d.data) || d.data[d.pos] != '[' {
		d.expected("an array")
		return false
	}
	d.pos++
	if d.space() == ']' {
		d.pos++
		return false
	}
	return true
}

// Element goes on in an array after a value. It reports whether there is another element.
func (d *Decoder) Element() bool {
	if d.pos >= d.next {
		d.tick()
	}
	switch d.space() {
	case ',':
		d.pos++
		d.space()
		return true
	case ']':
		d.pos++
		return false
	}
	d.syntax("expected a comma or ] in an array")
	return false
}

// TooMany refuses the document because of an element beyond a limit. It is called before that element is read.
func (d *Decoder) TooMany() { d.fail(d.pos, CodeInvalid, "too many elements") }

// Length refuses the document because the array that was just read has not the length it must have.
func (d *Decoder) Length() { d.fail(d.pos-1, CodeInvalid, "array of a wrong length") }

// space skips insignificant space and returns the byte after it, 0 at the end of the document.
func (d *Decoder) space() byte {
	for d.pos < len(d.data) {
		c := d.data[d.pos]
		if c > ' ' {
			return c
		}
		if c != ' ' && c != '\n' && c != '\r' && c != '\t' {
			return c
		}
		d.pos++
		if d.pos >= d.next {
			d.tick()
		}
	}
	return 0
}

func (d *Decoder) end() {
	d.space()
	if d.pos < len(d.data) {
		d.stop(CodeInvalid, "text after the document", d.Prefix)
	}
}

func (d *Decoder) tick() {
	d.Tick()
	d.next = d.pos + tickBytes
}

// fail keeps the first error, with the path of the value around offset at.
func (d *Decoder) fail(at int, code, message string) {
	switch {
	case d.err != nil:
	case d.quiet:
		d.stop(code, message, "")
	default:
		w := walk{doc: d.doc, tick: d.Tick}
		w.to(at)
		d.stop(code, message, w.path(d.Prefix))
	}
}

// failName is fail for a member of the object around offset at.
func (d *Decoder) failName(at int, name, code, message string) {
	if d.err == nil {
		w := walk{doc: d.doc, tick: d.Tick}
		w.to(at)
		d.stop(code, message, appendName(w.path(d.Prefix), name))
	}
}

// stop makes all further reading end at once.
func (d *Decoder) stop(code, message, path string) {
	d.data, d.pos, d.next = nil, 0, maxInt
	d.err = &Error{Code: code, Message: message, Path: path}
}

// syntax refuses the document at the current position.
func (d *Decoder) syntax(message string) {
	if d.pos >= len(d.data) {
		message = "unexpected end of the document"
	}
	d.fail(d.pos, CodeInvalid, message)
}

// expected refuses the value at the current position because it is not what.
func (d *Decoder) expected(what string) {
	if d.pos >= len(d.data) {
		d.fail(len(d.doc), CodeInvalid, "unexpected end of the document")
		return
	}
	message := "expected " + what
	if found := d.Peek(); found != 0 {
		message += ", found " + found.text()
	}
	d.fail(d.pos, CodeInvalid, message)
}
