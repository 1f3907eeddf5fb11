package sample

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/ctxplan/ctxplan/abi/internal/twin"
	"github.com/ctxplan/ctxplan/abi/wire"
)

func defaults() Options {
	return Options{Turns: 8, Share: 500_000, Mode: "slow", Roles: []string{"user"}, Part: PartOptions{On: true, Name: "p"},
		Labels: map[string]string{"a": "1", "b": "2"}, Rules: []Inner{{C: "x"}}}
}

func merge(t *testing.T, dst Options, patch string) (Options, error) {
	t.Helper()
	def := defaults()
	d := wire.Decoder{Strict: true}
	err := d.DecodeFunc([]byte(patch), func(d *wire.Decoder) { mergeOptions(d, &dst, &def) })
	return dst, err
}

func TestMergePatch(t *testing.T) {
	for _, c := range []struct{ name, before, patch, want string }{
		{"nothing", `{}`, `{}`, `{}`},
		{"a value", `{}`, `{"turns":3,"mode":"fast"}`, `{"turns":3,"mode":"fast"}`},
		{"null resets", `{"turns":3}`, `{"turns":null}`, `{}`},
		{"null resets a part", `{"part":{"on":false,"name":"q"}}`, `{"part":null}`, `{}`},
		{"null resets all", `{"turns":3,"mode":"fast","model":{"id":"m"}}`, `null`, `{}`},
		{"objects merge", `{}`, `{"part":{"name":"q"}}`, `{"part":{"on":true,"name":"q"}}`},
		{"arrays are replaced", `{"roles":["a","b"]}`, `{"roles":["c"]}`, `{"roles":["c"]}`},
		{"arrays are emptied", `{"roles":["a","b"]}`, `{"roles":[]}`, `{"roles":[]}`},
		{"an object on nil", `{}`, `{"model":{"id":"m"}}`, `{"model":{"id":"m","size":128}}`},
		{"an object on an object", `{"model":{"id":"m","size":5}}`, `{"model":{"inner":{"on":true}}}`, `{"model":{"id":"m","size":5,"inner":{"on":true}}}`},
		{"null in an object on nil", `{"model":{"id":"m","size":5}}`, `{"model":{"size":null}}`, `{"model":{"id":"m","size":128}}`},
		{"null on an object", `{"model":{"id":"m"}}`, `{"model":null}`, `{}`},
		{"maps merge", `{"labels":{"a":"7","c":"3"}}`, `{"labels":{"d":"4","a":null,"c":null}}`, `{"labels":{"a":"1","d":"4"}}`},
		{"null on a map", `{"labels":{}}`, `{"labels":null}`, `{}`},
		{"a nullable number", `{}`, `{"limit":5}`, `{"limit":5}`},
		{"raw", `{}`, `{"raw":{"x": null}}`, `{"raw":{"x": null}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := merge(t, from(t, c.before), c.patch)
			if err != nil {
				t.Fatal(err)
			}
			if want := from(t, c.want); !reflect.DeepEqual(twin.Trim(&got), twin.Trim(&want)) {
				t.Errorf("got %s, want %s", got.AppendWire(nil), want.AppendWire(nil))
			}
		})
	}
}

// from returns the defaults with the members of doc in place of theirs.
func from(t *testing.T, doc string) Options {
	t.Helper()
	v := defaults()
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(doc), &members); err != nil {
		t.Fatal(err)
	}
	if members["labels"] != nil {
		v.Labels = nil
	}
	if members["model"] != nil {
		v.Model = &ModelOptions{Size: 128}
	}
	if err := json.Unmarshal([]byte(doc), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestMergeErrors(t *testing.T) {
	for _, c := range []struct{ patch, code, path string }{
		{`{"turn":1}`, "unknown_field", "turn"},
		{`{"part":{"of":1}}`, "unknown_field", "part.of"},
		{`{"model":{"inner":{"x":null}}}`, "unknown_field", "model.inner.x"},
		{`{"turns":1,"turns":null}`, "invalid_request", "turns"},
		{`{"turns":101}`, "invalid_request", "turns"},
		{`{"mode":""}`, "invalid_request", "mode"},
		{`{"part":[]}`, "invalid_request", "part"},
		{`{"labels":{"k":"","k":null}}`, "invalid_request", "labels.k"},
		{`{"labels":{"k":1}}`, "invalid_request", "labels.k"},
		{`{"model":{"id":"123456789"}}`, "invalid_request", "model.id"},
		{`{"rules":[{"c":null}]}`, "invalid_request", "rules[0].c"},
		{`[]`, "invalid_request", ""},
	} {
		_, err := merge(t, defaults(), c.patch)
		if e, ok := err.(*wire.Error); !ok || e.Code != c.code || e.Path != c.path {
			t.Errorf("%s: got %#v, want %s at %s", c.patch, err, c.code, c.path)
		}
	}
}

func TestMergeLeavesWhatIsSharedAlone(t *testing.T) {
	old := from(t, `{"model":{"id":"m","size":5},"labels":{"a":"7"},"roles":["a","b"]}`)
	before := string(old.AppendWire(nil))
	def := defaults()
	next := old
	d := wire.Decoder{Strict: true}
	patch := `{"model":{"size":6,"inner":{"on":true}},"labels":{"a":"8","b":null},"roles":["c"],"rules":null,"turns":"no"}`
	if err := d.DecodeFunc([]byte(patch), func(d *wire.Decoder) { mergeOptions(d, &next, &def) }); err == nil {
		t.Fatal("accepted a text for a number")
	}
	if after := string(old.AppendWire(nil)); after != before {
		t.Errorf("the value before became %s, was %s", after, before)
	}
	if want := defaults(); !reflect.DeepEqual(def, want) {
		t.Errorf("the defaults became %s", def.AppendWire(nil))
	}
	next, _ = merge(t, old, `null`)
	next.Labels["a"], next.Rules[0].C = "changed", "changed"
	if want := defaults(); !reflect.DeepEqual(def, want) {
		t.Errorf("the defaults became %s", def.AppendWire(nil))
	}
}

// naive is RFC 7396 on trees, with defaults in place of removal.
func naive(target, patch, def any, name string) any {
	p, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	t, ok := target.(map[string]any)
	if !ok {
		t = map[string]any{}
		if name == "model" {
			t = map[string]any{"id": "", "size": json.Number("128"), "inner": map[string]any{"on": false, "name": ""}}
		}
		if name == "other" {
			t = map[string]any{"on": false, "name": ""}
		}
	}
	out := map[string]any{}
	for k, v := range t {
		out[k] = v
	}
	base, ok := def.(map[string]any)
	if !ok {
		switch name {
		case "model":
			base = map[string]any{"id": "", "size": json.Number("128"), "inner": map[string]any{"on": false, "name": ""}}
		case "other":
			base = map[string]any{"on": false, "name": ""}
		}
	}
	for k, v := range p {
		if v != nil {
			out[k] = naive(out[k], v, base[k], k)
		} else if d, ok := base[k]; ok {
			out[k] = d
		} else {
			delete(out, k)
		}
	}
	return out
}

func TestMergeAgreesWithTrees(t *testing.T) {
	tree := func(text string) any {
		dec := json.NewDecoder(strings.NewReader(text))
		dec.UseNumber()
		var v any
		if err := dec.Decode(&v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	members := map[string][]string{
		"turns": {"1", "2", "null"}, "share": {"0.25", "null"}, "mode": {`"fast"`, "null"}, "roles": {`["x"]`, "[]", "null"},
		"part":   {"null", `{"on":false}`, `{"name":"z","on":null}`, "{}"},
		"model":  {"null", "{}", `{"id":"m","size":null}`, `{"size":1,"inner":{"on":true}}`, `{"inner":null}`},
		"other":  {"null", "{}", `{"name":"o"}`, `{"name":null,"on":true}`},
		"labels": {"null", "{}", `{"a":"9"}`, `{"a":null,"c":"3"}`, `{"c":null,"b":null}`},
		"rules":  {"null", `[{"c":"1"},{"c":"2"}]`}, "limit": {"null", "4"}, "raw": {`{"q":1}`, "null"},
	}
	names := []string{"turns", "share", "mode", "roles", "part", "model", "other", "labels", "rules", "limit", "raw"}
	for seed := range uint64(2000) {
		rng := rand.New(rand.NewPCG(seed, 2))
		got := defaults()
		def := defaults()
		want, defTree := tree(string(def.AppendWire(nil))), tree(string(def.AppendWire(nil)))
		for range 4 {
			var parts []string
			for _, n := range rng.Perm(len(names))[:rng.IntN(len(names))] {
				values := members[names[n]]
				parts = append(parts, `"`+names[n]+`":`+values[rng.IntN(len(values))])
			}
			patch := "{" + strings.Join(parts, ",") + "}"
			var err error
			if got, err = merge(t, got, patch); err != nil {
				t.Fatalf("%s: %v", patch, err)
			}
			want = naive(want, tree(patch), defTree, "")
			if have := tree(string(got.AppendWire(nil))); !reflect.DeepEqual(have, want) {
				t.Fatalf("seed %d, after %s: got %v, want %v", seed, patch, have, want)
			}
		}
	}
}
