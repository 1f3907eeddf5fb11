package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"slices"
	"strconv"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/host"
)

var abiCommand = &command{
	name: "abi", usage: "abi [--engine wasm|native] [--wasm FILE] [--interpreter] [--seed N] [--clock N]",
	summary: "answer requests of the ABI, one a line, until the input ends",
	details: `Each line of the input is {"op":"append","in":{…}}; each line of the output is
the response, byte for byte, or {"out_base64":"…"} when it holds a line feed. All
lines speak to one space. A request that is no
valid JSON comes as {"op":"append","raw_base64":"…"}. The line {"op":"reset"} goes
on with an empty space and is answered by {"reset":true}.`,
	example: `printf '%s\n' '{"op":"describe","in":{}}' | ctxplan abi --engine native`,
	flags:   func() *flag.FlagSet { f, _ := abiFlags(); return f },
	run:     runABI,
}

func abiFlags() (*flag.FlagSet, *engineFlags) {
	f, e := newFlags("abi"), &engineFlags{}
	e.register(f)
	e.registerVariation(f)
	return f, e
}

func runABI(ctx context.Context, args []string, std stdio) error {
	f, e := abiFlags()
	if err := parseFlags(f, args); err != nil {
		return err
	}
	runtime, err := e.open(ctx)
	if err != nil {
		return err
	}
	defer runtime.Close(ctx)
	filter := &filter{runtime: runtime}
	if err := filter.reset(ctx); err != nil {
		return &opError{"start", err}
	}
	return filter.run(ctx, std.in, std.out)
}

// lineLimit is the longest line that is read: a request of the frame limit in
// base64 and its frame, with room for spaces.
const lineLimit = abi.FrameLimit/3*4 + 1<<20

// filter answers lines for one space after the other.
type filter struct {
	runtime *host.Runtime
	space   *host.Space
	spaces  int
}

// run answers line by line. It writes what it has whenever it would wait for
// more, so that a driver may take turns with it.
func (f *filter) run(ctx context.Context, in io.Reader, out io.Writer) error {
	r, w := bufio.NewReaderSize(in, 1<<16), bufio.NewWriterSize(out, 1<<16)
	for {
		if r.Buffered() == 0 {
			if err := w.Flush(); err != nil {
				return err
			}
		}
		line, err := readLine(r, lineLimit)
		if err == io.EOF {
			return w.Flush()
		}
		var answer []byte
		switch {
		case errors.Is(err, errLongLine):
			answer = refuse("the line is longer than a frame can be")
		case err != nil:
			return err
		case len(bytes.TrimSpace(line)) == 0:
			continue
		default:
			answer = f.answer(ctx, line)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		w.Write(answer)
		if err := w.WriteByte('\n'); err != nil {
			return err
		}
	}
}

var errLongLine = errors.New("the line is too long")

// readLine reads up to a newline or the end. Of a line above the limit it keeps
// nothing.
func readLine(r *bufio.Reader, limit int) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if long = long || len(line)+len(part) > limit; !long {
			line = append(line, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && (long || len(line) > 0), err == nil:
		default:
			return nil, err
		}
		if long {
			return nil, errLongLine
		}
		return bytes.TrimSuffix(line, []byte("\n")), nil
	}
}

// answer gives the response to one line.
func (f *filter) answer(ctx context.Context, line []byte) []byte {
	op, request, err := parseLine(line)
	if err != nil {
		return refuse(err.Error())
	}
	if op == "reset" {
		if err := f.reset(ctx); err != nil {
			return response(err)
		}
		return []byte(`{"reset":true}`)
	}
	// The engine's own answer: a module has no export to ask for it.
	if !slices.Contains(f.runtime.Ops(), op) {
		return response(&host.Error{Code: abi.CodeNotImplemented, Message: "there is no such op"})
	}
	answer, err := f.space.Do(ctx, op, request)
	if err != nil {
		return response(err)
	}
	return oneLine(answer)
}

// oneLine is a response as a line. One that holds a line feed, a page for
// instance, is written in base64.
func oneLine(answer []byte) []byte {
	if !bytes.ContainsRune(answer, '\n') {
		return answer
	}
	b := append([]byte(nil), `{"out_base64":"`...)
	return append(base64.StdEncoding.AppendEncode(b, answer), `"}`...)
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
	in, plain := members["in"]
	raw, encoded := members["raw_base64"]
	known := 1
	if plain {
		known++
	}
	if encoded {
		known++
	}
	switch {
	case len(members) > known:
		return "", nil, errors.New("a line has op and in, or op and raw_base64")
	case op == "reset" && known == 1:
		return op, nil, nil
	case plain == encoded || op == "reset":
		return "", nil, errors.New("a line has op and in, or op and raw_base64")
	case plain:
		return op, in, nil
	}
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return "", nil, errors.New("raw_base64 is a string")
	}
	if request, err = base64.StdEncoding.Strict().DecodeString(text); err != nil {
		return "", nil, errors.New("raw_base64 is not base64")
	}
	return op, request, nil
}

// reset goes on with an empty space.
func (f *filter) reset(ctx context.Context) error {
	if f.space != nil {
		if err := f.space.Close(ctx); err != nil {
			return err
		}
	}
	f.spaces++
	space, err := f.runtime.Space(ctx, "space-"+strconv.Itoa(f.spaces))
	if err != nil {
		return err
	}
	f.space = space
	return nil
}

func refuse(message string) []byte {
	return response(&host.Error{Code: abi.CodeInvalidRequest, Message: message})
}

// response is a failure of the host as the bytes of a response.
func response(err error) []byte {
	var h *host.Error
	if !errors.As(err, &h) {
		h = &host.Error{Code: abi.CodeUnavailable, Message: err.Error()}
	}
	return h.Response()
}
