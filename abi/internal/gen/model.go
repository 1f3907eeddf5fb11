package main

import (
	"fmt"
	"go/ast"
	"strings"
)

// kind says how a type is read and written.
type kind int

const (
	kindString kind = iota
	kindBool
	kindInt
	kindFixed
	kindRaw
	kindBytes
	kindSlice
	kindArray
	kindPointer
	kindMap
	kindStruct
	kindHand // has DecodeWire and AppendWire of its own
)

// ref is the use of a type: of a field, or of what a slice holds.
type ref struct {
	kind kind
	src  string // the type as Go source
	elem *ref   // of slices, arrays, pointers and maps
	len  int    // of arrays
	bits int    // of integers: 32 or 64
	conv bool   // a named type, whose values need a conversion
	decl *decl  // of named types of the package
}

// decl is a type that the package declares.
type decl struct {
	name     string
	doc      string
	expr     ast.Expr
	request  bool
	response bool
	merge    bool
	schema   string
	patch    string // the merge type of whose patches this type is the form
	methods  map[string]bool
	fields   []*field // of structs
	reached  bool
	cloned   bool // a part of a merge type, which has to be copied whole
}

// hand reports whether the type reads and writes itself.
func (t *decl) hand() bool { return t.methods["DecodeWire"] && t.methods["AppendWire"] }

func (t *decl) isStruct() bool {
	_, ok := t.expr.(*ast.StructType)
	return ok && !t.hand()
}

// field is a member of an object.
type field struct {
	name     string
	json     string
	doc      string
	optional bool
	ref      *ref
	enum     []string
	min, max string
	maxlen   string
	maxitems string
}

// pack is the package for which code is made.
type pack struct {
	name  string
	decls map[string]*decl
	all   []*decl         // in the order of files and declarations
	order []*decl         // those that are reached, in the same order
	funcs map[string]bool // functions without a receiver
}

// resolve turns a type expression into a ref.
func (p *pack) resolve(e ast.Expr) (*ref, error) {
	switch e := e.(type) {
	case *ast.Ident:
		switch e.Name {
		case "string":
			return &ref{kind: kindString, src: "string"}, nil
		case "bool":
			return &ref{kind: kindBool, src: "bool"}, nil
		case "int64":
			return &ref{kind: kindInt, src: "int64", bits: 64}, nil
		case "int", "int32":
			bits := 64
			if e.Name == "int32" {
				bits = 32
			}
			return &ref{kind: kindInt, src: e.Name, bits: bits, conv: true}, nil
		}
		t := p.decls[e.Name]
		if t == nil {
			return nil, fmt.Errorf("type %s is not supported", e.Name)
		}
		if t.hand() {
			return &ref{kind: kindHand, src: t.name, decl: t}, nil
		}
		if t.isStruct() {
			return &ref{kind: kindStruct, src: t.name, decl: t}, nil
		}
		under, err := p.resolve(t.expr)
		if err != nil {
			return nil, err
		}
		r := *under
		r.src, r.conv, r.decl = t.name, true, t
		return &r, nil
	case *ast.SelectorExpr:
		if x, ok := e.X.(*ast.Ident); ok && x.Name == "wire" {
			switch e.Sel.Name {
			case "Fixed":
				return &ref{kind: kindFixed, src: "wire.Fixed"}, nil
			case "Raw":
				return &ref{kind: kindRaw, src: "wire.Raw"}, nil
			}
		}
	case *ast.StarExpr:
		elem, err := p.resolve(e.X)
		if err != nil {
			return nil, err
		}
		if elem.kind == kindPointer {
			return nil, fmt.Errorf("pointers to pointers are not supported")
		}
		return &ref{kind: kindPointer, src: "*" + elem.src, elem: elem}, nil
	case *ast.ArrayType:
		if id, ok := e.Elt.(*ast.Ident); ok && id.Name == "byte" && e.Len == nil {
			return &ref{kind: kindBytes, src: "[]byte"}, nil
		}
		elem, err := p.resolve(e.Elt)
		if err != nil {
			return nil, err
		}
		if elem.kind == kindPointer {
			return nil, fmt.Errorf("slices and arrays of pointers are not supported")
		}
		if e.Len == nil {
			return &ref{kind: kindSlice, src: "[]" + elem.src, elem: elem}, nil
		}
		lit, ok := e.Len.(*ast.BasicLit)
		n := 0
		if ok {
			_, err = fmt.Sscan(lit.Value, &n)
		}
		if !ok || err != nil || n < 1 {
			return nil, fmt.Errorf("the length of an array must be a literal")
		}
		return &ref{kind: kindArray, src: fmt.Sprintf("[%d]%s", n, elem.src), elem: elem, len: n}, nil
	case *ast.MapType:
		if id, ok := e.Key.(*ast.Ident); !ok || id.Name != "string" {
			return nil, fmt.Errorf("keys of maps must be strings")
		}
		elem, err := p.resolve(e.Value)
		if err != nil {
			return nil, err
		}
		if elem.kind == kindPointer {
			return nil, fmt.Errorf("maps to pointers are not supported")
		}
		return &ref{kind: kindMap, src: "map[string]" + elem.src, elem: elem}, nil
	}
	return nil, fmt.Errorf("type %T is not supported", e)
}

// snake turns a Go name into snake case: JSONOrCount is json_or_count.
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		upper := r >= 'A' && r <= 'Z'
		if upper && i > 0 {
			prev := name[i-1]
			lowerNext := i+1 < len(name) && name[i+1] >= 'a' && name[i+1] <= 'z'
			if prev < 'A' || prev > 'Z' || lowerNext {
				b.WriteByte('_')
			}
		}
		if upper {
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// lowerFirst makes an unexported name of an exported one.
func lowerFirst(name string) string { return strings.ToLower(name[:1]) + name[1:] }
