package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
)

// object is a JSON object that keeps the order of its members.
type object []member

type member struct {
	key   string
	value any
}

func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := plain(m.key)
		if err != nil {
			return nil, err
		}
		value, err := plain(m.value)
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// plain is json.Marshal without HTML escapes.
func plain(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}

// schemas makes the schema of one root type.
type schemas struct {
	*pack
	strict bool // of a request: no other fields, and null for what is optional
	defs   map[string]any
}

// schema returns the JSON Schema (draft 2020-12) of a type as a file.
func (p *pack) schema(t *decl) ([]byte, error) {
	s := &schemas{pack: p, strict: t.request, defs: map[string]any{}}
	root, err := s.define(t, false)
	if err != nil {
		return nil, err
	}
	file := object{{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", snake(t.name)}}
	if o, ok := root.(object); ok {
		file = append(file, o...)
	} else {
		file = append(file, member{"allOf", []any{root}})
	}
	if len(s.defs) > 0 {
		names := make([]string, 0, len(s.defs))
		for name := range s.defs {
			names = append(names, name)
		}
		sort.Strings(names)
		var defs object
		for _, name := range names {
			defs = append(defs, member{name, s.defs[name]})
		}
		file = append(file, member{"$defs", defs})
	}
	text, err := plain(file)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, text, "", "  "); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

// use returns a reference to the definition of a type, and makes that definition when it is not there.
func (s *schemas) use(t *decl, patch bool) (object, error) {
	name := snake(t.name)
	if patch {
		name += "_patch"
	}
	if _, ok := s.defs[name]; !ok {
		s.defs[name] = nil // a type may refer to itself
		def, err := s.define(t, patch)
		if err != nil {
			return nil, err
		}
		s.defs[name] = def
	}
	return object{{"$ref", "#/$defs/" + name}}, nil
}

// define returns the schema of a type, or of its patches.
func (s *schemas) define(t *decl, patch bool) (any, error) {
	if t.patch != "" {
		o, err := s.define(s.decls[t.patch], true)
		if err != nil {
			return nil, err
		}
		return describe(orNull(redescribe(o.(object), "")), t.doc), nil
	}
	if t.schema != "" {
		return s.byHand(t)
	}
	if !t.isStruct() {
		r, err := s.resolve(t.expr)
		if err != nil {
			return nil, err
		}
		o, err := s.value(r, &field{})
		if err != nil {
			return nil, err
		}
		return describe(o, t.doc), nil
	}
	o := object{{"type", "object"}}
	props := object{}
	required := []string{}
	for _, g := range t.fields {
		var v object
		var err error
		r := g.ref
		nullable := s.strict && g.optional
		if r.kind == kindPointer {
			nullable = nullable || !g.optional
			r = r.elem
		}
		nullable = nullable || patch
		switch {
		case patch && r.kind == kindStruct && r.decl.merge:
			v, err = s.use(r.decl, true)
		case patch && r.kind == kindMap:
			// The members of a map are merged one by one, and null removes one.
			v, err = s.value(r.elem, &field{})
			v = object{{"type", "object"}, {"additionalProperties", orNull(v)}}
		default:
			v, err = s.value(r, g)
		}
		if err != nil {
			return nil, fmt.Errorf("type %s: field %s: %w", t.name, g.name, err)
		}
		if nullable {
			v = orNull(v)
		}
		props = append(props, member{g.json, describe(v, g.doc)})
		if !g.optional && !patch {
			required = append(required, g.json)
		}
	}
	o = append(o, member{"properties", props})
	if len(required) > 0 {
		o = append(o, member{"required", required})
	}
	if s.strict {
		o = append(o, member{"additionalProperties", false})
	}
	return describe(o, t.doc), nil
}

// byHand returns the schema that stands above a type, with names of types as the definitions have them.
func (s *schemas) byHand(t *decl) (any, error) {
	for _, m := range schemaRef.FindAllStringSubmatch(t.schema, -1) {
		if _, err := s.use(s.decls[m[1]], false); err != nil {
			return nil, err
		}
	}
	text := schemaRef.ReplaceAllStringFunc(t.schema, func(ref string) string {
		return `"#/$defs/` + snake(schemaRef.FindStringSubmatch(ref)[1]) + `"`
	})
	var keys map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &keys) != nil || keys["description"] != nil || t.doc == "" {
		return json.RawMessage(text), nil
	}
	doc, err := plain(t.doc)
	if err != nil {
		return nil, err
	}
	rest := strings.TrimPrefix(strings.TrimSpace(text), "{")
	if rest != "}" {
		rest = "," + rest
	}
	return json.RawMessage(`{"description":` + string(doc) + rest), nil
}

// value returns the schema of a value with the tags of a field.
func (s *schemas) value(r *ref, g *field) (object, error) {
	if r.decl != nil && (r.kind == kindStruct || r.kind == kindHand || r.decl.schema != "") {
		return s.use(r.decl, false)
	}
	switch r.kind {
	case kindString:
		o := object{{"type", "string"}}
		if g.enum != nil {
			o = append(o, member{"enum", g.enum})
		}
		if g.maxlen != "" {
			// The limit is in bytes, which are at least as many as characters.
			o = append(o, member{"maxLength", json.Number(g.maxlen)})
		}
		return o, nil
	case kindBool:
		return object{{"type", "boolean"}}, nil
	case kindInt, kindFixed:
		low, high, err := g.bounds(r)
		if err != nil {
			return nil, err
		}
		if r.kind == kindInt {
			return object{{"type", "integer"}, {"minimum", low}, {"maximum", high}}, nil
		}
		return object{{"type", "number"}, {"minimum", decimal(low)}, {"maximum", decimal(high)}}, nil
	case kindRaw:
		return object{}, nil
	case kindBytes:
		o := object{{"type", "string"}, {"contentEncoding", "base64"}}
		return o, nil
	case kindSlice, kindArray:
		items, err := s.value(r.elem, &field{})
		if err != nil {
			return nil, err
		}
		o := object{{"type", "array"}, {"items", items}}
		if r.kind == kindArray {
			o = append(o, member{"minItems", r.len}, member{"maxItems", r.len})
		}
		if g.maxitems != "" {
			o = append(o, member{"maxItems", json.Number(g.maxitems)})
		}
		return o, nil
	case kindMap:
		items, err := s.value(r.elem, &field{})
		if err != nil {
			return nil, err
		}
		return object{{"type", "object"}, {"additionalProperties", items}}, nil
	}
	return nil, fmt.Errorf("no schema for %s", r.src)
}

// orNull lets a schema take null as well.
func orNull(o object) object {
	if len(o) == 0 {
		return o
	}
	if typ, ok := o[0].value.(string); ok && o[0].key == "type" {
		n := append(object{}, o...)
		n[0].value = []string{typ, "null"}
		for i := range n {
			if n[i].key == "enum" {
				values := []any{}
				for _, v := range n[i].value.([]string) {
					values = append(values, v)
				}
				n[i].value = append(values, nil)
			}
		}
		return n
	}
	return object{{"anyOf", []any{o, object{{"type", "null"}}}}}
}

// redescribe replaces the description of a schema.
func redescribe(o object, doc string) object {
	if len(o) > 0 && o[0].key == "description" {
		o = o[1:]
	}
	return describe(o, doc)
}

// describe puts a description before a schema.
func describe(o object, doc string) object {
	if doc == "" {
		return o
	}
	return append(object{{"description", doc}}, o...)
}

// decimal writes millionths as a number.
func decimal(n int64) json.Number {
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	text := fmt.Sprintf("%s%d.%06d", sign, n/1_000_000, n%1_000_000)
	return json.Number(strings.TrimRight(strings.TrimRight(text, "0"), "."))
}
