package abi

import "github.com/ctxplan/ctxplan/abi/wire"

// maxParts bounds the parts of a message and the texts of evidence.
const maxParts = 1000

// Content of a message: text or parts. Null, "", [] and absence are the same, the zero Content.
//
//abi:schema {"oneOf":[{"type":["string","null"]},{"type":"array","maxItems":1000,"items":{"$ref":"#/$defs/Part"}}]}
type Content struct {
	// Text when the content is plain text.
	Text string
	// Parts otherwise.
	Parts []Part
}

// Empty reports whether there is no content.
func (c *Content) Empty() bool { return c.Text == "" && len(c.Parts) == 0 }

// TextContent makes a content of plain text.
func TextContent(s string) Content { return Content{Text: s} }

// DecodeWire reads null, a string or an array of parts.
func (c *Content) DecodeWire(d *wire.Decoder) {
	switch d.Peek() {
	case wire.KindNull:
		d.Null()
	case wire.KindArray:
		for ok := d.Array(); ok; ok = d.Element() {
			if len(c.Parts) == maxParts {
				d.TooMany()
				return
			}
			c.Parts = append(c.Parts, Part{})
			c.Parts[len(c.Parts)-1].DecodeWire(d)
		}
	case wire.KindString:
		c.Text = d.String()
	default:
		d.InvalidAt(d.Pos(), "expected a string, null or an array of parts")
	}
}

// AppendWire writes a string or an array of parts.
func (c *Content) AppendWire(dst []byte) []byte {
	if len(c.Parts) == 0 {
		return wire.AppendString(dst, c.Text)
	}
	dst = append(dst, '[')
	for i := range c.Parts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = c.Parts[i].AppendWire(dst)
	}
	return append(dst, ']')
}

// IsZero reports whether there is no content, so that it is left out.
func (c *Content) IsZero() bool { return c.Empty() }

// Names is a list of names of which the empty one differs from none.
//
//abi:schema {"type":["array","null"],"maxItems":1000,"items":{"type":"string"}}
type Names struct {
	List []string
	// Given says that there was a list.
	Given bool
}

// DecodeWire reads null or an array of strings.
func (n *Names) DecodeWire(d *wire.Decoder) {
	if d.Peek() == wire.KindNull {
		d.Null()
		return
	}
	n.Given = true
	for ok := d.Array(); ok; ok = d.Element() {
		if len(n.List) == maxParts {
			d.TooMany()
			return
		}
		n.List = append(n.List, d.String())
	}
}

// AppendWire writes the array, null when there is none.
func (n *Names) AppendWire(dst []byte) []byte {
	if !n.Given {
		return append(dst, "null"...)
	}
	dst = append(dst, '[')
	for i, s := range n.List {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = wire.AppendString(dst, s)
	}
	return append(dst, ']')
}

// IsZero reports whether there is no list.
func (n *Names) IsZero() bool { return !n.Given }

// SettingsPatch is a JSON object of settings, merged by RFC 7396.
//
//abi:patch Settings
type SettingsPatch struct {
	// Raw is the object as it came, empty when there is none.
	Raw wire.Raw
}

// DecodeWire keeps the object as it is; it is read when it is merged.
func (p *SettingsPatch) DecodeWire(d *wire.Decoder) {
	switch d.Peek() {
	case wire.KindNull:
		d.Null()
	case wire.KindObject:
		p.Raw = d.Raw()
	default:
		d.InvalidAt(d.Pos(), "expected an object of settings")
	}
}

// AppendWire writes the object, null when there is none.
func (p *SettingsPatch) AppendWire(dst []byte) []byte {
	if len(p.Raw) == 0 {
		return append(dst, "null"...)
	}
	return wire.AppendRaw(dst, p.Raw)
}

// IsZero reports whether there is no patch.
func (p *SettingsPatch) IsZero() bool { return len(p.Raw) == 0 }

// Merge merges the patch into s by RFC 7396. Paths in errors begin with path. After an error s is to be thrown away.
func (p *SettingsPatch) Merge(s *Settings, path string) *wire.Error {
	if len(p.Raw) == 0 {
		return nil
	}
	def := DefaultSettings()
	d := wire.Decoder{Strict: true, Prefix: path}
	if err := d.DecodeFunc(p.Raw, func(d *wire.Decoder) { mergeSettings(d, s, &def) }); err != nil {
		return err.(*wire.Error)
	}
	return nil
}

