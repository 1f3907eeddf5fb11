// Command gen takes the Go files of one package in and writes its JSON codec and its JSON Schemas: codec_gen.go, and one
// file of schema/ for each request and response.
//
//	go run ./internal/gen [folder]
//
// Types are chosen by directives above them and by being reachable from such a type:
//
//	//abi:request        a type that hosts send
//	//abi:response       a type that the engine sends
//	//abi:merge          gets a function that merges a JSON Merge Patch (RFC 7396) into a value
//	//abi:schema {…}     the schema of a type with hand-written DecodeWire and AppendWire methods, on one or more lines;
//	                     a $ref to #/$defs/<Type> pulls the schema of that type in
//	//abi:patch <Type>   in its place: the type holds a patch of a merge type
//
// Fields have a json tag; omitempty makes one optional, and null then means absent. A pointer without omitempty must be
// there and may be null. More tags: enum:"a,b", min and max for numbers, maxlen for strings and bytes (in bytes),
// maxitems for slices.
//
// It is not a general generator: floating point numbers, interfaces, embedded fields and slices of pointers are errors.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
)

func main() {
	dir := "."
	if len(os.Args) > 1 {
		dir = os.Args[1]
	}
	if err := write(dir); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// write generates the files of dir and removes schemas of types that are gone.
func write(dir string) error {
	files, err := generate(dir)
	if err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(dir, schemaDir, "*.json"))
	if err != nil {
		return err
	}
	for _, name := range old {
		if _, ok := files[schemaDir+"/"+filepath.Base(name)]; !ok {
			if err := os.Remove(name); err != nil {
				return err
			}
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, schemaDir), 0o755); err != nil {
		return err
	}
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), files[name], 0o644); err != nil {
			return err
		}
	}
	return nil
}

const (
	codecFile = "codec_gen.go"
	schemaDir = "schema"
)

// generate returns the content of every generated file by its path below dir, with slashes.
func generate(dir string) (map[string][]byte, error) {
	p, err := load(dir)
	if err != nil {
		return nil, err
	}
	code, err := p.codec()
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{codecFile: code}
	for _, t := range p.order {
		if !t.request && !t.response {
			continue
		}
		schema, err := p.schema(t)
		if err != nil {
			return nil, err
		}
		files[schemaDir+"/"+snake(t.name)+".json"] = schema
	}
	return files, nil
}
