package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ctxplan/ctxplan/abi"
)

const testdata = "../../../testdata/"

// Each code is provoked by a case of the conformance suite or by a scenario, or unreachable.txt says why it can't be. A
// code of that list which a case provokes has to leave it.
func TestEveryCodeIsProvoked(t *testing.T) {
	seen := provoked(t)
	excused := unreachable(t)
	for _, e := range abi.Explanations {
		name := e.List + " " + e.Code
		switch {
		case seen[name] == "" && excused[name] == "":
			t.Errorf("no case provokes the %s, and unreachable.txt does not name it", name)
		case seen[name] != "" && excused[name] != "":
			t.Errorf("unreachable.txt names the %s, which %s provokes", name, seen[name])
		}
		delete(excused, name)
		delete(seen, name)
	}
	for name, place := range seen {
		t.Errorf("%s has the %s, which nobody explains", place, name)
	}
	for name := range excused {
		t.Errorf("unreachable.txt names the %s, which there is not", name)
	}
}

// What responses say about retrying is what the page says.
func TestRetryableIsAsExplained(t *testing.T) {
	later := map[string]bool{}
	for _, e := range abi.Explanations {
		if e.List == abi.ListErrors || e.List == abi.ListHostErrors {
			later[e.Code] = e.Later
		}
	}
	checked := 0
	for place, out := range responses(t) {
		if e := out.Error; e != nil {
			checked++
			if want, known := later[e.Code]; !known || e.Retryable && !want {
				t.Errorf("%s: %s with retryable %v is not as it is explained", place, e.Code, e.Retryable)
			}
		}
	}
	if checked == 0 {
		t.Error("no case has an error")
	}
}

// answer is what a response says by codes.
type answer struct {
	Error *struct {
		Code      string `json:"code"`
		Retryable bool   `json:"retryable"`
	} `json:"error"`
	Results []struct {
		Reason string `json:"reason"`
	} `json:"results"`
	Plan struct {
		Dropped []struct {
			Reason string `json:"reason"`
		} `json:"dropped"`
		DroppedCounts map[string]int64 `json:"dropped_counts"`
		Warnings      []struct {
			Code   string `json:"code"`
			Reason string `json:"reason"`
		} `json:"warnings"`
	} `json:"plan"`
}

// responses reads those of the conformance suite, by file and line.
func responses(t *testing.T) map[string]answer {
	t.Helper()
	files, err := filepath.Glob(testdata + "conformance/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal("there is no conformance suite: ", err)
	}
	found := map[string]answer{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for n, line := range bytes.Split(data, []byte("\n")) {
			if len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			var c struct {
				Out answer `json:"out"`
			}
			if err := json.Unmarshal(line, &c); err != nil {
				t.Fatalf("%s:%d: %v", file, n+1, err)
			}
			found[filepath.Base(file)+":"+strconv.Itoa(n+1)] = c.Out
		}
	}
	return found
}

// provoked gives a place for each code that a case provokes, by list and code.
func provoked(t *testing.T) map[string]string {
	t.Helper()
	seen := map[string]string{}
	see := func(list, code, place string) {
		// The smallest place, so that a message is the same from run to run.
		if old := seen[list+" "+code]; code != "" && (old == "" || place < old) {
			seen[list+" "+code] = place
		}
	}
	for place, out := range responses(t) {
		if out.Error != nil {
			see(errorList(out.Error.Code), out.Error.Code, place)
		}
		for _, r := range out.Results {
			see(abi.ListRefusals, r.Reason, place)
		}
		for _, d := range out.Plan.Dropped {
			see(abi.ListReasons, d.Reason, place)
		}
		for reason := range out.Plan.DroppedCounts {
			see(abi.ListReasons, reason, place)
		}
		for _, w := range out.Plan.Warnings {
			see(abi.ListWarnings, w.Code, place)
			see(abi.ListDegraded, w.Reason, place)
		}
	}
	stories(t, see)
	return seen
}

// stories reads what the scenarios expect. Only what is expected to be there counts: values, not their absence.
func stories(t *testing.T, see func(list, code, place string)) {
	t.Helper()
	files, err := filepath.Glob(testdata + "scenarios/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no scenarios: ", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var s struct {
			Steps []struct {
				Expect []struct {
					Path, Error string
					Equals      any
				}
			}
		}
		if err := json.Unmarshal(data, &s); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		place := filepath.Base(file)
		for _, step := range s.Steps {
			for _, e := range step.Expect {
				see(errorList(e.Error), e.Error, place)
				list := listOf(e.Path)
				if list == "" {
					continue
				}
				switch v := e.Equals.(type) {
				case string:
					see(list, v, place)
				case []any:
					for _, x := range v {
						if s, ok := x.(string); ok {
							see(list, s, place)
						}
					}
				}
			}
		}
	}
}

func errorList(code string) string {
	if slices.Contains(abi.HostCodes, code) {
		return abi.ListHostErrors
	}
	return abi.ListErrors
}

// listOf is the list of which the values at a path of a response are.
func listOf(path string) string {
	switch {
	case strings.HasPrefix(path, "results[") && strings.HasSuffix(path, "].reason"):
		return abi.ListRefusals
	case strings.HasPrefix(path, "plan.dropped[") && strings.HasSuffix(path, "].reason"):
		return abi.ListReasons
	case strings.HasPrefix(path, "plan.warnings[") && strings.HasSuffix(path, "].code"):
		return abi.ListWarnings
	case strings.HasPrefix(path, "plan.warnings[") && strings.HasSuffix(path, "].reason"):
		return abi.ListDegraded
	}
	return ""
}

// unreachable reads the list of codes that no case provokes: list, code, a colon and why.
func unreachable(t *testing.T) map[string]string {
	t.Helper()
	data, err := os.ReadFile(testdata + "unreachable.txt")
	if err != nil {
		t.Fatal(err)
	}
	excused := map[string]string{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		line := lines.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, why, ok := strings.Cut(line, ": ")
		if !ok || why == "" || excused[name] != "" {
			t.Errorf("unreachable.txt: %q is not list, code, a colon and why, or is there twice", line)
		}
		excused[name] = why
	}
	return excused
}
