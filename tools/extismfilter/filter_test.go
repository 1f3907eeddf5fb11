package main

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestLines(t *testing.T) {
	for _, c := range []struct {
		name, line, op, request, err string
	}{
		{"bytes of the request as they stand", `{"op":"append","in":{"a": "\u00e9",  "b":1.50}}`, "append", `{"a": "\u00e9",  "b":1.50}`, ""},
		{"a request that is no object", `{"op":"stats","in":null}`, "stats", "null", ""},
		{"bytes that are no JSON", `{"op":"restore","raw_base64":"ewr/"}`, "restore", "{\n\xff", ""},
		{"no bytes", `{"op":"stats","raw_base64":""}`, "stats", "", ""},
		{"reset", `{"op":"reset"}`, "reset", "", ""},
		{"reset with a request", `{"op":"reset","in":{}}`, "", "", "op and in"},
		{"op alone", `{"op":"stats"}`, "", "", "op and in"},
		{"both forms", `{"op":"stats","in":{},"raw_base64":""}`, "", "", "op and in"},
		{"unknown member", `{"op":"stats","in":{},"x":1}`, "", "", "op and in"},
		{"no op", `{"in":{}}`, "", "", "names its op"},
		{"op of another type", `{"op":1,"in":{}}`, "", "", "names its op"},
		{"base64 without its end", `{"op":"stats","raw_base64":"e30"}`, "", "", "not base64"},
		{"base64 that is null", `{"op":"stats","raw_base64":null}`, "", "", "is a string"},
		{"no object", `null`, "", "", "is an object"},
		{"no JSON", `stats`, "", "", "is an object"},
	} {
		t.Run(c.name, func(t *testing.T) {
			op, request, err := parseLine([]byte(c.line))
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("error %v, want one with %q", err, c.err)
				}
				return
			}
			if err != nil || op != c.op || string(request) != c.request {
				t.Fatalf("op %q, request %q, error %v", op, request, err)
			}
		})
	}
}

// echo is a space that answers with its number and the request.
type echo struct {
	number byte
	closed *[]byte
}

func (e echo) FunctionExists(name string) bool {
	return slices.Contains([]string{"_initialize", "echo", "trap", "refuse"}, name)
}

func (e echo) Call(name string, data []byte) (uint32, []byte, error) {
	switch name {
	case "trap":
		return 1, nil, errors.New("unreachable")
	case "refuse":
		return 3, nil, nil
	}
	return 0, append([]byte{e.number}, data...), nil
}

func (e echo) Close(context.Context) error {
	*e.closed = append(*e.closed, e.number)
	return nil
}

func TestFilterGoesOn(t *testing.T) {
	var closed []byte
	number := byte('0')
	f, err := newFilter(t.Context(), func() (space, error) {
		if number++; number == '4' {
			return nil, errors.New("no more")
		}
		return echo{number, &closed}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	lines := []struct{ line, want string }{
		{`{"op":"echo","in":"a"}`, `1"a"`},
		{``, ``},
		{`{"op":"_initialize","in":{}}`, `{"error":{"code":"not_implemented","message":"there is no such op","path":"","retryable":false}}`},
		{`{"op":"other","in":{}}`, `{"error":{"code":"not_implemented","message":"there is no such op","path":"","retryable":false}}`},
		{`echo`, `{"error":{"code":"invalid_request"`},
		{`{"op":"reset"}`, `{"reset":true}`},
		{`{"op":"echo","raw_base64":""}`, `2`},
		{`{"op":"echo","raw_base64":"Cg=="}`, `{"out_base64":"Mgo="}`},
		{`{"op":"trap","in":{}}`, `{"error":{"code":"trapped","message":"unreachable"`},
		{`{"op":"echo","in":{}}`, `{"error":{"code":"unavailable"`},
		{`{"op":"reset"}`, `{"reset":true}`},
		{`{"op":"echo","in":{}}`, `3{}`},
		{`{"op":"refuse","in":{}}`, `{"error":{"code":"trapped","message":"the plug-in returned 3"`},
		{`{"op":"reset"}`, `{"error":{"code":"unavailable","message":"no more"`},
		{`{"op":"reset"}`, `{"reset":true}`},
		{`{"op":"echo","in":5}`, `55`},
	}
	var in, out bytes.Buffer
	var want []string
	for _, l := range lines {
		in.WriteString(l.line + "\n")
		if l.line != "" {
			want = append(want, l.want)
		}
	}
	if err := f.run(&in, &out); err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(got) != len(want) {
		t.Fatalf("%d answers, want %d", len(got), len(want))
	}
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) || strings.HasPrefix(got[i], `{"error"`) && !strings.HasSuffix(got[i], `"retryable":false}}`) {
			t.Errorf("answer %d is %s, want %s", i, got[i], want[i])
		}
	}
	if string(closed) != "123" {
		t.Errorf("closed %s, want 123", closed)
	}
}
