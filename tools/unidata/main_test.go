package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestTablesAreFresh writes the tables from the database that CTXPLAN_UCD names and compares them with the repository.
func TestTablesAreFresh(t *testing.T) {
	dir := os.Getenv("CTXPLAN_UCD")
	if dir == "" {
		if os.Getenv("CI") == "true" {
			t.Fatal("CTXPLAN_UCD is not set: CI generates the Unicode tables again")
		}
		t.Skip("CTXPLAN_UCD is not set: the Unicode tables are not compared")
	}
	files, err := generate(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		have, err := os.ReadFile(filepath.Join("..", "..", "plugin", "text", f.name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(have, f.data) {
			t.Errorf("plugin/text/%s differs from what %s gives; run: go run ./tools/unidata -ucd %s", f.name, dir, dir)
		}
	}
}

func TestTrie(t *testing.T) {
	values := make([]uint32, 1024)
	for i := range values {
		values[i] = uint32(i * i % 7)
	}
	for i := 256; i < 384; i++ {
		values[i] = values[i-128]
	}
	index, blocks := trie(values)
	for i, want := range values {
		if got := blocks[index[i>>blockBits]<<blockBits|uint32(i)&(1<<blockBits-1)]; got != want {
			t.Fatalf("value %d is %d, want %d", i, got, want)
		}
	}
	if index[2] != index[1] {
		t.Error("equal blocks are kept twice")
	}
}

func TestPackStrings(t *testing.T) {
	text, offset := packStrings([]string{"abcd", "bc", "xy", "d"})
	for s, at := range offset {
		if text[at:at+len(s)] != s {
			t.Errorf("%q is not at %d of %q", s, at, text)
		}
	}
	if text != "abcdxy" {
		t.Errorf("packed as %q", text)
	}
}
