package sample

import (
	"os"
	"strings"
	"testing"

	"github.com/ctxplan/ctxplan/abi/wire"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

func TestPatchSchemaAgreesWithMerge(t *testing.T) {
	file, err := os.Open("schema/everything.json")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	doc, err := jsonschema.UnmarshalJSON(file)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("everything.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("everything.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, patch := range []string{
		`{}`, `{"turns":3}`, `{"turns":null,"share":1.5,"mode":"fast","roles":["a"],"part":null}`, `{"part":{"on":null,"name":"x"}}`,
		`{"model":{"id":"m","inner":{"on":true}},"other":{},"labels":{"a":"1"},"rules":[{"c":"x"}],"limit":null,"raw":[1]}`,
		`{"turns":-1}`, `{"turns":1.5}`, `{"turns":"1"}`, `{"turn":1}`, `{"mode":"idle"}`, `{"part":{"off":true}}`, `{"part":[]}`,
		`{"model":{"id":7}}`, `{"model":{"id":"123456789"}}`, `{"model":{"inner":{"x":1}}}`, `{"rules":[{}]}`, `{"rules":{}}`, `{"labels":{"a":1}}`,
		`{"share":"1"}`, `{"limit":true}`, `{"labels":{"a":null}}`,
	} {
		_, mergeErr := merge(t, defaults(), patch)
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(with("change", patch)))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); (err == nil) != (mergeErr == nil) {
			t.Errorf("%s: the schema says %v, the merge %v", patch, err, mergeErr)
		}
		if err := wire.Unmarshal([]byte(with("change", patch)), new(Everything)); err != nil {
			t.Errorf("%s: the patch itself is read as it is, got %v", patch, err)
		}
	}
}
