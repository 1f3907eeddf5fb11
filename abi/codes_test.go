package abi

import (
	"os"
	"strings"
	"testing"
)

// ABI.md is written by hand; whatever has a name in the contract has to stand in it.
func TestEveryNameIsInTheDocument(t *testing.T) {
	b, err := os.ReadFile("ABI.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	imports, err := os.ReadFile("imports.txt")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, line := range strings.Split(string(imports), "\n") {
		if name, ok := strings.CutPrefix(line, "wasi_snapshot_preview1."); ok {
			names = append(names, name)
		}
	}
	if len(names) == 0 || len(names) > 20 {
		t.Errorf("%d imports, want 1 to 20", len(names))
	}
	for _, list := range [][]string{names, Ops, Codes, HostCodes, Refusals, Reasons, WarningCodes,
		{KindSystem, KindInstruction, KindPinned, KindRecent, KindRetrieved, KindEvidence, KindLive, KindInput}} {
		for _, name := range list {
			if !strings.Contains(text, "`"+name+"`") {
				t.Errorf("ABI.md does not name %s", name)
			}
		}
	}
	if !strings.Contains(text, "version "+Version) {
		t.Errorf("ABI.md is not of version %s", Version)
	}
}

func TestExportsAreTheOps(t *testing.T) {
	b, err := os.ReadFile("exports.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := "_initialize memory ctxplan_abi ctxplan_alloc ctxplan_release"
	for _, op := range Ops {
		want += " ctxplan_" + op
	}
	var got []string
	for _, line := range strings.Split(string(b), "\n") {
		if line != "" && !strings.HasPrefix(line, "#") {
			got = append(got, line)
		}
	}
	if g := strings.Join(got, " "); g != want {
		t.Errorf("exports.txt has %s, want %s", g, want)
	}
}
