package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// testCase is one line of a case file.
type testCase struct {
	line int
	// why says what the case is there for, op the operation.
	why, op string
	// in is the request as it stands in the file; nil when it is raw.
	in json.RawMessage
	// raw is the member raw, and rawBase64 the member raw_base64, as they stand.
	raw, rawBase64 json.RawMessage
	// request is what raw stands for.
	request []byte
	// out is the answer, byte for byte; nil when there is none yet.
	out json.RawMessage
}

const opReset = "reset"

// readCases reads a file of cases.
func readCases(name string) ([]testCase, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var cases []testCase
	for number := 1; len(data) > 0; number++ {
		line, rest, _ := bytes.Cut(data, []byte("\n"))
		data = rest
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		c, err := parseCase(line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, number, err)
		}
		c.line = number
		cases = append(cases, c)
	}
	return cases, nil
}

func parseCase(line []byte) (c testCase, err error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(line, &members); err != nil {
		return c, err
	}
	for name, value := range members {
		switch name {
		case "why":
			err = json.Unmarshal(value, &c.why)
		case "op":
			err = json.Unmarshal(value, &c.op)
		case "in":
			c.in = value
		case "raw":
			c.raw = value
			c.request, err = expand(value)
		case "raw_base64":
			c.rawBase64 = value
			err = json.Unmarshal(value, &c.request)
		case "out":
			c.out = value
		default:
			err = fmt.Errorf("unknown member %q", name)
		}
		if err != nil {
			return c, err
		}
	}
	requests := 0
	for _, r := range []json.RawMessage{c.in, c.raw, c.rawBase64} {
		if r != nil {
			requests++
		}
	}
	switch {
	case c.why == "":
		return c, fmt.Errorf("a case says why")
	case c.op == "":
		return c, fmt.Errorf("a case has an op")
	case c.op == opReset && requests > 0, c.op != opReset && requests != 1:
		return c, fmt.Errorf("a case has one of in, raw and raw_base64, a reset none")
	}
	return c, nil
}

// expand reads raw: a string, or a list of strings and of [string, times].
func expand(value json.RawMessage) ([]byte, error) {
	var whole string
	if json.Unmarshal(value, &whole) == nil {
		return []byte(whole), nil
	}
	var parts []json.RawMessage
	if err := json.Unmarshal(value, &parts); err != nil {
		return nil, fmt.Errorf("raw is a string or a list")
	}
	var b []byte
	for _, part := range parts {
		var text string
		if json.Unmarshal(part, &text) == nil {
			b = append(b, text...)
			continue
		}
		times := 0
		if err := json.Unmarshal(part, &[]any{&text, &times}); err != nil || times < 0 || len(text)*times > 64<<20 {
			return nil, fmt.Errorf("raw is a list of strings and of [string, times]")
		}
		b = append(b, strings.Repeat(text, times)...)
	}
	return b, nil
}

// lineFor is what the filter is sent.
func (c *testCase) lineFor() []byte {
	b := append([]byte(`{"op":`), jsonString(c.op)...)
	switch {
	case c.op == opReset:
	case c.in != nil:
		b = append(append(b, `,"in":`...), c.in...)
	default:
		b = append(append(b, `,"raw_base64":"`...), base64.StdEncoding.EncodeToString(c.request)...)
		b = append(b, '"')
	}
	return append(b, '}')
}

// format writes a case as a line of a file.
func (c *testCase) format() []byte {
	b := append([]byte(`{"why":`), jsonString(c.why)...)
	b = append(append(b, `,"op":`...), jsonString(c.op)...)
	for _, m := range []struct {
		name  string
		value json.RawMessage
	}{{"in", c.in}, {"raw", c.raw}, {"raw_base64", c.rawBase64}, {"out", c.out}} {
		if m.value != nil {
			b = append(append(b, `,"`+m.name+`":`...), m.value...)
		}
	}
	return append(b, '}')
}

// jsonString quotes a text without escapes for HTML.
func jsonString(s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(s)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
