package abi

import (
	"os"
	"strings"
	"testing"
)

func listed(t *testing.T, name string) []string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, line := range strings.Split(string(b), "\n") {
		if line != "" && !strings.HasPrefix(line, "#") {
			names = append(names, line)
		}
	}
	return names
}

func TestExtismExportsAreTheOps(t *testing.T) {
	want := "_initialize memory " + strings.Join(Ops, " ")
	if got := strings.Join(listed(t, "extism-exports.txt"), " "); got != want {
		t.Errorf("extism-exports.txt has %s, want %s", got, want)
	}
}

// What the plug-in asks of WASI is no more than the module does, and what it asks of Extism stands in the document.
func TestExtismImportsAreDocumented(t *testing.T) {
	b, err := os.ReadFile("ABI.md")
	if err != nil {
		t.Fatal(err)
	}
	module := strings.Join(listed(t, "imports.txt"), "\n") + "\n"
	seen := 0
	for _, name := range listed(t, "extism-imports.txt") {
		function, ok := strings.CutPrefix(name, "extism:host/env.")
		switch {
		case ok && !strings.Contains(string(b), "`"+function+"`"):
			t.Errorf("ABI.md does not name %s", function)
		case !ok && !strings.Contains(module, name+"\n"):
			t.Errorf("imports.txt does not have %s", name)
		case ok:
			seen++
		}
	}
	if seen == 0 {
		t.Error("no function of Extism is listed")
	}
}
