package main

import (
	"fmt"
	"sort"
	"strings"
)

// parseImports gives the unique names of the imported functions as
// module.name, sorted. Anything but a function is an error: a module that
// imports its memory would share it.
func parseImports(body []byte) ([]string, error) {
	r := reader{b: body}
	seen := map[string]bool{}
	for n := r.u32(); n > 0 && r.err == nil; n-- {
		name := r.name()
		name += "." + r.name()
		if kind := r.byte(); r.err == nil && kind != 0 {
			return nil, fmt.Errorf("import %s is not a function", name)
		}
		r.u32()
		seen[name] = true
	}
	if err := r.end(); err != nil {
		return nil, fmt.Errorf("import section: %w", err)
	}
	return sortedKeys(seen), nil
}

// parseExports gives the names of the exports, sorted.
func parseExports(body []byte) ([]string, error) {
	r := reader{b: body}
	seen := map[string]bool{}
	for n := r.u32(); n > 0 && r.err == nil; n-- {
		name := r.name()
		if kind := r.byte(); r.err == nil && kind > 3 {
			return nil, fmt.Errorf("export %s is of an unknown kind", name)
		}
		r.u32()
		if r.err == nil && seen[name] {
			return nil, fmt.Errorf("export %s is there twice", name)
		}
		seen[name] = true
	}
	if err := r.end(); err != nil {
		return nil, fmt.Errorf("export section: %w", err)
	}
	return sortedKeys(seen), nil
}

// parseList reads a list of names: one a line, # begins a comment.
func parseList(text string) []string {
	seen := map[string]bool{}
	for line := range strings.SplitSeq(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line != "" {
			seen[line] = true
		}
	}
	return sortedKeys(seen)
}

// missing gives the names of a that b lacks. Both are sorted.
func missing(a, b []string) []string {
	var out []string
	for _, name := range a {
		if i := sort.SearchStrings(b, name); i == len(b) || b[i] != name {
			out = append(out, name)
		}
	}
	return out
}

func sortedKeys(m map[string]bool) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
