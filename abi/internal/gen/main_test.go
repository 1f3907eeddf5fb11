package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestGeneratedFilesAreFresh makes every file anew, in memory, and compares it with the one on disk.
func TestGeneratedFilesAreFresh(t *testing.T) {
	for _, dir := range []string{"../..", "sample"} {
		files, err := generate(dir)
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range files {
			got, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s is stale: run go generate ./abi/...", filepath.Join(dir, name))
			}
		}
		onDisk, err := filepath.Glob(filepath.Join(dir, schemaDir, "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range onDisk {
			if files[schemaDir+"/"+filepath.Base(name)] == nil {
				t.Errorf("%s belongs to no type", name)
			}
		}
	}
}

func TestGenerationIsRepeatable(t *testing.T) {
	first, err := generate("sample")
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		next, err := generate("sample")
		if err != nil {
			t.Fatal(err)
		}
		for name := range first {
			if !bytes.Equal(first[name], next[name]) {
				t.Fatalf("%s differs from run to run", name)
			}
		}
	}
}

func TestWritesAndCleansUp(t *testing.T) {
	dir := t.TempDir()
	source := "package p\n\n// A is one.\n//\n//abi:request\ntype A struct {\n\tX string `json:\"x\"`\n}\n"
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, schemaDir), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, schemaDir, "gone.json"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := write(dir); err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(dir, schemaDir, "*"))
	if err != nil || len(names) != 1 || filepath.Base(names[0]) != "a.json" {
		t.Errorf("schemas are %v, want a.json alone", names)
	}
	const want = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "a",
  "description": "A is one.",
  "type": "object",
  "properties": {
    "x": {
      "type": "string"
    }
  },
  "required": [
    "x"
  ],
  "additionalProperties": false
}
`
	if got, err := os.ReadFile(filepath.Join(dir, schemaDir, "a.json")); err != nil || string(got) != want {
		t.Errorf("schema is %s, want %s", got, want)
	}
}

func TestRefusesWhatItCannotDo(t *testing.T) {
	for _, c := range []struct{ name, types, want string }{
		{"float", "type A struct{ X float64 `json:\"x\"` }", "float64 is not supported"},
		{"interface", "type A struct{ X any `json:\"x\"` }", "any is not supported"},
		{"no tag", "type A struct{ X string }", "no json tag"},
		{"other option", "type A struct{ X string `json:\"x,string\"` }", "not supported"},
		{"embedded", "type A struct{ B }\ntype B struct{}", "embedded"},
		{"slice of pointers", "type A struct{ X []*B `json:\"x\"` }\ntype B struct{}", "slices and arrays of pointers"},
		{"map by number", "type A struct{ X map[int]string `json:\"x\"` }", "keys of maps"},
		{"optional struct", "type A struct{ X B `json:\"x,omitempty\"` }\ntype B struct{}", "needs a pointer"},
		{"name twice", "type A struct{\nX string `json:\"x\"`\nY string `json:\"x\"`\n}", "is taken"},
		{"enum of numbers", "type A struct{ X int64 `json:\"x\" enum:\"1,2\"` }", "enum is for strings"},
		{"bounds of text", "type A struct{ X string `json:\"x\" min:\"1\"` }", "min and max are for numbers"},
		{"bounds the wrong way", "type A struct{ X int64 `json:\"x\" min:\"2\" max:\"1\"` }", "min is above max"},
		{"bound of letters", "type A struct{ X int64 `json:\"x\" min:\"one\"` }", "invalid syntax"},
		{"seven digits", "type A struct{ X wire.Fixed `json:\"x\" min:\"0.1234567\"` }", "six digits"},
		{"length of a number", "type A struct{ X int64 `json:\"x\" maxlen:\"2\"` }", "maxlen is for strings"},
		{"length of letters", "type A struct{ X string `json:\"x\" maxlen:\"two\"` }", "invalid syntax"},
		{"items of text", "type A struct{ X string `json:\"x\" maxitems:\"2\"` }", "maxitems is for slices"},
		{"codec without schema", "type A struct{ X B `json:\"x\"` }\ntype B struct{}\nfunc (B) DecodeWire() {}\nfunc (B) AppendWire() {}", "needs one of"},
		{"broken schema", "//abi:schema {\ntype B struct{}\ntype A struct{}", "not valid JSON"},
		{"schema of nothing", "type A struct{ X B `json:\"x\"` }\n//abi:schema {\"$ref\":\"#/$defs/C\"}\ntype B string", "is no type"},
		{"patch of nothing", "type A struct{ X B `json:\"x\"` }\n//abi:patch A\ntype B string", "has no //abi:merge"},
		{"unknown directive", "//abi:requests\ntype B struct{}\ntype A struct{}", "unknown directive"},
		{"merge of a part without", "type A struct{ X B `json:\"x\"` }\n//abi:merge\ntype B struct{ Y C `json:\"y\"` }\ntype C struct{}", "has no //abi:merge"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			source := "package p\n\n" + strings.Replace(c.types, "type A", "//abi:request\ntype A", 1)
			if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(source), 0o644); err != nil {
				t.Fatal(err)
			}
			_, err := generate(dir)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error about %q", err, c.want)
			}
		})
	}
}

func TestSnakeCase(t *testing.T) {
	for name, want := range map[string]string{"A": "a", "PlanRequest": "plan_request", "JSONOrCount": "json_or_count",
		"ToolCallID": "tool_call_id", "ABI": "abi", "X1Y": "x1_y"} {
		if got := snake(name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}
