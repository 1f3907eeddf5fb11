package main

import (
	"bytes"
	"errors"
	"fmt"
)

// Section ids of the binary format.
const (
	sectionCustom    = 0
	sectionImport    = 2
	sectionMemory    = 5
	sectionExport    = 7
	sectionStart     = 8
	sectionData      = 11
	sectionDataCount = 12
)

// sectionOrder gives the place of each section id in a module; ids are not in
// the order of the format.
var sectionOrder = [...]int{1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 13: 6, 6: 7, 7: 8, 8: 9, 9: 10, 12: 11, 10: 12, 11: 13}

var header = []byte{0, 'a', 's', 'm', 1, 0, 0, 0}

// section is one section; its body is a view of the input.
type section struct {
	id   byte
	body []byte
}

// parseModule splits a module into its sections. It checks their frame and
// order, not their contents.
func parseModule(b []byte) ([]section, error) {
	if !bytes.HasPrefix(b, header) {
		return nil, errors.New("not a WebAssembly module of version 1")
	}
	r := reader{b: b, at: len(header)}
	var sections []section
	last := 0
	for r.at < len(b) {
		start := r.at
		id := r.byte()
		body := r.bytes(r.u32())
		if r.err != nil {
			return nil, fmt.Errorf("section at byte %d: %w", start, r.err)
		}
		if id != sectionCustom {
			if int(id) >= len(sectionOrder) || sectionOrder[id] == 0 {
				return nil, fmt.Errorf("section at byte %d: unknown id %d", start, id)
			}
			if sectionOrder[id] <= last {
				return nil, fmt.Errorf("section at byte %d: id %d is out of order or there twice", start, id)
			}
			last = sectionOrder[id]
		}
		sections = append(sections, section{id, body})
	}
	return sections, nil
}

// encodeModule is the inverse of parseModule, with lengths in the shortest form.
func encodeModule(sections []section) []byte {
	out := append([]byte(nil), header...)
	for _, s := range sections {
		out = append(out, s.id)
		out = appendU32(out, uint32(len(s.body)))
		out = append(out, s.body...)
	}
	return out
}

func find(sections []section, id byte) *section {
	for i := range sections {
		if sections[i].id == id {
			return &sections[i]
		}
	}
	return nil
}
