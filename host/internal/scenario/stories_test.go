package scenario

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxplan/ctxplan/host"
	"github.com/ctxplan/ctxplan/host/internal/guest"
)

const stories = "../../../testdata/scenarios"

var background = context.Background()

// module gives the module under test: that of CTXPLAN_WASM, else the one that is
// built in.
func module(t *testing.T) []byte {
	t.Helper()
	if name := os.Getenv("CTXPLAN_WASM"); name != "" {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	data, err := guest.Embedded()
	if err != nil {
		t.Skip("there is no module: make wasm builds one, and CTXPLAN_WASM names it")
	}
	return data
}

func open(t *testing.T, options ...host.Option) *host.Runtime {
	t.Helper()
	r, err := host.New(background, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(background) })
	return r
}

// failing reads the list of cases that do not hold yet, with the reason of each.
func failing(t *testing.T) map[string]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(stories, "known-failing.txt"))
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]string{}
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			name, reason, _ := strings.Cut(line, " ")
			if strings.TrimSpace(reason) == "" {
				t.Fatalf("%s is listed without a reason", name)
			}
			list[name] = strings.TrimSpace(reason)
		}
	}
	return list
}

func read(t *testing.T) []*Scenario {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(stories, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatal("there are no stories", err)
	}
	all := make([]*Scenario, len(files))
	for i, file := range files {
		s, err := Read(file)
		if err != nil {
			t.Fatal(err)
		}
		if name := strings.TrimSuffix(filepath.Base(file), ".json"); name != s.Case {
			t.Fatalf("%s tells the case %s", file, s.Case)
		}
		all[i] = s
	}
	return all
}

func tell(t *testing.T, r *host.Runtime, s *Scenario, prefix string) *Report {
	t.Helper()
	spaces := &Spaces{Runtime: r, Prefix: prefix + s.Case + " "}
	report, err := Run(background, spaces, s)
	if err != nil {
		t.Fatal(err)
	}
	if err := spaces.Close(background); err != nil {
		t.Fatal(err)
	}
	return report
}

func TestStoriesHold(t *testing.T) {
	r := open(t, host.Native())
	known := failing(t)
	for _, s := range read(t) {
		t.Run(s.Case, func(t *testing.T) {
			report := tell(t, r, s, "")
			reason, listed := known[s.Case]
			delete(known, s.Case)
			switch {
			case listed && len(report.Failures) == 0:
				t.Errorf("it holds, and is listed as failing: %s", reason)
			case listed:
				t.Logf("fails as expected (%s): %s", reason, report.Failures[0])
			default:
				for _, f := range report.Failures {
					t.Error(f)
				}
			}
		})
	}
	for name := range known {
		t.Errorf("%s is listed as failing, and there is no such story", name)
	}
}

// The module gives the same bytes as the native engine, step by step.
func TestStoriesAreTheSameInTheModule(t *testing.T) {
	if testing.Short() {
		t.Skip("the stories run through the module in the long tests")
	}
	wasm := open(t, host.WithWasm(module(t)))
	native := open(t, host.Native())
	for _, s := range read(t) {
		t.Run(s.Case, func(t *testing.T) {
			want, got := tell(t, native, s, "").Answers, tell(t, wasm, s, "").Answers
			for i := range want {
				if !bytes.Equal(want[i], got[i]) {
					t.Fatalf("step %d differs at byte %d: native …%s, module …%s", i+1, common(want[i], got[i]),
						around(want[i], got[i]), around(got[i], want[i]))
				}
			}
		})
	}
}

// common is the length of the beginning that two answers share.
func common(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// around shows a where it begins to differ from b.
func around(a, b []byte) []byte {
	n := common(a, b)
	return a[max(0, n-60):min(len(a), n+100)]
}
