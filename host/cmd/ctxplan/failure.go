package main

import (
	"errors"
	"strconv"
	"strings"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/host"
)

// usageError is a command line that makes no sense.
type usageError string

func (e usageError) Error() string { return string(e) }

// inputError is a fault in what was read.
type inputError struct {
	file string
	// line from 1, 0 for the file as a whole.
	line int
	// code of the ABI, and path in the message or document.
	code, path string
	message    string
}

func (e *inputError) Error() string {
	s := printable(e.file)
	if e.line > 0 {
		s += ":" + strconv.Itoa(e.line)
	}
	s += ": "
	if e.path != "" {
		s += printable(e.path) + ": "
	}
	s += printable(e.message)
	if e.code != "" {
		s += " (" + e.code + ")"
	}
	return s
}

// opError is an op that failed.
type opError struct {
	op    string
	cause error
}

func (e *opError) Error() string { return describeError(e) }
func (e *opError) Unwrap() error { return e.cause }

// describeError gives what happened in one line: op, code, path, message, and
// the numbers of the error.
func describeError(err error) string {
	var op *opError
	var h *host.Error
	if !errors.As(err, &op) || !errors.As(op.cause, &h) {
		return printable(err.Error())
	}
	s := op.op + ": " + h.Code
	if h.Path != "" {
		s += " at " + printable(h.Path)
	}
	s += ": " + printable(h.Message) + details(h.Details)
	if h.Output != "" {
		s += "\n" + printable(strings.TrimRight(h.Output, "\n"))
	}
	return s
}

func details(d *abi.ErrorDetails) string {
	if d == nil {
		return ""
	}
	var parts []string
	for _, p := range []struct {
		name  string
		value *int64
	}{{"need", d.Need}, {"have", d.Have}, {"limit", d.Limit}} {
		if p.value != nil {
			parts = append(parts, p.name+" "+group(*p.value))
		}
	}
	if len(d.Pinned) > 0 {
		parts = append(parts, "for "+list(d.Pinned, 8))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// list joins at most n words and says how many more there are.
func list(words []string, n int) string {
	rest := len(words) - n
	if rest > 0 {
		words = words[:n]
	}
	shown := make([]string, len(words))
	for i, w := range words {
		shown[i] = printable(w)
	}
	s := strings.Join(shown, " ")
	if rest > 0 {
		s += " and " + strconv.Itoa(rest) + " more"
	}
	return s
}

func quote(s string) string { return strconv.Quote(s) }

// group writes a number with commas between thousands.
func group(n int64) string {
	s := strconv.FormatInt(n, 10)
	begin := 0
	if n < 0 {
		begin = 1
	}
	for i := len(s) - 3; i > begin; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
