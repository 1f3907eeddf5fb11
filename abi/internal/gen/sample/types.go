package sample

import "github.com/ctxplan/ctxplan/abi/wire"

// Everything has a field of every kind, required and optional.
//
//abi:request
//abi:response
type Everything struct {
	Name   string `json:"name"`
	Yes    bool   `json:"yes"`
	Count  int64  `json:"count"`
	Small  int32  `json:"small,omitempty"`
	Plain  int    `json:"plain,omitempty"`
	Bound  int64  `json:"bound,omitempty" min:"-3" max:"12"`
	Short  string `json:"short,omitempty" maxlen:"4"`
	Colour Colour `json:"colour,omitempty" enum:"red,green,blue"`
	// Share is a decimal number.
	Share  wire.Fixed         `json:"share,omitempty" min:"-0.5" max:"1.25"`
	Exact  wire.Fixed         `json:"exact"`
	Meta   wire.Raw           `json:"meta,omitempty"`
	Bytes  []byte             `json:"bytes,omitempty" maxlen:"6"`
	List   []string           `json:"list"`
	Few    []int64            `json:"few,omitempty" maxitems:"3"`
	Spans  [][2]int64         `json:"spans,omitempty"`
	Grid   [][]bool           `json:"grid,omitempty"`
	Inner  Inner              `json:"inner"`
	Maybe  *Inner             `json:"maybe,omitempty"`
	Null   *Inner             `json:"null"`
	Number *int64             `json:"number,omitempty"`
	Inners []Inner            `json:"inners,omitempty"`
	Words  map[string]string  `json:"words,omitempty"`
	Ranks  map[string]int64   `json:"ranks"`
	Deep   map[string][]Inner `json:"deep,omitempty"`
	Mixed  Mixed              `json:"mixed,omitempty"`
	Mixes  []Mixed            `json:"mixes,omitempty"`
	Change Change             `json:"change,omitempty"`
}

// Colour is a named string.
type Colour string

// Inner begins with what is optional.
type Inner struct {
	A string   `json:"a,omitempty"`
	B *bool    `json:"b,omitempty"`
	C string   `json:"c"`
	D []string `json:"d,omitempty"`
	// Again refers to its own type.
	Again *Inner `json:"again,omitempty"`
}

// Empty has no fields.
//
//abi:request
type Empty struct{}

// Optional has no required field.
//
//abi:response
type Optional struct {
	A int64  `json:"a,omitempty"`
	B string `json:"b,omitempty"`
	C Change `json:"c,omitempty"`
}

// Mixed is null, a text, or a list of inner values.
//
//abi:schema {"oneOf":[{"type":["string","null"]},
//abi:schema  {"type":"array","items":{"$ref":"#/$defs/Inner"}}]}
type Mixed struct {
	Text string
	List []Inner
}

// DecodeWire reads one of the three.
func (m *Mixed) DecodeWire(d *wire.Decoder) {
	switch d.Peek() {
	case wire.KindNull:
		d.Null()
	case wire.KindString:
		m.Text = d.String()
	case wire.KindArray:
		for ok := d.Array(); ok; ok = d.Element() {
			m.List = append(m.List, Inner{})
			m.List[len(m.List)-1].DecodeWire(d)
		}
	default:
		d.InvalidAt(d.Pos(), "expected null, a text or a list")
	}
}

// AppendWire writes one of the three.
func (m *Mixed) AppendWire(dst []byte) []byte {
	switch {
	case m.List != nil:
		dst = append(dst, '[')
		for i := range m.List {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = m.List[i].AppendWire(dst)
		}
		return append(dst, ']')
	case m.Text != "":
		return wire.AppendString(dst, m.Text)
	}
	return append(dst, "null"...)
}

// IsZero reports whether it is null.
func (m *Mixed) IsZero() bool { return m.Text == "" && m.List == nil }

// Options are merged.
//
//abi:merge
type Options struct {
	Turns  int64             `json:"turns" min:"0" max:"100"`
	Share  wire.Fixed        `json:"share"`
	Mode   string            `json:"mode" enum:"slow,fast"`
	Roles  []string          `json:"roles"`
	Part   PartOptions       `json:"part"`
	Model  *ModelOptions     `json:"model"`
	Other  *PartOptions      `json:"other,omitempty"`
	Labels map[string]string `json:"labels"`
	Rules  []Inner           `json:"rules"`
	Limit  *int64            `json:"limit"`
	Raw    wire.Raw          `json:"raw,omitempty"`
}

// PartOptions are a part.
//
//abi:merge
type PartOptions struct {
	On   bool   `json:"on"`
	Name string `json:"name"`
}

// ModelOptions are absent by default.
//
//abi:merge
type ModelOptions struct {
	ID    string      `json:"id" maxlen:"8"`
	Size  int64       `json:"size"`
	Inner PartOptions `json:"inner"`
}

func defaultModelOptions() ModelOptions { return ModelOptions{Size: 128} }

// Change is a patch of options.
//
//abi:patch Options
type Change struct{ Raw wire.Raw }

// DecodeWire keeps the patch as it is.
func (c *Change) DecodeWire(d *wire.Decoder) {
	switch d.Peek() {
	case wire.KindNull:
		d.Null()
	case wire.KindObject:
		c.Raw = d.Raw()
	default:
		d.InvalidAt(d.Pos(), "expected an object")
	}
}

// AppendWire writes the patch.
func (c *Change) AppendWire(dst []byte) []byte { return wire.AppendRaw(dst, c.Raw) }

// IsZero reports whether there is no patch.
func (c *Change) IsZero() bool { return len(c.Raw) == 0 }
