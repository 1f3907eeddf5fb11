package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// load parses the package in dir, generated files and tests aside, and follows the types from those with directives.
func load(dir string) (*pack, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	p := &pack{decls: map[string]*decl{}, funcs: map[string]bool{}}
	set := token.NewFileSet()
	methods := map[string]map[string]bool{}
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || name == codecFile {
			continue
		}
		file, err := parser.ParseFile(set, filepath.Join(dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		p.name = file.Name.Name
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok {
						if err := p.declare(d, s); err != nil {
							return nil, err
						}
					}
				}
			case *ast.FuncDecl:
				if d.Recv == nil {
					p.funcs[d.Name.Name] = true
					continue
				}
				recv := d.Recv.List[0].Type
				if star, ok := recv.(*ast.StarExpr); ok {
					recv = star.X
				}
				if id, ok := recv.(*ast.Ident); ok {
					if methods[id.Name] == nil {
						methods[id.Name] = map[string]bool{}
					}
					methods[id.Name][d.Name.Name] = true
				}
			}
		}
	}
	for _, t := range p.all {
		t.methods = methods[t.name]
	}
	for _, t := range p.all {
		if t.request || t.response || t.merge {
			if err := p.reach(t); err != nil {
				return nil, err
			}
		}
	}
	for _, t := range p.all {
		if t.merge {
			t.markCloned()
		}
		if t.reached {
			p.order = append(p.order, t)
		}
	}
	return p, nil
}

// declare notes a type and its directives.
func (p *pack) declare(d *ast.GenDecl, s *ast.TypeSpec) error {
	doc := s.Doc
	if doc == nil {
		doc = d.Doc
	}
	t := &decl{name: s.Name.Name, doc: text(doc), expr: s.Type}
	if doc != nil {
		for _, c := range doc.List {
			word, rest, _ := strings.Cut(c.Text, " ")
			switch word {
			case "//abi:request":
				t.request = true
			case "//abi:response":
				t.response = true
			case "//abi:merge":
				t.merge = true
			case "//abi:schema":
				t.schema += rest + "\n"
			case "//abi:patch":
				t.patch = strings.TrimSpace(rest)
			default:
				if strings.HasPrefix(word, "//abi:") {
					return fmt.Errorf("type %s: unknown directive %s", t.name, word)
				}
			}
		}
	}
	if t.schema != "" && !json.Valid([]byte(t.schema)) {
		return fmt.Errorf("type %s: the schema is not valid JSON", t.name)
	}
	p.decls[t.name] = t
	p.all = append(p.all, t)
	return nil
}

// markCloned marks a struct and all structs in it.
func (t *decl) markCloned() {
	if t.cloned || !t.isStruct() {
		return
	}
	t.cloned = true
	for _, g := range t.fields {
		r := g.ref
		for r.elem != nil {
			r = r.elem
		}
		if r.decl != nil {
			r.decl.markCloned()
		}
	}
}

var schemaRef = regexp.MustCompile(`"#/\$defs/([A-Za-z0-9_]+)"`)

// reach reads the fields of a type and goes on to the types they use.
func (p *pack) reach(t *decl) error {
	if t.reached {
		return nil
	}
	t.reached = true
	if t.schema != "" {
		for _, m := range schemaRef.FindAllStringSubmatch(t.schema, -1) {
			other := p.decls[m[1]]
			if other == nil {
				return fmt.Errorf("type %s: its schema refers to %s, which is no type", t.name, m[1])
			}
			if err := p.reach(other); err != nil {
				return err
			}
		}
	}
	if t.patch != "" {
		other := p.decls[t.patch]
		if other == nil || !other.merge {
			return fmt.Errorf("type %s: %s has no //abi:merge", t.name, t.patch)
		}
		if err := p.reach(other); err != nil {
			return err
		}
	}
	if t.hand() {
		if t.merge {
			return fmt.Errorf("type %s: a type with a codec of its own can't be merged", t.name)
		}
		if (t.schema == "") == (t.patch == "") {
			return fmt.Errorf("type %s has a codec of its own and needs one of //abi:schema and //abi:patch", t.name)
		}
		// What it holds is its own business; it needs the codecs of the types in it.
		var err error
		ast.Inspect(t.expr, func(n ast.Node) bool {
			if f, ok := n.(*ast.Field); ok {
				ast.Inspect(f.Type, p.visit(&err))
				return false
			}
			return p.visit(&err)(n)
		})
		return err
	}
	st, ok := t.expr.(*ast.StructType)
	if !ok {
		_, err := p.resolve(t.expr)
		if err == nil {
			ast.Inspect(t.expr, p.visit(&err))
		}
		return err
	}
	for _, f := range st.Fields.List {
		if err := p.field(t, f); err != nil {
			return fmt.Errorf("type %s: %w", t.name, err)
		}
		var err error
		ast.Inspect(f.Type, p.visit(&err))
		if err != nil {
			return err
		}
	}
	if len(t.fields) > 64 {
		return fmt.Errorf("type %s has more than 64 fields", t.name)
	}
	return nil
}

