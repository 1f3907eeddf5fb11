package scenario

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/host"
)

// The plans of the conformance suite keep the guarantees. What is in the files
// does not matter here, only what the engine says.
func TestGuaranteesInTheConformanceSuite(t *testing.T) {
	files, err := filepath.Glob("../../../testdata/conformance/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no cases", err)
	}
	r := open(t, host.Native())
	plans := 0
	for _, file := range files {
		name := filepath.Base(file)
		spaces := &Spaces{Runtime: r, Prefix: name + " "}
		space := "first"
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
			var c struct {
				Op string
				In json.RawMessage
			}
			if err := json.Unmarshal(line, &c); err != nil {
				t.Fatalf("%s:%d: %v", name, i+1, err)
			}
			if c.Op == "reset" {
				space += "+"
			}
			if c.In == nil {
				continue
			}
			answer, err := spaces.Do(background, space, c.Op, c.In)
			if err != nil {
				t.Fatalf("%s:%d: %v", name, i+1, err)
			}
			if c.Op != abi.OpPlan {
				continue
			}
			faults, err := checkPlan(background, spaces, space, c.In, answer)
			if err != nil {
				t.Fatalf("%s:%d: %v", name, i+1, err)
			}
			for _, f := range faults {
				t.Errorf("%s:%d: %s", name, i+1, f)
			}
			plans++
		}
	}
	if plans < 100 {
		t.Errorf("only %d plans were looked at", plans)
	}
}
