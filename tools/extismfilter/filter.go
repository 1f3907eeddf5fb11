package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/ctxplan/ctxplan/abi"
)

// space is an instance of a plug-in, as the Extism SDK has it.
type space interface {
	FunctionExists(name string) bool
	Call(name string, data []byte) (rc uint32, output []byte, err error)
	Close(ctx context.Context) error
}

// filter answers lines for one space after the other.
type filter struct {
	ctx   context.Context
	open  func() (space, error)
	space space // nil after a failure
}

func newFilter(ctx context.Context, open func() (space, error)) (*filter, error) {
	f := &filter{ctx: ctx, open: open}
	return f, f.reset()
}

// run answers line by line until the input ends. It writes what it has whenever
// it would wait for more.
func (f *filter) run(in io.Reader, out io.Writer) error {
	r, w := bufio.NewReaderSize(in, 1<<16), bufio.NewWriterSize(out, 1<<16)
	for {
		if r.Buffered() == 0 {
			if err := w.Flush(); err != nil {
				return err
			}
		}
		line, err := r.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			w.Write(f.answer(line))
			w.WriteByte('\n')
		}
		if err == io.EOF {
			return w.Flush()
		}
		if err != nil {
			return err
		}
	}
}

// answer gives the response to one line.
func (f *filter) answer(line []byte) []byte {
	op, request, err := parseLine(line)
	if err != nil {
		return failure(abi.CodeInvalidRequest, err.Error())
	}
	if op == "reset" {
		if err := f.reset(); err != nil {
			return failure(abi.CodeUnavailable, err.Error())
		}
		return []byte(`{"reset":true}`)
	}
	if f.space == nil {
		return failure(abi.CodeUnavailable, "an earlier call failed; the space is gone until the next reset")
	}
	// The other function of a plug-in is no op; the SDK calls it by itself.
	if op == "_initialize" || !f.space.FunctionExists(op) {
		return failure(abi.CodeNotImplemented, "there is no such op")
	}
	rc, output, err := f.space.Call(op, request)
	if err == nil && rc != 0 {
		err = fmt.Errorf("the plug-in returned %d", rc)
	}
	if err != nil {
		f.discard()
		return failure(abi.CodeTrapped, err.Error())
	}
	return oneLine(output)
}

// oneLine is a response as a line. One that holds a line feed, a page for
// instance, is written in base64.
func oneLine(response []byte) []byte {
	if bytes.IndexByte(response, '\n') < 0 {
		return response
	}
	b := base64.StdEncoding.AppendEncode([]byte(`{"out_base64":"`), response)
	return append(b, `"}`...)
}

// reset goes on with an empty space.
func (f *filter) reset() error {
	f.discard()
	s, err := f.open()
	if err != nil {
		return err
	}
	f.space = s
	return nil
}

func (f *filter) discard() {
	if f.space != nil {
		// An instance that trapped may not close well; nobody uses it again.
		_ = f.space.Close(f.ctx)
		f.space = nil
	}
}

// parseLine takes a line apart. The request is as it stands there, byte for
// byte, and nil for a reset.
func parseLine(line []byte) (op string, request []byte, err error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(line, &members); err != nil || members == nil {
		return "", nil, errors.New("a line is an object such as {\"op\":\"describe\",\"in\":{}}")
	}
	if err := json.Unmarshal(members["op"], &op); err != nil || op == "" {
		return "", nil, errors.New("a line names its op")
	}
	delete(members, "op")
	if op == "reset" && len(members) == 0 {
		return op, nil, nil
	}
	in, plain := members["in"]
	raw, encoded := members["raw_base64"]
	if op == "reset" || len(members) != 1 || !plain && !encoded {
		return "", nil, errors.New("a line has op and in, or op and raw_base64")
	}
	if plain {
		return op, in, nil
	}
	var text string
	if err := json.Unmarshal(raw, &text); err != nil || bytes.Equal(raw, []byte("null")) {
		return "", nil, errors.New("raw_base64 is a string")
	}
	if request, err = base64.StdEncoding.Strict().DecodeString(text); err != nil {
		return "", nil, errors.New("raw_base64 is not base64")
	}
	return op, request, nil
}

// failure is the response to a request that has none of the engine's.
func failure(code, message string) []byte {
	r := abi.ErrorResponse{Error: abi.Error{Code: code, Message: message}}
	return r.AppendWire(nil)
}
