package main

import (
	"bufio"
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/host"
)

func TestFilter(t *testing.T) {
	const refused = `{"error":{"code":"invalid_request","message":"`
	for _, c := range []struct {
		name, in string
		out      []string // the beginning of each line
	}{
		{"nothing", "", nil},
		{"last line without a newline", `{"op":"stats","in":{}}`, []string{`{"revision":0,`}},
		{"empty lines are passed over", "\n \r\n" + `{"op":"stats","in":{}}` + "\r\n\n", []string{`{"revision":0,`}},
		{"spaces and order do not matter", ` { "in" : { } , "op" : "stats" } `, []string{`{"revision":0,`}},
		{"one space for all lines", `{"op":"configure","in":{"settings":{}}}` + "\n" + `{"op":"stats","in":{}}`, []string{`{"revision":1,`, `{"revision":1,`}},
		{"a reset", `{"op":"configure","in":{"settings":{}}}` + "\n" + `{"op":"reset"}` + "\n" + `{"op":"stats","in":{}}`, []string{`{"revision":1,`, `{"reset":true}`, `{"revision":0,`}},
		{"an error of the engine", `{"op":"stats","in":{"x":1}}`, []string{`{"error":{"code":"unknown_field","message":"unknown field","path":"x","retryable":false}}`}},
		{"an op that is not there", `{"op":"remember","in":{}}`, []string{`{"error":{"code":"not_implemented","message":"there is no such op","path":"","retryable":false}}`}},
		{"the filter goes on", "nonsense\n" + `{"op":"stats","in":{}}`, []string{refused, `{"revision":0,`}},
		{"a list", `["stats",{}]`, []string{refused}},
		{"null", `null`, []string{refused}},
		{"no op", `{"in":{}}`, []string{refused + "a line names its op"}},
		{"an op that is no text", `{"op":7,"in":{}}`, []string{refused + "a line names its op"}},
		{"no request", `{"op":"stats"}`, []string{refused + "a line has op and in, or op and raw_base64"}},
		{"two requests", `{"op":"stats","in":{},"raw_base64":"e30="}`, []string{refused}},
		{"something more", `{"op":"stats","in":{},"id":7}`, []string{refused}},
		{"a reset with a request", `{"op":"reset","in":{}}`, []string{refused}},
		{"raw bytes", `{"op":"stats","raw_base64":"e30="}` + "\n" + `{"op":"stats","raw_base64":"/w=="}` + "\n" + `{"op":"stats","raw_base64":""}`,
			[]string{`{"revision":0,`, refused, refused + "the request is empty"}},
		{"raw bytes that are no base64", `{"op":"stats","raw_base64":"e30"}` + "\n" + `{"op":"stats","raw_base64":7}`, []string{refused + "raw_base64 is not base64", refused + "raw_base64 is a string"}},
		{"the bytes of a request are kept", `{"op":"append","in":{"thread":"t","messages":[{"role":"user","content":[{"type":"json","json":{ "a" : 1.0 }}]}]}}` + "\n" + `{"op":"read","in":{"thread":"t"}}`,
			[]string{`{"thread":"t",`, `{"revision":1,"messages":[{"seq":1,"message":{"id":"#1","role":"user","content":[{"type":"json","json":{ "a" : 1.0 }}]}`}},
		{"a page", `{"op":"snapshot","in":{}}` + "\n" + `{"op":"restore","raw_base64":"eyJmcm9tIjowfQo="}`, []string{`{"out_base64":"eyJraW5kIjoic25hcHNob3QiLCJmb3JtYXQiOjEs`, `{"error":{"code":"corrupt_snapshot"`}},
		{"bad UTF-8 gets to the engine", `{"op":"append","in":{"thread":"` + "\xff" + `","messages":[]}}`, []string{`{"error":{"code":"invalid_request","message":"invalid UTF-8 in a string","path":"thread"`}},
		{"a duplicate key gets to the engine", `{"op":"stats","in":{"x":1,"x":1}}`, []string{`{"error":{"code":"unknown_field"`}},
		{"depth gets to the engine", `{"op":"stats","in":` + strings.Repeat("[", 65) + strings.Repeat("]", 65) + `}`, []string{`{"error":{"code":"invalid_request","message":"nested too deeply"`}},
		{"a request above the frame limit", `{"op":"stats","in":"` + strings.Repeat("x", abi.FrameLimit) + `"}`, []string{`{"error":{"code":"too_large","message":"the request is larger than a frame"`}},
		{"a line above all limits", strings.Repeat("x", lineLimit+1) + "\n" + `{"op":"stats","in":{}}`, []string{refused + "the line is longer than a frame can be", `{"revision":0,`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := native(t, c.in, "abi")
			if r.code != exitOK || r.err != "" {
				t.Errorf("exit code %d: %s", r.code, r.err)
			}
			lines := strings.Split(strings.TrimSuffix(r.out, "\n"), "\n")
			if r.out == "" {
				lines = nil
			}
			if len(lines) != len(c.out) {
				t.Fatalf("%d lines, want %d: %.500s", len(lines), len(c.out), r.out)
			}
			for i, want := range c.out {
				if !strings.HasPrefix(lines[i], want) {
					t.Errorf("line %d: %.300s\nwant %s", i+1, lines[i], want)
				}
			}
		})
	}
}

// A driver that waits for each answer before it writes the next line gets it.
func TestFilterTakesTurns(t *testing.T) {
	runtime, err := host.New(context.Background(), host.Native())
	if err != nil {
		t.Fatal(err)
	}
	defer runtime.Close(context.Background())
	f := &filter{runtime: runtime}
	if err := f.reset(context.Background()); err != nil {
		t.Fatal(err)
	}
	in, toFilter := io.Pipe()
	fromFilter, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- f.run(context.Background(), in, out) }()
	answers := bufio.NewScanner(fromFilter)
	for range 3 {
		got := make(chan bool, 1)
		go func() {
			io.WriteString(toFilter, `{"op":"stats","in":{}}`+"\n")
			got <- answers.Scan()
		}()
		select {
		case ok := <-got:
			if !ok || !strings.HasPrefix(answers.Text(), `{"revision":0`) {
				t.Fatalf("answer %q", answers.Text())
			}
		case <-time.After(20 * time.Second):
			t.Fatal("no answer while the filter waits for more")
		}
	}
	toFilter.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
