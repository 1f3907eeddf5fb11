package main

import (
	"errors"
	"fmt"
	"strings"
)

// options say what link does. Nil lists are not checked.
type options struct {
	pages   uint32   // maximum of the memory
	gap     uint32   // largest hole that is filled with zeros
	imports []string // names that may be imported
	exports []string // names that must be exported, and no others
	keep    []string // custom sections that stay
}

// report counts what link did.
type report struct {
	segments, merged int
	imports          int
	initialPages     uint32
}

func link(module []byte, opt options) ([]byte, report, error) {
	var rep report
	sections, err := parseModule(module)
	if err != nil {
		return nil, rep, err
	}
	if err := checkNames(sections, opt, &rep); err != nil {
		return nil, rep, err
	}
	if find(sections, sectionStart) != nil {
		return nil, rep, errors.New("has a start function: it would run before _initialize")
	}
	// Instructions can name data segments by number only when this section is
	// there, so without it segments may be renumbered.
	if find(sections, sectionDataCount) != nil {
		return nil, rep, errors.New("has a data count section: its code may name data segments, which can't be merged")
	}
	memory := find(sections, sectionMemory)
	if memory == nil {
		return nil, rep, errors.New("has no memory of its own")
	}
	if rep.initialPages, err = parseMemory(memory.body); err != nil {
		return nil, rep, err
	}
	if rep.initialPages > opt.pages {
		return nil, rep, fmt.Errorf("starts with %d pages, above the maximum of %d", rep.initialPages, opt.pages)
	}
	memory.body = encodeMemory(rep.initialPages, opt.pages)
	if data := find(sections, sectionData); data != nil {
		segments, err := parseData(data.body, uint64(rep.initialPages)*pageSize)
		if err != nil {
			return nil, rep, err
		}
		merged, err := mergeSegments(segments, opt.gap)
		if err != nil {
			return nil, rep, err
		}
		rep.segments, rep.merged = len(segments), len(merged)
		data.body = encodeData(merged)
	}
	kept := sections[:0]
	for _, s := range sections {
		if s.id == sectionCustom {
			r := reader{b: s.body}
			name := r.name()
			if r.err != nil {
				return nil, rep, fmt.Errorf("custom section: %w", r.err)
			}
			if !contains(opt.keep, name) {
				continue
			}
		}
		kept = append(kept, s)
	}
	return encodeModule(kept), rep, nil
}

func checkNames(sections []section, opt options, rep *report) error {
	var imports, exports []string
	var err error
	if s := find(sections, sectionImport); s != nil {
		if imports, err = parseImports(s.body); err != nil {
			return err
		}
	}
	if s := find(sections, sectionExport); s != nil {
		if exports, err = parseExports(s.body); err != nil {
			return err
		}
	}
	rep.imports = len(imports)
	if opt.imports != nil {
		if extra := missing(imports, opt.imports); extra != nil {
			return fmt.Errorf("imports what is not on the list: %s", strings.Join(extra, ", "))
		}
	}
	if opt.exports != nil {
		if extra := missing(exports, opt.exports); extra != nil {
			return fmt.Errorf("exports what is not on the list: %s", strings.Join(extra, ", "))
		}
		if lacking := missing(opt.exports, exports); lacking != nil {
			return fmt.Errorf("does not export: %s", strings.Join(lacking, ", "))
		}
	}
	return nil
}

func contains(list []string, name string) bool {
	for _, s := range list {
		if s == name {
			return true
		}
	}
	return false
}
