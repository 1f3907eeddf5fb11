package guest

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

var errStopped = errors.New("guest: stopped")

// watch holds what a tick looks at: whether the running call is to end.
type watch struct {
	ctx      context.Context
	deadline time.Time
	// cancelled is a new one for each call, since the function that sets it may
	// come late.
	cancelled *atomic.Bool
}

// start arms the watch for one call and gives the function that disarms it.
func (w *watch) start(ctx context.Context) (stop func()) {
	w.ctx = ctx
	w.deadline, _ = ctx.Deadline()
	w.cancelled = new(atomic.Bool)
	if ctx.Done() == nil {
		return w.clear
	}
	// A tick must not call methods of ctx, which may be the caller's own type;
	// a goroutine of ours does, and leaves a flag.
	cancelled := w.cancelled
	after := context.AfterFunc(ctx, func() { cancelled.Store(true) })
	return func() {
		after()
		w.clear()
	}
}

func (w *watch) clear() {
	*w = watch{}
}

func (w *watch) expired() bool {
	// The clock is read too, so that a deadline holds when the host has no
	// processor left for timers.
	return w.cancelled != nil && w.cancelled.Load() || !w.deadline.IsZero() && !time.Now().Before(w.deadline)
}

// cause gives the error of the caller's context when err came from the tick.
func (w *watch) cause(err error) error {
	if !errors.Is(err, errStopped) {
		return nil
	}
	if w.ctx != nil {
		if cause := w.ctx.Err(); cause != nil {
			return cause
		}
	}
	return context.DeadlineExceeded
}

// tick is the guest's sched_yield. The Go runtime calls it by itself too, also
// while an instance starts, when nothing is armed.
func (i *Instance) tick() {
	if hook := i.owner.onTick; hook != nil {
		hook(i)
	}
	if i.watch.expired() {
		panic(errStopped)
	}
}
