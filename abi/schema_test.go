package abi_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxplan/ctxplan/abi/internal/twin"
	"github.com/ctxplan/ctxplan/abi/wire"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

func compile(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("schema", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(name+".json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSchemasCompile(t *testing.T) {
	names, err := filepath.Glob("schema/*.json")
	if err != nil || len(names) == 0 {
		t.Fatalf("%v, %v", names, err)
	}
	for _, name := range names {
		compile(t, strings.TrimSuffix(filepath.Base(name), ".json"))
	}
}

// TestSchemasAgreeWithCodec holds the schemas against the decoder. What the decoder accepts they accept. They know
// nothing of duplicate keys, of how a number is spelled and of sizes in bytes, so that the other direction holds for the
// codes only: an unknown field is one to both.
func TestSchemasAgreeWithCodec(t *testing.T) {
	accepted, refused := 0, 0
	for _, s := range samples {
		schema := compile(t, s.name)
		strict := strings.HasSuffix(s.name, "_request")
		for _, doc := range s.docs {
			for seed := range uint64(200) {
				mutant := []byte(doc)
				if seed > 0 {
					mutant = twin.Mutate(rand.New(rand.NewPCG(seed, 4)), mutant)
				}
				err := (&wire.Decoder{Strict: strict}).Decode(mutant, s.fresh())
				v, parseErr := jsonschema.UnmarshalJSON(bytes.NewReader(mutant))
				if parseErr != nil {
					continue
				}
				invalid := schema.Validate(v)
				switch {
				case err == nil && invalid != nil && !patched(invalid):
					t.Fatalf("%s: the decoder accepts %s, the schema says %v", s.name, mutant, invalid)
				case err != nil && err.(*wire.Error).Code == wire.CodeUnknownField && invalid == nil:
					t.Fatalf("%s: the schema accepts %s, the decoder says %v", s.name, mutant, err)
				case invalid == nil:
					accepted++
				default:
					refused++
				}
			}
		}
	}
	if accepted < 500 || refused < 500 {
		t.Errorf("%d accepted and %d refused: the mutants show too little", accepted, refused)
	}
}

// patched reports whether a schema refused the inside of a settings patch, which the decoder keeps as it is.
func patched(err error) bool { return strings.Contains(err.Error(), "/settings") }

func TestSchemasRefuse(t *testing.T) {
	for _, c := range []struct{ kind, doc string }{
		{"append_request", `{"thread":"t"}`},
		{"append_request", `{"thread":"t","messages":[{"role":"robot"}]}`},
		{"append_request", `{"thread":"t","messages":[{"role":"user","colour":1}]}`},
		{"append_request", `{"thread":"t","messages":[{"role":"user","content":[{"type":"text","txt":""}]}]}`},
		{"append_request", `{"thread":"t","messages":[{"role":"user","content":7}]}`},
		{"append_request", `{"thread":7,"messages":[]}`},
		{"append_request", `{"thread":null,"messages":[]}`},
		{"plan_request", `{"thread":"t","budget":{"history":1.5}}`},
		{"plan_request", `{"thread":"t","budget":{"output":-1}}`},
		{"plan_request", `{"thread":"t","budget":{},"system":-1}`},
		{"needs_request", `{"max":1025}`},
		{"stats_request", `{"all":true}`},
		{"append_response", `{"thread":"t","revision":1,"messages":[{"id":"a","seq":"1","status":"added"}]}`},
	} {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(c.doc))
		if err != nil {
			t.Fatal(err)
		}
		if compile(t, c.kind).Validate(v) == nil {
			t.Errorf("%s: accepts %s", c.kind, c.doc)
		}
	}
}
