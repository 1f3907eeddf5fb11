package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The test binary is its own filter: with this variable set it answers lines.
const filterVariable = "CONFORM_TEST_FILTER"

func TestMain(m *testing.M) {
	if os.Getenv(filterVariable) != "" {
		beFilter()
		return
	}
	os.Exit(m.Run())
}

// beFilter answers count with how many lines this space has had, echo with its
// request, die by exiting, sleep by not answering.
func beFilter() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	count := 0
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var m struct {
			Op  string
			In  json.RawMessage
			Raw []byte `json:"raw_base64"`
		}
		if err := json.Unmarshal(line, &m); err != nil {
			fmt.Printf("bad line: %v\n", err)
			continue
		}
		count++
		switch m.Op {
		case "reset":
			count = 0
			if os.Getenv(filterVariable) == "deaf" {
				fmt.Println("what?")
				continue
			}
			fmt.Println(`{"reset":true}`)
		case "count":
			fmt.Printf("{\"count\":%d}\n", count)
		case "echo":
			fmt.Printf("%q\n", m.Raw)
		case "die":
			fmt.Fprintln(os.Stderr, "dying")
			os.Exit(3)
		case "sleep":
			time.Sleep(time.Hour)
		}
	}
}

// suite writes a suite and gives its folder.
func suite(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func conform(t *testing.T, dir string, flags ...string) (code int, out string) {
	t.Helper()
	if os.Getenv(filterVariable) == "" {
		t.Setenv(filterVariable, "yes")
	}
	var stdout, stderr bytes.Buffer
	args := append([]string{"--dir", dir}, flags...)
	code = run(append(args, "--", os.Args[0]), &stdout, &stderr)
	return code, stdout.String() + stderr.String()
}

func TestConform(t *testing.T) {
	const good = `{"why":"counts","op":"count","in":{},"out":{"count":1}}` + "\n"
	for _, c := range []struct {
		name  string
		files map[string]string
		flags []string
		code  int
		words []string
	}{
		{"all pass", map[string]string{"a.jsonl": good + `{"why":"w","op":"count","in":{},"out":{"count":2}}`, "b.jsonl": good}, nil, 0,
			[]string{"3 passed, 0 failed\n"}},
		{"a fresh command for each file", map[string]string{"a.jsonl": good, "b.jsonl": good}, []string{"--fresh"}, 0, []string{"2 passed, 0 failed\n"}},
		{"verbose", map[string]string{"a.jsonl": good}, []string{"--verbose"}, 0, []string{"a.jsonl:1: passes: counts\n"}},
		{"a reset in a file", map[string]string{"a.jsonl": good + `{"why":"anew","op":"reset","out":{"reset":true}}` + "\n" + good}, nil, 0, []string{"3 passed, 0 failed\n"}},
		{"a difference", map[string]string{"a.jsonl": good + "\n" + `{"why":"two","op":"count","in":{ "a" : 1},"out":{"count":7}}` + "\n"}, nil, 1,
			[]string{"a.jsonl:3: the answer differs at byte 9: expected \"{\\\"count\\\":7}\", got \"{\\\"count\\\":2}\"\n", "why       two\n", `request   {"op":"count","in":{ "a" : 1}}`, `expected  {"count":7}`, `got       {"count":2}`, "1 passed, 1 failed\n"}},
		{"bytes and not values are compared", map[string]string{"a.jsonl": `{"why":"w","op":"count","in":{},"out":{ "count":1}}`}, nil, 1, []string{"differs at byte 1"}},
		{"no answer yet", map[string]string{"a.jsonl": `{"why":"w","op":"count","in":{}}`}, nil, 1, []string{"has no answer yet"}},
		{"the command dies", map[string]string{"a.jsonl": `{"why":"w","op":"die","in":{},"out":{}}` + "\n" + good, "b.jsonl": good}, nil, 1,
			[]string{"a.jsonl:1: the command ended without an answer: exit status 3", "a.jsonl:2: not run", "dying", "1 passed, 2 failed"}},
		{"the command sleeps", map[string]string{"a.jsonl": `{"why":"w","op":"sleep","in":{},"out":{}}`, "b.jsonl": good}, []string{"--timeout", "100ms"}, 1,
			[]string{"no answer within 100ms", "1 passed, 1 failed"}},
		{"raw requests", map[string]string{"a.jsonl": `{"why":"w","op":"echo","raw":"{\"x\"","out":"{\"x\""}` + "\n" + `{"why":"w","op":"echo","raw":["a",["bc",3],"d"],"out":"abcbcbcd"}` + "\n" +
			`{"why":"w","op":"echo","raw_base64":"/w==","out":"?"}` + "\n"}, nil, 1, []string{`{"op":"echo","raw_base64":"/w=="}`, `got       "\xff"`, "2 passed, 1 failed"}},
		{"an answer that is no JSON is not written", map[string]string{"a.jsonl": `{"why":"w","op":"echo","raw_base64":"/w=="}`}, []string{"--update"}, 1, []string{"the answer is no JSON", "0 passed, 1 failed, 0 written"}},
		{"an unknown member", map[string]string{"a.jsonl": `{"why":"w","op":"count","in":{},"output":{}}`}, nil, 1, []string{`a.jsonl:1: unknown member "output"`}},
		{"no reason", map[string]string{"a.jsonl": `{"op":"count","in":{},"out":{}}`}, nil, 1, []string{"a case says why"}},
		{"two requests", map[string]string{"a.jsonl": `{"why":"w","op":"count","in":{},"raw":"","out":{}}`}, nil, 1, []string{"one of in, raw and raw_base64"}},
		{"no JSON", map[string]string{"a.jsonl": good + "nonsense"}, nil, 1, []string{"a.jsonl:2: "}},
		{"a known failure", map[string]string{"a.jsonl": `{"why":"w","op":"count","in":{},"out":{}}`, "known-failing.txt": "# list\n* a.jsonl:1 it counts\n"}, nil, 0,
			[]string{"a.jsonl:1: fails as expected: it counts", "0 passed, 0 failed, 1 known to fail"}},
		{"a known failure that passes", map[string]string{"a.jsonl": good, "known-failing.txt": "* a.jsonl:1 it counts\n"}, nil, 1, []string{"passes, and is listed as failing: it counts", "0 passed, 1 failed"}},
		{"a known failure of another road", map[string]string{"a.jsonl": good, "known-failing.txt": "slow a.jsonl:1 it counts\n"}, []string{"--road", "fast"}, 0, []string{"1 passed, 0 failed"}},
		{"a known failure of this road", map[string]string{"a.jsonl": good, "known-failing.txt": "slow a.jsonl:1 it counts\n"}, []string{"--road", "slow"}, 1, []string{"listed as failing"}},
		{"a known failure that is no case", map[string]string{"a.jsonl": good, "known-failing.txt": "* a.jsonl:2 it counts\n"}, nil, 1, []string{"a.jsonl:2: listed as failing, and there is no such case"}},
		{"a known failure without a reason", map[string]string{"a.jsonl": good, "known-failing.txt": "* a.jsonl:2\n"}, nil, 1, []string{"known-failing.txt:1: a line is: road file:line reason"}},
		{"an empty suite", nil, nil, 2, []string{"there are no cases", "usage: "}},
		{"all without update", map[string]string{"a.jsonl": good}, []string{"--all"}, 2, []string{"--all belongs to --update"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, out := conform(t, suite(t, c.files), c.flags...)
			if code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			for _, w := range c.words {
				if !strings.Contains(out, w) {
					t.Errorf("the output lacks %q:\n%s", w, out)
				}
			}
		})
	}
}

func TestFilterThatIgnoresTheReset(t *testing.T) {
	t.Setenv(filterVariable, "deaf")
	const good = `{"why":"counts","op":"count","in":{},"out":{"count":1}}` + "\n"
	code, out := conform(t, suite(t, map[string]string{"a.jsonl": good, "b.jsonl": good}))
	if code != 1 || !strings.Contains(out, "the reset was answered by what?") || !strings.Contains(out, "2 passed, 1 failed") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
}

func TestUpdateWritesWhatIsMissing(t *testing.T) {
	const before = `{"why":"a < b","op":"count","in":{ "x":1 }}` + "\n" + `{"why":"kept","op":"count","in":{},"out":{"count":9}}` + "\n"
	dir := suite(t, map[string]string{"a.jsonl": before})
	file := filepath.Join(dir, "a.jsonl")
	if code, out := conform(t, dir, "--update"); code != 1 || !strings.Contains(out, "1 passed, 1 failed, 1 written") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
	want := `{"why":"a < b","op":"count","in":{ "x":1 },"out":{"count":1}}` + "\n" + `{"why":"kept","op":"count","in":{},"out":{"count":9}}` + "\n"
	if got, _ := os.ReadFile(file); string(got) != want {
		t.Errorf("written:\n%s", got)
	}
	if code, out := conform(t, dir, "--update", "--all"); code != 0 || !strings.Contains(out, "2 passed, 0 failed, 1 written") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
	if code, out := conform(t, dir); code != 0 || !strings.Contains(out, "2 passed, 0 failed\n") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
}

func TestNoCommand(t *testing.T) {
	var stdout, stderr bytes.Buffer
	for _, args := range [][]string{nil, {"--"}, {"a.jsonl"}, {"--nonsense", "--", "x"}} {
		if code := run(args, &stdout, &stderr); code != 2 {
			t.Errorf("%q: exit code %d", args, code)
		}
	}
	if code := run([]string{"--dir", suite(t, map[string]string{"a.jsonl": ""}), "--", "/no/such/command"}, &stdout, &stderr); code != 1 {
		t.Errorf("a command that is not there: exit code %d", code)
	}
}
