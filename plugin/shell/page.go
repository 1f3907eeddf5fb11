package shell

import (
	"bytes"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/abi/wire"
	"github.com/ctxplan/ctxplan/plugin/engine"
)

// page runs an op whose response is a header line and bytes.
func page[Q wire.Value](e *Engine, request []byte, into Q, op func(Q) (*abi.Page, []byte, *abi.Error)) ([]byte, *abi.Error) {
	if _, err := e.decode(request, into); err != nil {
		return nil, err
	}
	header, data, err := op(into)
	if err != nil {
		return nil, err
	}
	return append(append(header.AppendWire(make([]byte, 0, len(data)+512)), '\n'), data...), nil
}

// restore takes a header line and bytes.
func (e *Engine) restore(request []byte) ([]byte, *abi.Error) {
	header, data, ok := bytes.Cut(request, []byte{'\n'})
	if !ok {
		return nil, &abi.Error{Code: abi.CodeInvalidRequest, Message: "a page is a header line, a line feed and bytes"}
	}
	var in abi.Page
	if _, err := e.decode(header, &in); err != nil {
		return nil, err
	}
	out, err := e.space.Restore(&in, data, e.replay)
	if err != nil {
		return nil, err
	}
	return out.AppendWire(nil), nil
}

// replay runs an op on another space than its own.
func (e *Engine) replay(space *engine.Space, op string, request []byte) ([]byte, *abi.Error) {
	own := e.space
	e.space = space
	out, err := e.run(op, request)
	e.space = own
	return out, err
}