// visit returns a function that reaches every type of the package that it is shown by name.
func (p *pack) visit(failed *error) func(ast.Node) bool {
	return func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && *failed == nil {
			if t := p.decls[id.Name]; t != nil {
				*failed = p.reach(t)
			}
		}
		return *failed == nil
	}
}

func (p *pack) field(t *decl, f *ast.Field) error {
	if len(f.Names) != 1 {
		return fmt.Errorf("embedded fields and several names in one line are not supported")
	}
	name := f.Names[0].Name
	if f.Tag == nil {
		return fmt.Errorf("field %s has no json tag", name)
	}
	lit, err := strconv.Unquote(f.Tag.Value)
	if err != nil {
		return err
	}
	tag := reflect.StructTag(lit)
	label, opts, _ := strings.Cut(tag.Get("json"), ",")
	if label == "-" {
		return nil
	}
	if label == "" || opts != "" && opts != "omitempty" {
		return fmt.Errorf("field %s: json tag %q is not supported", name, tag.Get("json"))
	}
	r, err := p.resolve(f.Type)
	if err != nil {
		return fmt.Errorf("field %s: %w", name, err)
	}
	doc := f.Doc
	if doc == nil {
		doc = f.Comment
	}
	g := &field{name: name, json: label, doc: text(doc), optional: opts == "omitempty", ref: r,
		min: tag.Get("min"), max: tag.Get("max"), maxlen: tag.Get("maxlen"), maxitems: tag.Get("maxitems")}
	if e := tag.Get("enum"); e != "" {
		g.enum = strings.Split(e, ",")
	}
	for _, other := range t.fields {
		if other.json == label {
			return fmt.Errorf("field %s: the name %q is taken", name, label)
		}
	}
	if err := g.check(); err != nil {
		return fmt.Errorf("field %s: %w", name, err)
	}
	t.fields = append(t.fields, g)
	return nil
}

// check refuses tags that do not suit the type of the field.
func (g *field) check() error {
	r := g.ref
	if r.kind == kindPointer {
		r = r.elem
	}
	if g.optional {
		switch {
		case g.ref.kind == kindStruct, g.ref.kind == kindArray:
			return fmt.Errorf("omitempty needs a pointer here")
		case g.ref.kind == kindHand && !g.ref.decl.methods["IsZero"]:
			return fmt.Errorf("omitempty needs a method IsZero of %s", g.ref.decl.name)
		}
	}
	if g.enum != nil && r.kind != kindString {
		return fmt.Errorf("enum is for strings")
	}
	if (g.min != "" || g.max != "") && r.kind != kindInt && r.kind != kindFixed {
		return fmt.Errorf("min and max are for numbers")
	}
	if g.maxlen != "" && (r.kind != kindString && r.kind != kindBytes || g.enum != nil) {
		return fmt.Errorf("maxlen is for strings and bytes")
	}
	if g.maxitems != "" && r.kind != kindSlice {
		return fmt.Errorf("maxitems is for slices")
	}
	for _, n := range []string{g.maxlen, g.maxitems} {
		if n != "" {
			if _, err := strconv.ParseUint(n, 10, 31); err != nil {
				return err
			}
		}
	}
	low, high, err := g.bounds(r)
	if err != nil {
		return err
	}
	if low > high {
		return fmt.Errorf("min is above max")
	}
	return nil
}

const (
	maxInteger = 1<<53 - 1
	maxFixed   = 1e15 // in millionths
)

// bounds returns the bounds of a number, of a Fixed in millionths.
func (g *field) bounds(r *ref) (low, high int64, err error) {
	low, high = -maxInteger, maxInteger
	switch {
	case r.kind == kindInt && r.bits == 32:
		low, high = -1<<31, 1<<31-1
	case r.kind == kindFixed:
		low, high = -maxFixed, maxFixed
	}
	for _, b := range []struct {
		text string
		to   *int64
	}{{g.min, &low}, {g.max, &high}} {
		if b.text == "" {
			continue
		}
		if r.kind == kindFixed {
			*b.to, err = millionths(b.text)
		} else {
			*b.to, err = strconv.ParseInt(b.text, 10, 64)
		}
		if err != nil {
			return 0, 0, err
		}
	}
	return low, high, nil
}

// millionths reads a decimal number.
func millionths(text string) (int64, error) {
	whole, part, _ := strings.Cut(text, ".")
	if len(part) > 6 {
		return 0, fmt.Errorf("%s has more than six digits behind the point", text)
	}
	return strconv.ParseInt(whole+part+strings.Repeat("0", 6-len(part)), 10, 64)
}

// text returns a comment as one line, directives aside.
func text(c *ast.CommentGroup) string {
	return strings.Join(strings.Fields(c.Text()), " ")
}
