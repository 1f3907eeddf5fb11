package main

import (
	"bytes"
	"errors"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/abi/wire"
)

// messageFile holds the messages of a file, each as it stands there.
type messageFile struct {
	name    string
	entries []entry
}

// entry is one message and the line on which it begins, from 1.
type entry struct {
	raw  []byte
	line int
}

// parseMessages reads JSON Lines or one JSON array of messages. The error is an
// inputError that names the first line that is broken.
func parseMessages(name string, data []byte) (*messageFile, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	f := &messageFile{name: name}
	begin := bytes.TrimLeft(data, " \t\r\n")
	var err error
	if len(begin) > 0 && begin[0] == '[' {
		err = f.parseArray(data)
	} else {
		err = f.parseLines(data)
	}
	if err != nil {
		return nil, err
	}
	if len(f.entries) == 0 {
		return nil, &inputError{file: name, code: abi.CodeInvalidRequest, message: "there is no message"}
	}
	for _, e := range f.entries {
		if err := checkMessage(name, e); err != nil {
			return nil, err
		}
	}
	return f, nil
}

func (f *messageFile) parseLines(data []byte) error {
	for line := 1; len(data) > 0; line++ {
		raw, rest, _ := bytes.Cut(data, []byte("\n"))
		data = rest
		if raw = bytes.TrimSpace(raw); len(raw) > 0 {
			f.entries = append(f.entries, entry{raw, line})
		}
	}
	return nil
}

// parseArray cuts the elements out of an array. Whether each is a message is
// seen later.
func (f *messageFile) parseArray(data []byte) error {
	line, counted := 1, 0
	lineAt := func(offset int) int {
		line += bytes.Count(data[counted:offset], []byte("\n"))
		counted = offset
		return line
	}
	broken := func(offset int, message string) error {
		return &inputError{file: f.name, line: lineAt(offset), code: abi.CodeInvalidRequest, message: message}
	}
	at := bytes.IndexByte(data, '[') + 1
	for {
		begin := at + leadingSpace(data[at:])
		end := elementEnd(data, begin)
		if end == len(data) {
			return broken(len(bytes.TrimRight(data, " \t\r\n")), "unexpected end of the array")
		}
		raw := bytes.TrimSpace(data[begin:end])
		switch {
		case len(raw) > 0:
			f.entries = append(f.entries, entry{raw, lineAt(begin)})
		case data[end] == ',' || len(f.entries) > 0:
			return broken(end, "expected a message")
		}
		at = end + 1
		if data[end] == ',' {
			continue
		}
		if begin = at + leadingSpace(data[at:]); begin < len(data) {
			return broken(begin, "text after the array")
		}
		return nil
	}
}

func leadingSpace(b []byte) int { return len(b) - len(bytes.TrimLeft(b, " \t\r\n")) }

// elementEnd is the offset of the comma or bracket behind an element, the length
// of the data when there is none.
func elementEnd(data []byte, at int) int {
	depth := 0
	for ; at < len(data); at++ {
		switch data[at] {
		case '"':
			for at++; at < len(data) && data[at] != '"'; at++ {
				if data[at] == '\\' {
					at++
				}
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 && data[at] == ']' {
				return at
			}
			depth = max(depth-1, 0)
		case ',':
			if depth == 0 {
				return at
			}
		}
	}
	return len(data)
}

// checkMessage says what the contract has against a message by itself.
func checkMessage(file string, e entry) error {
	var m abi.Message
	d := wire.Decoder{Strict: true, Alias: true}
	err := d.Decode(e.raw, &m)
	if err == nil {
		return nil
	}
	var w *wire.Error
	if !errors.As(err, &w) {
		return &inputError{file: file, line: e.line, code: abi.CodeInvalidRequest, message: err.Error()}
	}
	return &inputError{file: file, line: e.line, code: w.Code, path: w.Path, message: w.Message}
}

// batch is consecutive messages that go into one request.
type batch struct {
	// first is the index of its first message in the file.
	first, count int
	request      []byte
}

// Sizes of a batch. A single message may be larger than batchBytes.
const (
	batchBytes    = 1 << 20
	batchMessages = 1000
)

// batches makes append requests of at most a frame each.
func (f *messageFile) batches(thread, now string) []batch {
	head := (&abi.AppendRequest{Thread: thread}).AppendWire(nil)
	head = bytes.TrimSuffix(head, []byte("]}"))
	tail := []byte("]}")
	if now != "" {
		tail = append(wire.AppendString([]byte(`],"now":`), now), '}')
	}
	var all []batch
	for i := 0; i < len(f.entries); {
		b := batch{first: i, request: bytes.Clone(head)}
		for ; i < len(f.entries) && b.count < batchMessages; i++ {
			raw := f.entries[i].raw
			if b.count > 0 && len(b.request)+len(raw) > batchBytes {
				break
			}
			if b.count > 0 {
				b.request = append(b.request, ',')
			}
			b.request = append(b.request, raw...)
			b.count++
		}
		b.request = append(b.request, tail...)
		all = append(all, b)
	}
	return all
}
