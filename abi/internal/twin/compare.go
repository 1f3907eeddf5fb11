package twin

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/ctxplan/ctxplan/abi/wire"
)

// Codec is what the generated code gives every type.
type Codec interface {
	wire.Value
	AppendWire(dst []byte) []byte
}

// Compare decodes doc with the codec and with the twin and says where they differ, "" when they do not. It then checks
// that what was decoded is written so that it reads the same again, and that encoding/json agrees. New makes a zero value
// of one type.
func (r *Reader) Compare(doc []byte, fresh func() Codec) string {
	d := wire.Decoder{Strict: r.Strict}
	got := fresh()
	err := d.Decode(doc, got)
	for _, alias := range []bool{false, true} {
		other, ticks := fresh(), 0
		d := wire.Decoder{Strict: r.Strict, Alias: alias, Tick: func() { ticks++ }}
		if e := d.Decode(doc, other); !reflect.DeepEqual(e, err) || e == nil && !reflect.DeepEqual(got, other) {
			return fmt.Sprintf("alias %v and tick change the outcome: %v and %v", alias, err, e)
		}
		if err == nil && ticks < len(doc)/(64<<10) {
			return fmt.Sprintf("%d ticks for %d bytes", ticks, len(doc))
		}
	}
	if !Sound(doc) {
		if err == nil {
			return "accepts what is not JSON in UTF-8"
		}
		return ""
	}
	want := fresh()
	wantErr := r.Read(doc, want)
	if (err == nil) != (wantErr == nil) {
		return fmt.Sprintf("codec says %v, twin says %v", err, wantErr)
	}
	if err != nil {
		e := err.(*wire.Error)
		// The paths of what is nested too deeply have a test of their own.
		if e.Code != wantErr.Code || wantErr.Path != "?" && e.Path != wantErr.Path && len(e.Path) < 500 {
			return fmt.Sprintf("codec says %s at %q (%s), twin says %s at %q", e.Code, e.Path, e.Message, wantErr.Code, wantErr.Path)
		}
		return ""
	}
	if !reflect.DeepEqual(got, want) {
		return fmt.Sprintf("codec reads %+v, twin %+v", got, want)
	}
	if r.Strict {
		standard := fresh()
		dec := json.NewDecoder(strings.NewReader(string(doc)))
		dec.DisallowUnknownFields()
		if err := dec.Decode(standard); err != nil {
			return fmt.Sprintf("encoding/json says %v", err)
		}
		if !reflect.DeepEqual(Trim(got), Trim(standard)) {
			return fmt.Sprintf("codec reads %+v, encoding/json %+v", got, standard)
		}
	}
	return r.again(got, fresh)
}

// again writes a value and reads it back.
func (r *Reader) again(v Codec, fresh func() Codec) string {
	text := v.AppendWire([]byte("before"))
	if string(text[:6]) != "before" {
		return "writing changes what stood before"
	}
	text = text[6:]
	back := fresh()
	d := wire.Decoder{Strict: true}
	if err := d.Decode(text, back); err != nil {
		return fmt.Sprintf("does not read what it wrote: %v in %s", err, text)
	}
	if !reflect.DeepEqual(Trim(v), Trim(back)) {
		return fmt.Sprintf("reads %s as %+v, was %+v", text, back, v)
	}
	if second := back.AppendWire(nil); string(second) != string(text) {
		return fmt.Sprintf("writes %s, and after reading it %s", text, second)
	}
	standard := fresh()
	if err := json.Unmarshal(text, standard); err != nil {
		return fmt.Sprintf("encoding/json does not read %s: %v", text, err)
	}
	if !reflect.DeepEqual(Trim(standard), Trim(back)) {
		return fmt.Sprintf("encoding/json reads %s differently", text)
	}
	return ""
}

// Trim sets empty slices and maps to nil, in the value that v points to and all its parts, and returns v.
func Trim(v any) any {
	trim(reflect.ValueOf(v))
	return v
}

func trim(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			trim(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			trim(v.Field(i))
		}
	case reflect.Slice:
		if v.Len() == 0 && v.CanSet() {
			v.SetZero()
		}
		for i := range v.Len() {
			trim(v.Index(i))
		}
	case reflect.Map:
		if v.Len() == 0 && v.CanSet() {
			v.SetZero()
		}
		for _, key := range v.MapKeys() {
			item := reflect.New(v.Type().Elem()).Elem()
			item.Set(v.MapIndex(key))
			trim(item)
			v.SetMapIndex(key, item)
		}
	}
}
