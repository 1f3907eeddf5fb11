package main

import "fmt"

// encoder writes the AppendWire method of a struct.
func (e *emitter) encoder(t *decl) {
	e.f("// AppendWire adds v to dst as canonical JSON.")
	e.f("func (v *%s) AppendWire(dst []byte) []byte {", t.name)
	// Once a required member has been written the comma is known to be needed.
	comma := false
	open := false
	if len(t.fields) == 0 {
		e.f("return append(dst, \"{}\"...)\n}\n")
		return
	}
	for _, g := range t.fields {
		label := fmt.Sprintf("%q:", g.json)
		if !g.optional {
			switch {
			case comma:
				label = "," + label
			case !open:
				label = "{" + label
			default:
				e.f("dst = wire.Comma(dst)")
			}
			comma, open = true, true
			e.f("dst = append(dst, `%s`...)", label)
			e.write("v."+g.name, g.ref)
			continue
		}
		if !open {
			e.f("dst = append(dst, '{')")
			open = true
		}
		e.f("if %s {", present("v."+g.name, g.ref))
		if comma {
			label = "," + label
		} else {
			e.f("dst = wire.Comma(dst)")
		}
		e.f("dst = append(dst, `%s`...)", label)
		e.write("v."+g.name, g.ref)
		e.f("}")
	}
	e.f("return append(dst, '}')\n}\n")
}

// present returns the condition under which an optional value is written.
func present(from string, r *ref) string {
	switch r.kind {
	case kindString:
		return from + ` != ""`
	case kindBool:
		return r.base(from, "bool")
	case kindInt, kindFixed:
		return from + " != 0"
	case kindPointer:
		return from + " != nil"
	case kindHand:
		return "!" + from + ".IsZero()"
	}
	return "len(" + from + ") != 0"
}

// write writes statements that add a value.
func (e *emitter) write(from string, r *ref) {
	switch r.kind {
	case kindString:
		e.f("dst = wire.AppendString(dst, %s)", r.base(from, "string"))
	case kindBool:
		e.f("dst = wire.AppendBool(dst, %s)", r.base(from, "bool"))
	case kindInt:
		e.f("dst = wire.AppendInt(dst, %s)", r.base(from, "int64"))
	case kindFixed:
		e.f("dst = wire.AppendFixed(dst, %s)", r.base(from, "wire.Fixed"))
	case kindRaw:
		e.f("dst = wire.AppendRaw(dst, %s)", r.base(from, "wire.Raw"))
	case kindBytes:
		e.f("dst = wire.AppendBytes(dst, %s)", from)
	case kindStruct, kindHand:
		e.f("dst = %s.AppendWire(dst)", from)
	case kindPointer:
		e.f("if %s == nil {\ndst = append(dst, \"null\"...)\n} else {", from)
		if r.elem.kind == kindStruct || r.elem.kind == kindHand {
			e.write(from, r.elem)
		} else {
			e.write("*"+from, r.elem)
		}
		e.f("}")
	case kindSlice, kindArray:
		e.depth++
		i := fmt.Sprintf("i%d", e.depth)
		e.f("dst = append(dst, '[')")
		e.f("for %s := range %s {", i, from)
		e.f("if %s > 0 {\ndst = append(dst, ',')\n}", i)
		e.write(from+"["+i+"]", r.elem)
		e.f("}\ndst = append(dst, ']')")
		e.depth--
	case kindMap:
		e.depth++
		i, key := fmt.Sprintf("i%d", e.depth), fmt.Sprintf("key%d", e.depth)
		e.f("dst = append(dst, '{')")
		e.f("for %s, %s := range wire.Keys(%s) {", i, key, from)
		e.f("if %s > 0 {\ndst = append(dst, ',')\n}", i)
		e.f("dst = wire.AppendString(dst, %s)", key)
		e.f("dst = append(dst, ':')")
		item := from + "[" + key + "]"
		if r.elem.kind == kindStruct || r.elem.kind == kindHand {
			e.f("item%d := %s", e.depth, item)
			item = fmt.Sprintf("item%d", e.depth)
		}
		e.write(item, r.elem)
		e.f("}\ndst = append(dst, '}')")
		e.depth--
	}
}
