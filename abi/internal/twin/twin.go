package twin

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Error is the first error of a document.
type Error struct{ Code, Path string }

// Reader knows the types that have a codec of their own.
type Reader struct {
	// Strict refuses unknown fields.
	Strict bool
	// Unions names, for each kind of value (n b 0 " [ {), the field that takes it. A field called Counted is set for
	// numbers. Null leaves the value as it is; so does an empty array.
	Unions map[reflect.Type]map[byte]string
}

// Sound reports whether a document is one that Read answers for.
func Sound(doc []byte) bool { return json.Valid(doc) && utf8.Valid(doc) }

// Read decodes a sound document into the value that to points to.
func (r *Reader) Read(doc []byte, to any) *Error {
	if depth(doc) > 64 {
		return &Error{Code: "invalid_request", Path: "?"}
	}
	var failed *Error
	func() {
		defer func() {
			if e := recover(); e != nil {
				var ok bool
				if failed, ok = e.(*Error); !ok {
					panic(e)
				}
			}
		}()
		r.value(parse(doc), reflect.ValueOf(to).Elem(), "", "")
	}()
	return failed
}

func invalid(path string) { panic(&Error{"invalid_request", path}) }

func (r *Reader) value(n *node, v reflect.Value, path string, tag reflect.StructTag) {
	t := v.Type()
	want := func(kind byte) {
		if n.kind != kind {
			invalid(path)
		}
	}
	if fields, ok := r.Unions[t]; ok {
		r.union(n, v, path, fields)
		return
	}
	switch t.String() {
	case "wire.Raw":
		if n.kind != 'n' {
			v.SetBytes(bytes.Clone(n.raw))
		}
		return
	case "wire.Fixed":
		want('0')
		if !regexp.MustCompile(`^-?[0-9]+(\.[0-9]{1,6})?$`).MatchString(n.text) {
			invalid(path)
		}
		x, _ := new(big.Rat).SetString(n.text)
		x.Mul(x, big.NewRat(1e6, 1))
		if !x.IsInt() || !within(x, tag, 1e15, 1e6) {
			invalid(path)
		}
		v.SetInt(x.Num().Int64())
		return
	}
	switch t.Kind() {
	case reflect.String:
		want('"')
		if limit := tag.Get("maxlen"); limit != "" && len(n.text) > number(limit) {
			invalid(path)
		}
		if e := tag.Get("enum"); e != "" && !slices.Contains(strings.Split(e, ","), n.text) {
			invalid(path)
		}
		v.SetString(n.text)
	case reflect.Bool:
		want('b')
		v.SetBool(n.yes)
	case reflect.Int64, reflect.Int32, reflect.Int:
		want('0')
		if !regexp.MustCompile(`^-?[0-9]+$`).MatchString(n.text) {
			invalid(path)
		}
		x, _ := new(big.Rat).SetString(n.text)
		if !within(x, tag, 1<<53-1, 1) || v.OverflowInt(x.Num().Int64()) {
			invalid(path)
		}
		v.SetInt(x.Num().Int64())
	case reflect.Pointer:
		if n.kind == 'n' {
			return
		}
		v.Set(reflect.New(t.Elem()))
		r.value(n, v.Elem(), path, tag)
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			want('"')
			b, err := base64.StdEncoding.Strict().DecodeString(n.text)
			limit := tag.Get("maxlen")
			if err != nil || strings.ContainsAny(n.text, "\r\n") || limit != "" && len(b) > number(limit) {
				invalid(path)
			}
			v.SetBytes(b)
			return
		}
		want('[')
		v.Set(reflect.MakeSlice(t, 0, 0))
		for i, kid := range n.kids {
			at := fmt.Sprintf("%s[%d]", path, i)
			if limit := tag.Get("maxitems"); limit != "" && i >= number(limit) {
				invalid(at)
			}
			item := reflect.New(t.Elem()).Elem()
			r.value(kid, item, at, "")
			v.Set(reflect.Append(v, item))
		}
	case reflect.Array:
		want('[')
		for i, kid := range n.kids {
			at := fmt.Sprintf("%s[%d]", path, i)
			if i >= t.Len() {
				invalid(at)
			}
			r.value(kid, v.Index(i), at, "")
		}
		if len(n.kids) < t.Len() {
			invalid(path)
		}
	case reflect.Map:
		want('{')
		v.Set(reflect.MakeMap(t))
		for i, key := range n.keys {
			at := join(path, key)
			if v.MapIndex(reflect.ValueOf(key)).IsValid() {
				invalid(at)
			}
			item := reflect.New(t.Elem()).Elem()
			r.value(n.kids[i], item, at, "")
			v.SetMapIndex(reflect.ValueOf(key), item)
		}
	case reflect.Struct:
		want('{')
		r.object(n, v, path)
	default:
		panic("no twin of " + t.String())
	}
}

func (r *Reader) object(n *node, v reflect.Value, path string) {
	seen := map[string]bool{}
	for i, key := range n.keys {
		at := join(path, key)
		field, optional, ok := find(v.Type(), key)
		if !ok {
			if r.Strict {
				panic(&Error{"unknown_field", at})
			}
			continue
		}
		if seen[key] {
			invalid(at)
		}
		seen[key] = true
		if optional && n.kids[i].kind == 'n' {
			continue
		}
		r.value(n.kids[i], v.FieldByIndex(field.Index), at, field.Tag)
	}
	for i := range v.NumField() {
		name, opts, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if opts == "" && !seen[name] {
			invalid(join(path, name))
		}
	}
}

func (r *Reader) union(n *node, v reflect.Value, path string, fields map[byte]string) {
	if n.kind == 'n' {
		return
	}
	name, ok := fields[n.kind]
	if !ok {
		invalid(path)
	}
	tag := reflect.StructTag("")
	if n.kind == '0' {
		tag = `min:"0"`
		v.FieldByName("Counted").SetBool(true)
	}
	if n.kind == '[' && len(n.kids) == 0 && v.FieldByName(name).Type().Elem().Kind() != reflect.Uint8 {
		return
	}
	r.value(n, v.FieldByName(name), path, tag)
}

func find(t reflect.Type, key string) (f reflect.StructField, optional, ok bool) {
	for i := range t.NumField() {
		name, opts, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if name == key {
			return t.Field(i), opts == "omitempty", true
		}
	}
	return f, false, false
}

func within(x *big.Rat, tag reflect.StructTag, limit, unit int64) bool {
	if x.Cmp(big.NewRat(limit, 1)) > 0 || x.Cmp(big.NewRat(-limit, 1)) < 0 {
		return false
	}
	if low, ok := new(big.Rat).SetString(tag.Get("min")); ok && x.Cmp(low.Mul(low, big.NewRat(unit, 1))) < 0 {
		return false
	}
	high, ok := new(big.Rat).SetString(tag.Get("max"))
	return !ok || x.Cmp(high.Mul(high, big.NewRat(unit, 1))) <= 0
}

func number(text string) int {
	n := 0
	if _, err := fmt.Sscan(text, &n); err != nil {
		panic(err)
	}
	return n
}

var odd = regexp.MustCompile(`[\x00-\x20\x7f.\[\]"\\]`)

func join(path, key string) string {
	if len(key) > 64 {
		key = strings.ToValidUTF8(key[:64], "") + "…"
	}
	if key == "" || odd.MatchString(key) {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(key); err != nil {
			panic(err)
		}
		quoted := strings.NewReplacer(`\u2028`, "\u2028", `\u2029`, "\u2029").Replace(strings.TrimSpace(b.String()))
		return path + "[" + quoted + "]"
	}
	if path == "" {
		return key
	}
	return path + "." + key
}