// TextOrCount is a text to be counted and placed, or its number of tokens.
//
//abi:schema {"oneOf":[{"type":["string","null"]},{"type":"integer","minimum":0}]}
type TextOrCount struct {
	Text  string
	Count int64
	// Counted says that Count was given.
	Counted bool
}

// DecodeWire reads null, a string or a number.
func (t *TextOrCount) DecodeWire(d *wire.Decoder) {
	switch d.Peek() {
	case wire.KindNull:
		d.Null()
	case wire.KindString:
		t.Text = d.String()
	case wire.KindNumber:
		t.Count, t.Counted = d.IntIn(0, wire.MaxInteger), true
	default:
		d.InvalidAt(d.Pos(), "expected a text or a number of tokens")
	}
}

// AppendWire writes the text or the number.
func (t *TextOrCount) AppendWire(dst []byte) []byte {
	if t.Counted {
		return wire.AppendInt(dst, t.Count)
	}
	return wire.AppendString(dst, t.Text)
}

// IsZero reports whether nothing was given.
func (t *TextOrCount) IsZero() bool { return !t.Counted && t.Text == "" }

// JSONOrCount is a JSON array or object to be counted, or its number of tokens.
//
//abi:schema {"oneOf":[{"type":["array","object","null"]},{"type":"integer","minimum":0}]}
type JSONOrCount struct {
	JSON    wire.Raw
	Count   int64
	Counted bool
}

// DecodeWire reads null, an array, an object or a number.
func (t *JSONOrCount) DecodeWire(d *wire.Decoder) {
	switch d.Peek() {
	case wire.KindNull:
		d.Null()
	case wire.KindArray, wire.KindObject:
		t.JSON = d.Raw()
	case wire.KindNumber:
		t.Count, t.Counted = d.IntIn(0, wire.MaxInteger), true
	default:
		d.InvalidAt(d.Pos(), "expected an array, an object or a number of tokens")
	}
}

// AppendWire writes the value or the number.
func (t *JSONOrCount) AppendWire(dst []byte) []byte {
	switch {
	case t.Counted:
		return wire.AppendInt(dst, t.Count)
	case len(t.JSON) == 0:
		return append(dst, "null"...)
	}
	return wire.AppendRaw(dst, t.JSON)
}

// IsZero reports whether nothing was given.
func (t *JSONOrCount) IsZero() bool { return !t.Counted && len(t.JSON) == 0 }

// EvidenceOrCount is a list of evidence to be counted and placed, or its number of tokens.
//
//abi:schema {"oneOf":[{"type":["array","null"],"maxItems":1000,"items":{"$ref":"#/$defs/Evidence"}},{"type":"integer","minimum":0}]}
type EvidenceOrCount struct {
	List    []Evidence
	Count   int64
	Counted bool
}

// DecodeWire reads null, an array of evidence or a number.
func (t *EvidenceOrCount) DecodeWire(d *wire.Decoder) {
	switch d.Peek() {
	case wire.KindNull:
		d.Null()
	case wire.KindArray:
		for ok := d.Array(); ok; ok = d.Element() {
			if len(t.List) == maxParts {
				d.TooMany()
				return
			}
			t.List = append(t.List, Evidence{})
			t.List[len(t.List)-1].DecodeWire(d)
		}
	case wire.KindNumber:
		t.Count, t.Counted = d.IntIn(0, wire.MaxInteger), true
	default:
		d.InvalidAt(d.Pos(), "expected an array of evidence or a number of tokens")
	}
}

// AppendWire writes the list or the number.
func (t *EvidenceOrCount) AppendWire(dst []byte) []byte {
	if t.Counted {
		return wire.AppendInt(dst, t.Count)
	}
	dst = append(dst, '[')
	for i := range t.List {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = t.List[i].AppendWire(dst)
	}
	return append(dst, ']')
}

// IsZero reports whether nothing was given.
func (t *EvidenceOrCount) IsZero() bool { return !t.Counted && len(t.List) == 0 }
