package host

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/ctxplan/ctxplan/plugin/shell"
)

// nativeEngine runs the engine as ordinary Go code.
type nativeEngine struct{}

func (nativeEngine) ops() []string               { return shell.Ops() }
func (nativeEngine) memoryLimit() int64          { return 0 }
func (nativeEngine) close(context.Context) error { return nil }

func (nativeEngine) start(context.Context) (machine, error) {
	m := &nativeMachine{engine: shell.New()}
	m.engine.SetTick(m.tick)
	return m, nil
}

type nativeMachine struct {
	engine   *shell.Engine
	deadline time.Time
	// cancelled is a new one for each call, since the function that sets it may
	// come late.
	cancelled *atomic.Bool
}

// call recovers the panic of the tick, which the shell lets through.
func (m *nativeMachine) call(ctx context.Context, op string, request []byte) (response []byte, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.deadline, _ = ctx.Deadline()
	cancelled := new(atomic.Bool)
	m.cancelled = cancelled
	if ctx.Done() != nil {
		stop := context.AfterFunc(ctx, func() { cancelled.Store(true) })
		defer stop()
	}
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if p != any(errStopped) {
			panic(p)
		}
		response, err = nil, context.DeadlineExceeded
		if cause := ctx.Err(); cause != nil {
			err = cause
		}
	}()
	return m.engine.Handle(op, request), nil
}

var errStopped = errors.New("stopped")

func (m *nativeMachine) tick() {
	if m.cancelled.Load() || !m.deadline.IsZero() && !time.Now().Before(m.deadline) {
		panic(errStopped)
	}
}

func (m *nativeMachine) memory() int64 { return 0 }
func (m *nativeMachine) close() error  { return nil }
