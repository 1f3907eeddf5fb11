package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ctxplan/ctxplan/abi"
)

func TestPageIsFresh(t *testing.T) {
	got, err := os.ReadFile("../../../docs/errors.md")
	if err != nil || string(got) != page() {
		t.Error("docs/errors.md is stale: run go generate ./abi/...")
	}
}

// Each list of codes is explained code by code, in its own order, and nothing else is.
func TestEveryCodeIsExplained(t *testing.T) {
	var lists []string
	for _, s := range sections() {
		lists = append(lists, s.list)
		var explained []string
		for _, e := range abi.Explanations {
			if e.List == s.list {
				explained = append(explained, e.Code)
			}
		}
		if !slices.Equal(explained, s.codes) {
			t.Errorf("explained as %s: %v, want %v", s.list, explained, s.codes)
		}
	}
	for _, e := range abi.Explanations {
		if !slices.Contains(lists, e.List) {
			t.Errorf("%s is of the list %q, which is not on the page", e.Code, e.List)
		}
	}
}

func TestExplanationsAreSentences(t *testing.T) {
	for _, e := range abi.Explanations {
		for _, text := range []string{e.Meaning, e.Action} {
			if len(text) < 8 || !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, ".)") || strings.ContainsAny(text, "\n\t") {
				t.Errorf("%s %s: %q is no sentence", e.List, e.Code, text)
			}
			if strings.Count(text, "`")%2 != 0 {
				t.Errorf("%s %s: %q leaves a name open", e.List, e.Code, text)
			}
		}
		if e.Later && e.Retry == "" {
			t.Errorf("%s %s may succeed later, and the page says that it never does", e.List, e.Code)
		}
	}
}
