package render

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestArguments(t *testing.T) {
	for _, c := range []struct{ name, arguments, want string }{
		{"none", "", "{}"},
		{"blank", " \n", "{}"},
		{"an object", "{\"a\" : [ 1.50, true , \"x y\" ] }\n", `{"a":[1.50,true,"x y"]}`},
		{"escapes", `{"\u0061\/":"\u00e9\ud83d\ude00\"\\\n"}`, `{"a/":"é😀\"\\\n"}`},
		{"half of an emoji", `{"a":"\ud83d"}`, `{"a":"` + "\uFFFD" + `"}`},
		{"broken off", `{"a":`, `{"arguments":"{\"a\":"}`},
		{"a list", `[1]`, `{"arguments":"[1]"}`},
		{"two objects", `{}{}`, `{"arguments":"{}{}"}`},
		{"invalid UTF-8", "{\"a\":\"\xff\"}", `{"arguments":"{\"a\":\"` + "\uFFFD" + `\"}"}`},
	} {
		if got := string(appendArguments(nil, c.arguments)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// FuzzArguments compares with the standard library: an object stays the same object, other text comes back from its
// member, and there is no space left.
func FuzzArguments(f *testing.F) {
	for _, s := range []string{"", "{}", `{"a": [1, {"b": "\u00e9\ud800"}]}`, "{\"a\":", `"x"`, `{"a":1e999,"a":-0}`, `{"` + "\u2028" + `":" \/"}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := appendArguments([]byte("x"), s)[1:]
		var compact bytes.Buffer
		if err := json.Compact(&compact, got); err != nil || !bytes.Equal(compact.Bytes(), got) {
			t.Fatalf("%q became %q: %v", s, got, err)
		}
		back := decode(t, got)
		if isObject(s) {
			if want := decode(t, []byte(s)); !reflect.DeepEqual(back, want) {
				t.Fatalf("%q became %q", s, got)
			}
			return
		}
		if strings.HasPrefix(strings.TrimSpace(s), "{") && json.Valid([]byte(s)) && utf8.ValidString(s) && strings.Count(s, "{")+strings.Count(s, "[") <= objectDepth {
			t.Fatalf("%q is an object", s)
		}
		if text, ok := back["arguments"]; ok && text != strings.ToValidUTF8(s, "\uFFFD") && utf8.ValidString(s) || !ok && !blank(s) {
			t.Fatalf("%q became %q", s, got)
		}
	})
}

func decode(t *testing.T, b []byte) object {
	t.Helper()
	var o object
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&o); err != nil {
		t.Fatalf("%q: %v", b, err)
	}
	return o
}
