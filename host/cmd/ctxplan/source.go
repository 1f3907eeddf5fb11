package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/abi/wire"
)

// standardInput is the name of a file that is the standard input.
const standardInput = "-"

// source reads files, of which one may be the standard input.
type source struct{ stdin io.Reader }

// read gives the content of a file, and the name that errors should have for
// it.
func (s *source) read(name string) (data []byte, shown string, err error) {
	if name != standardInput {
		data, err := os.ReadFile(name)
		return data, name, err
	}
	data, err = io.ReadAll(s.stdin)
	return data, "standard input", err
}

// count reads a flag that is a file or a number of tokens. What is no number is
// a file; a file whose name is a number is ./7.
func count(value string) (int64, bool) {
	n, err := strconv.ParseInt(value, 10, 64)
	return n, err == nil
}

func (s *source) system(value string) (t abi.TextOrCount, err error) {
	if n, ok := count(value); ok {
		return abi.TextOrCount{Count: n, Counted: true}, nil
	}
	text, err := s.text(value)
	return abi.TextOrCount{Text: text}, err
}

// text reads a file of plain text, without the newline at its end.
func (s *source) text(name string) (string, error) {
	data, shown, err := s.read(name)
	if err != nil {
		return "", err
	}
	return plain(shown, data)
}

func plain(shown string, data []byte) (string, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if at := invalidUTF8(data); at >= 0 {
		return "", &inputError{file: shown, line: 1 + bytes.Count(data[:at], []byte("\n")), code: abi.CodeInvalidRequest,
			message: "the text is not UTF-8"}
	}
	return strings.TrimRight(string(data), "\r\n"), nil
}

func invalidUTF8(b []byte) int {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

func (s *source) tools(value string) (t abi.JSONOrCount, err error) {
	if n, ok := count(value); ok {
		return abi.JSONOrCount{Count: n, Counted: true}, nil
	}
	data, shown, err := s.read(value)
	if err != nil {
		return t, err
	}
	return t, decodeFile(shown, data, func(d *wire.Decoder) { t.DecodeWire(d) })
}

// evidence reads a JSON array of {"text":…}, or a plain text as one evidence. A
// file that ends in .json has to be the array.
func (s *source) evidence(value string) (t abi.EvidenceOrCount, err error) {
	if n, ok := count(value); ok {
		return abi.EvidenceOrCount{Count: n, Counted: true}, nil
	}
	data, shown, err := s.read(value)
	if err != nil {
		return t, err
	}
	if strings.HasSuffix(value, ".json") || bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")) && wire.Valid(data, abi.MaxDepth) {
		return t, decodeFile(shown, data, func(d *wire.Decoder) { t.DecodeWire(d) })
	}
	text, err := plain(shown, data)
	t.List = []abi.Evidence{{Text: text}}
	return t, err
}

// settings reads a JSON object of settings.
func (s *source) settings(name string) (p abi.SettingsPatch, shown string, err error) {
	data, shown, err := s.read(name)
	if err != nil {
		return p, shown, err
	}
	err = decodeFile(shown, data, func(d *wire.Decoder) { p.DecodeWire(d) })
	if err == nil && p.IsZero() {
		err = &inputError{file: shown, code: abi.CodeInvalidRequest, message: "expected an object of settings"}
	}
	return p, shown, err
}

// decodeFile reads one JSON document, strictly.
func decodeFile(shown string, data []byte, read func(*wire.Decoder)) error {
	d := wire.Decoder{Strict: true}
	err := d.DecodeFunc(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), read)
	var w *wire.Error
	if errors.As(err, &w) {
		return &inputError{file: shown, code: w.Code, path: w.Path, message: w.Message}
	}
	return err
}
