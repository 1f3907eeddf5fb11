package main

import "fmt"

// merger writes the function that merges a JSON Merge Patch (RFC 7396) into a value. Null stands for the default, not
// for removal.
func (e *emitter) merger(t *decl) error {
	e.f("// merge%s reads a JSON Merge Patch (RFC 7396) and merges it into dst. Null sets a member to that of def. What dst", t.name)
	e.f("// and def share with other values is not changed.")
	e.f("func merge%s(d *wire.Decoder, dst, def *%s) {", t.name, t.name)
	e.f("if d.Null() {\n*dst = clone%s(def)\nreturn\n}", t.name)
	if len(t.fields) == 0 {
		e.f("for ok := d.Object(); ok; ok = d.Member() {\nd.Unknown()\n}\n}\n")
		return nil
	}
	e.f("var seen uint64")
	e.f("for ok := d.Object(); ok; ok = d.Member() {")
	e.f("switch string(d.Key()) {")
	for i, g := range t.fields {
		to, from := "dst."+g.name, "def."+g.name
		e.f("case %q:", g.json)
		e.f("seen = d.Once(seen, 1<<%d)", i)
		switch r := g.ref; {
		case r.kind == kindStruct:
			if !r.decl.merge {
				return fmt.Errorf("type %s: field %s: %s has no //abi:merge", t.name, g.name, r.src)
			}
			e.f("merge%s(d, &%s, &%s)", r.src, to, from)
		case r.kind == kindPointer && r.elem.kind == kindStruct:
			if !r.elem.decl.merge {
				return fmt.Errorf("type %s: field %s: %s has no //abi:merge", t.name, g.name, r.elem.src)
			}
			e.mergePointer(to, from, r.elem)
		case r.kind == kindMap:
			e.mergeMap(to, from, g)
		default:
			e.f("if d.Null() {")
			e.clone(to, from, r)
			e.f("} else {")
			e.read(to, r, g)
			e.f("}")
		}
	}
	e.f("default:\nd.Unknown()\n}\n}\n}\n")
	return nil
}

// mergePointer merges into what a pointer points to, in memory of its own. An object on nil starts from the default of
// its type, and there null stands for that default.
func (e *emitter) mergePointer(to, from string, elem *ref) {
	start := elem.src + "{}"
	if name := "default" + elem.src; e.funcs[name] {
		start = name + "()"
	}
	e.f("if d.Null() {")
	e.f("%s = nil", to)
	e.f("if %s != nil {\nnext := clone%s(%s)\n%s = &next\n}", from, elem.src, from, to)
	e.f("} else {")
	e.f("base := %s", start)
	e.f("if %s != nil {\nbase = *%s\n}", from, from)
	e.f("next := %s", start)
	e.f("if %s != nil {\nnext = clone%s(%s)\n}", to, elem.src, to)
	e.f("merge%s(d, &next, &base)", elem.src)
	e.f("%s = &next\n}", to)
}

// mergeMap merges member by member; null brings back the member of the default, or removes it.
func (e *emitter) mergeMap(to, from string, g *field) {
	r := g.ref
	e.f("if d.Null() {")
	e.clone(to, from, r)
	e.f("} else {")
	e.f("next := make(%s, len(%s))", r.src, to)
	e.f("for key, item := range %s {\nnext[key] = item\n}", to)
	e.f("merged := map[string]bool{}")
	e.loop("Object", "Member")
	e.f("key := d.KeyString()")
	e.f("if merged[key] {\nd.Duplicate()\nbreak\n}\nmerged[key] = true")
	e.f("if d.Null() {\ndelete(next, key)")
	e.f("if item, ok := %s[key]; ok {", from)
	e.f("next[key] = item\n}\ncontinue\n}")
	e.f("var item %s", r.elem.src)
	e.read("item", r.elem, nil)
	e.f("next[key] = item")
	e.endLoop()
	e.f("%s = next\n}", to)
}

// cloner writes the function that copies a struct with all that it holds. Types with a codec of their own are copied as
// they are, so their values must not change once they are made.
func (e *emitter) cloner(t *decl) {
	e.f("// clone%s copies v and all that it points to.", t.name)
	e.f("func clone%s(v *%s) %s {", t.name, t.name, t.name)
	e.f("c := *v")
	for _, g := range t.fields {
		if g.ref.shares() {
			e.clone("c."+g.name, "v."+g.name, g.ref)
		}
	}
	e.f("return c\n}\n")
}

// shares reports whether a plain copy of a value shares memory that can be changed.
func (r *ref) shares() bool {
	switch r.kind {
	case kindSlice, kindMap, kindPointer, kindRaw, kindBytes, kindStruct:
		return true
	case kindArray:
		return r.elem.shares()
	}
	return false
}

// clone writes statements that copy a value.
func (e *emitter) clone(to, from string, r *ref) {
	switch r.kind {
	case kindSlice, kindRaw, kindBytes:
		e.f("%s = append(%s(nil), %s...)", to, r.src, from)
		if r.elem != nil && r.elem.shares() {
			e.depth++
			i := fmt.Sprintf("i%d", e.depth)
			e.f("for %s := range %s {", i, to)
			e.clone(to+"["+i+"]", from+"["+i+"]", r.elem)
			e.f("}")
			e.depth--
		}
	case kindMap:
		e.depth++
		next, key, item := fmt.Sprintf("next%d", e.depth), fmt.Sprintf("key%d", e.depth), fmt.Sprintf("item%d", e.depth)
		e.f("if %s == nil {\n%s = nil\n} else {", from, to)
		e.f("%s := make(%s, len(%s))", next, r.src, from)
		e.f("for %s, %s := range %s {", key, item, from)
		if r.elem.shares() {
			e.clone(item, item, r.elem)
		}
		e.f("%s[%s] = %s\n}\n%s = %s\n}", next, key, item, to, next)
		e.depth--
	case kindPointer:
		e.depth++
		next := fmt.Sprintf("next%d", e.depth)
		e.f("if %s == nil {\n%s = nil\n} else {", from, to)
		e.f("%s := *%s", next, from)
		if r.elem.shares() {
			e.clone(next, next, r.elem)
		}
		e.f("%s = &%s\n}", to, next)
		e.depth--
	case kindStruct:
		e.f("%s = clone%s(&%s)", to, r.src, from)
	default:
		e.f("%s = %s", to, from)
	}
}
