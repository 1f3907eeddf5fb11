package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	ucd := flag.String("ucd", "/usr/share/unicode", "folder of the Unicode Character Database")
	out := flag.String("out", "plugin/text", "folder to write to")
	flag.Parse()
	if err := run(*ucd, *out); err != nil {
		fmt.Fprintln(os.Stderr, "unidata:", err)
		os.Exit(1)
	}
}

func run(ucd, out string) error {
	files, err := generate(ucd)
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(out, f.name), f.data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

type output struct {
	name string
	data []byte
}

// generate gives the files in the order of their names.
func generate(ucd string) ([]output, error) {
	db, err := load(ucd)
	if err != nil {
		return nil, err
	}
	if err := db.check(); err != nil {
		return nil, err
	}
	norm, err := db.normTables()
	if err != nil {
		return nil, err
	}
	props, err := db.propTables()
	if err != nil {
		return nil, err
	}
	return []output{{"norm_gen.go", norm}, {"props_gen.go", props}}, nil
}

func (db *database) propTables() ([]byte, error) {
	values, err := db.props()
	if err != nil {
		return nil, err
	}
	var rows []uint32
	of := map[uint32]uint32{}
	numbers := make([]uint32, len(values))
	for i, v := range values {
		n, ok := of[v]
		if !ok {
			n = uint32(len(rows))
			of[v] = n
			rows = append(rows, v)
		}
		numbers[i] = n
	}
	index, blocks := trie(numbers)
	s := &source{}
	s.header(db.version)
	fmt.Fprintf(s, "// UnicodeVersion is the version of the Unicode data that decides classes, normalisation and segmentation.\nconst UnicodeVersion = %q\n\n", db.version)
	array(s, "propIndex is the block of a code point's high bits.", "propIndex", index, 8)
	array(s, "propBlocks are rows of 128 code points each.", "propBlocks", blocks, 8)
	array(s, "propRows: class 0-3, script 4-7, grapheme break 8-11, flags from 12.", "propRows", rows, 32)
	return s.file()
}

func (db *database) normTables() ([]byte, error) {
	of, rows := db.heads()
	index, blocks := trie(of)
	text, offset := pool(rows)
	targets := make([]uint32, len(rows))
	infos := make([]uint16, len(rows))
	for i, h := range rows {
		if offset[h.to] >= 1<<24 || len(h.to) >= 1<<8 {
			return nil, fmt.Errorf("mapping %q does not fit the table", h.to)
		}
		targets[i] = uint32(offset[h.to])<<8 | uint32(len(h.to))
		infos[i] = h.info
	}
	s := &source{}
	s.header(db.version)
	array(s, "normIndex is the block of a code point's high bits.", "normIndex", index, 8)
	array(s, "normBlocks are heads of 128 code points each; head 0 is for what normalisation never touches.", "normBlocks", blocks, 16)
	array(s, "normTargets are offset<<8 | length in normText.", "normTargets", targets, 32)
	array(s, "normInfo: combining class 0-7, flags from 8.", "normInfo", infos, 16)
	array(s, "composites are first<<42 | second<<21 | composite, sorted.", "composites", db.composites(), 64)
	s.text("normText holds decompositions and foldings.", "normText", text)
	return s.file()
}
