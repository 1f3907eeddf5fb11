package wire

// Skip reads any value and checks its syntax and its UTF-8, without recursion.
func (d *Decoder) Skip() { d.skip(MaxDepth + d.Deeper) }

// skip reads a value that is nested at most limit deep.
func (d *Decoder) skip(limit int) {
	d.val = d.pos
	// One bit for each open value, 1 for an object; the innermost one is lowest in open, older ones are in outer.
	var open uint64
	var outer []uint64
	depth := 0
	for {
		// A value comes next.
		opened := false
		switch d.Peek() {
		case KindObject, KindArray:
			if depth == limit {
				d.fail(d.pos, CodeInvalid, "nested too deeply")
				return
			}
			if depth > 0 && depth%64 == 0 {
				outer = append(outer, open)
				open = 0
			}
			depth++
			open <<= 1
			end := byte(']')
			if d.data[d.pos] == '{' {
				open |= 1
				end = '}'
			}
			d.pos++
			opened = d.space() != end
			if opened && open&1 == 1 {
				d.name()
			}
		case KindString:
			d.skipText()
		case KindNumber:
			d.number()
		case KindBool:
			d.Bool()
		case KindNull:
			d.null()
		default:
			d.expected("a value")
		}
		// Leave what ends here, and go on to the next value.
		for !opened {
			if d.err != nil || depth == 0 {
				return
			}
			if d.pos >= d.next {
				d.tick()
			}
			object := open&1 == 1
			switch c := d.space(); {
			case c == ',':
				d.pos++
				d.space()
				if object {
					d.name()
				}
				opened = true
			case c == '}' && object, c == ']' && !object:
				d.pos++
				depth--
				open >>= 1
				if depth > 0 && depth%64 == 0 {
					open = outer[len(outer)-1]
					outer = outer[:len(outer)-1]
				}
			case object:
				d.syntax("expected a comma or } in an object")
			default:
				d.syntax("expected a comma or ] in an array")
			}
		}
		if d.err != nil {
			return
		}
	}
}

// name reads a name and the colon after it.
func (d *Decoder) name() {
	if d.pos >= len(d.data) || d.data[d.pos] != '"' {
		d.syntax("expected a name in quotes")
		return
	}
	d.skipText()
	if d.space() != ':' {
		d.syntax("expected a colon after a name")
		return
	}
	d.pos++
	d.space()
}

// skipText checks a string.
func (d *Decoder) skipText() {
	begin := d.pos + 1
	i, high := scan(d.data, begin, min(len(d.data), d.next))
	if high == 0 && i < len(d.data) && d.data[i] == '"' {
		d.pos = i + 1
		return
	}
	d.textEnd(begin, i, high)
}

// Valid reports whether doc is one JSON text (RFC 8259) of valid UTF-8, nested at most limit deep. Lone surrogate
// escapes are allowed, as the grammar has it.
func Valid(doc []byte, limit int) bool {
	d := Decoder{quiet: true, doc: doc, data: doc, next: maxInt}
	d.space()
	d.skip(limit)
	d.end()
	return d.err == nil
}

// ValidString is Valid for text in a string.
func ValidString(doc string, limit int) bool { return Valid(view(doc), limit) }
