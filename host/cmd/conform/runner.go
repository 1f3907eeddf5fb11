package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"unicode/utf8"
)

// runner goes through files and counts.
type runner struct {
	*options
	known       map[string]string
	out, stderr io.Writer
	filter      *filter

	passed, failed, expected, written int
}

// file runs the cases of a file. The error is one of the suite; what the filter
// does wrong is counted.
func (r *runner) file(name string) error {
	cases, err := readCases(name)
	if err != nil {
		return err
	}
	if err := r.begin(); err != nil {
		return err
	}
	changed := false
	for i := range cases {
		c := &cases[i]
		place := fmt.Sprintf("%s:%d", filepath.Base(name), c.line)
		got, err := r.filter.ask(c.lineFor())
		if err != nil {
			r.fail(place, c, nil, err.Error())
			r.filter.kill()
			r.close()
			for _, c := range cases[i+1:] {
				r.fail(fmt.Sprintf("%s:%d", filepath.Base(name), c.line), &c, nil, "not run, since the command is gone")
			}
			break
		}
		if !json.Valid(got) {
			r.fail(place, c, got, "the answer is no JSON")
			continue
		}
		if r.update && (c.out == nil || r.all) && !bytes.Equal(c.out, got) {
			c.out, changed = got, true
			r.written++
		}
		r.judge(place, c, got)
	}
	if !changed {
		return nil
	}
	return writeCases(name, cases)
}

// begin sees that there is a filter with an empty space.
func (r *runner) begin() error {
	if r.filter != nil && !r.fresh {
		answer, err := r.filter.ask([]byte(`{"op":"reset"}`))
		if err == nil && string(answer) == `{"reset":true}` {
			return nil
		}
		fmt.Fprintf(r.out, "the reset was answered by %s%v; the command is started anew\n", answer, errorText(err))
		r.failed++
	}
	r.close()
	var err error
	r.filter, err = start(r.command, r.stderr, r.timeout)
	return err
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func (r *runner) close() {
	if r.filter != nil {
		r.filter.stop()
		r.filter = nil
	}
}

func (r *runner) judge(place string, c *testCase, got []byte) {
	switch {
	case c.out == nil:
		r.fail(place, c, got, "the case has no answer yet")
	case !bytes.Equal(c.out, got):
		r.fail(place, c, got, "the answer differs at byte "+firstDifference(c.out, got))
	default:
		if reason, listed := r.known[place]; listed {
			delete(r.known, place)
			fmt.Fprintf(r.out, "%s: passes, and is listed as failing: %s\n", place, reason)
			r.failed++
			return
		}
		if r.verbose {
			fmt.Fprintf(r.out, "%s: passes: %s\n", place, c.why)
		}
		r.passed++
	}
}

func (r *runner) fail(place string, c *testCase, got []byte, what string) {
	if reason, listed := r.known[place]; listed {
		delete(r.known, place)
		fmt.Fprintf(r.out, "%s: fails as expected: %s\n", place, reason)
		r.expected++
		return
	}
	r.failed++
	fmt.Fprintf(r.out, "%s: %s\n  why       %s\n  request   %s\n", place, what, c.why, clip(c.lineFor()))
	if c.out != nil {
		fmt.Fprintf(r.out, "  expected  %s\n", clip(c.out))
	}
	if got != nil {
		fmt.Fprintf(r.out, "  got       %s\n", clip(got))
	}
}

// unused counts listed cases that do not exist.
func (r *runner) unused() {
	ran := map[string]bool{}
	for _, name := range r.files {
		ran[filepath.Base(name)] = true
	}
	for _, place := range slices.Sorted(maps.Keys(r.known)) {
		if file, _, _ := cutPlace(place); ran[file] {
			fmt.Fprintf(r.out, "%s: listed as failing, and there is no such case: %s\n", place, r.known[place])
			r.failed++
		}
	}
}

// clipBytes is how much of a long line is shown.
const clipBytes = 4000

func clip(b []byte) string {
	if len(b) <= clipBytes {
		return string(b)
	}
	cut := clipBytes
	for cut > 0 && !utf8.RuneStart(b[cut]) {
		cut--
	}
	return fmt.Sprintf("%s… (%d bytes)", b[:cut], len(b))
}

// firstDifference names the first byte that differs, with what is around it.
func firstDifference(want, got []byte) string {
	at := 0
	for at < len(want) && at < len(got) && want[at] == got[at] {
		at++
	}
	around := func(b []byte) string {
		return fmt.Sprintf("%q", b[max(0, min(at-20, len(b))):min(len(b), at+40)])
	}
	return fmt.Sprintf("%d: expected %s, got %s", at, around(want), around(got))
}

func writeCases(name string, cases []testCase) error {
	var b bytes.Buffer
	for i := range cases {
		b.Write(cases[i].format())
		b.WriteByte('\n')
	}
	return os.WriteFile(name, b.Bytes(), 0o644)
}
