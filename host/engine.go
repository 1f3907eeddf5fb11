package host

import (
	"context"

	"github.com/ctxplan/ctxplan/host/internal/guest"
)

// engine starts machines, each of which holds the state of one space. It is
// safe for concurrent use.
type engine interface {
	// ops gives the names of the ops.
	ops() []string
	// start makes a machine with an empty state.
	start(ctx context.Context) (machine, error)
	// memoryLimit is the ceiling of a machine in bytes, 0 for none.
	memoryLimit() int64
	close(ctx context.Context) error
}

// machine runs the ops of one space, one at a time. After an error from call it
// has to be closed and not used again.
type machine interface {
	// call gives a response that is the caller's own. The error is that of ctx
	// when the call was stopped.
	call(ctx context.Context, op string, request []byte) ([]byte, error)
	// memory is what the machine takes, in bytes, 0 when it can't tell.
	memory() int64
	close() error
}

type wasmEngine struct{ module *guest.Module }

func (e wasmEngine) ops() []string                   { return e.module.Ops() }
func (e wasmEngine) memoryLimit() int64              { return e.module.MemoryMaximum() }
func (e wasmEngine) close(ctx context.Context) error { return e.module.Close(ctx) }

func (e wasmEngine) start(ctx context.Context) (machine, error) {
	i, err := e.module.New(ctx)
	if err != nil {
		return nil, err
	}
	return wasmMachine{i}, nil
}

type wasmMachine struct{ instance *guest.Instance }

func (m wasmMachine) call(ctx context.Context, op string, request []byte) ([]byte, error) {
	return m.instance.Call(ctx, op, request)
}

func (m wasmMachine) memory() int64 { return m.instance.Memory() }
func (m wasmMachine) close() error  { return m.instance.Close() }
