package host

import (
	"context"
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
	stopped   bool
}

// call has to look at stopped: the shell recovers panics, that of the tick too,
// and then answers as for a fault of its own.
func (m *nativeMachine) call(ctx context.Context, op string, request []byte) ([]byte, error) {
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
	response := m.engine.Handle(op, request)
	if !m.stopped {
		return response, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return nil, context.DeadlineExceeded
}

func (m *nativeMachine) tick() {
	if m.stopped || m.cancelled.Load() || !m.deadline.IsZero() && !time.Now().Before(m.deadline) {
		m.stopped = true
		panic("stopped")
	}
}

func (m *nativeMachine) memory() int64 { return 0 }
func (m *nativeMachine) close() error  { return nil }
