package wire

// Kind is the kind of a JSON value, as its first byte tells.
type Kind byte

// The kinds of values. The zero Kind is none: the end of the document, or a byte that no value begins with.
const (
	KindNull Kind = iota + 1
	KindBool
	KindNumber
	KindString
	KindArray
	KindObject
)

// Peek returns the kind of the value that comes next without reading it.
func (d *Decoder) Peek() Kind {
	if d.pos >= len(d.data) {
		return 0
	}
	switch c := d.data[d.pos]; c {
	case 'n':
		return KindNull
	case 't', 'f':
		return KindBool
	case '"':
		return KindString
	case '[':
		return KindArray
	case '{':
		return KindObject
	default:
		if c == '-' || c >= '0' && c <= '9' {
			return KindNumber
		}
	}
	return 0
}

func (k Kind) text() string {
	switch k {
	case KindNull:
		return "null"
	case KindBool:
		return "true or false"
	case KindNumber:
		return "a number"
	case KindString:
		return "a string"
	case KindArray:
		return "an array"
	case KindObject:
		return "an object"
	}
	return "nothing"
}

// Null reads null when it comes next, and reports whether it did.
func (d *Decoder) Null() bool {
	return d.pos < len(d.data) && d.data[d.pos] == 'n' && d.null()
}

func (d *Decoder) null() bool {
	d.val = d.pos
	d.literal("null")
	return true
}

// Bool reads true or false.
func (d *Decoder) Bool() bool {
	d.val = d.pos
	if d.pos < len(d.data) {
		switch d.data[d.pos] {
		case 't':
			return d.literal("true")
		case 'f':
			d.literal("false")
			return false
		}
	}
	d.expected("true or false")
	return false
}

func (d *Decoder) literal(text string) bool {
	if len(d.data)-d.pos < len(text) || string(d.data[d.pos:d.pos+len(text)]) != text {
		d.fail(d.pos, CodeInvalid, "invalid word, expected "+text)
		return false
	}
	d.pos += len(text)
	return true
}
