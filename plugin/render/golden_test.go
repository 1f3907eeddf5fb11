package render

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/ctxplan/ctxplan/abi"
)

var update = flag.Bool("update", false, "write the golden files anew")

// The files of testdata/render are read line by line before they are committed: items.json is a plan, the others are its
// renderings, indented.
func TestGolden(t *testing.T) {
	plans, err := filepath.Glob("../../testdata/render/*/items.json")
	if err != nil || len(plans) == 0 {
		t.Fatal(err, "no plans")
	}
	for _, path := range plans {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var items []abi.Item
		if err := json.Unmarshal(data, &items); err != nil {
			t.Fatal(path, err)
		}
		for _, format := range Formats {
			golden := filepath.Join(filepath.Dir(path), format+".json")
			body, e := Messages(format, items)
			if e != nil {
				t.Fatal(golden, e)
			}
			if f := judge(format, items); len(f) > 0 {
				t.Errorf("%s: %q", golden, []string(f))
			}
			var got bytes.Buffer
			if err := json.Indent(&got, body, "", "  "); err != nil {
				t.Fatal(golden, err)
			}
			got.WriteByte('\n')
			if *update {
				if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil || !bytes.Equal(got.Bytes(), want) {
				t.Errorf("%s: %v\n%s", golden, err, got.Bytes())
			}
		}
	}
}
