package guest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/tetratelabs/wazero/api"
)

var (
	// ErrBusy is the answer to a call while another one runs.
	ErrBusy = errors.New("guest: a call is running")
	// ErrClosed is the answer to a call after Close or after a failure.
	ErrClosed = errors.New("guest: the instance is closed")
	// ErrUnknownOp is the answer to an op that the module does not export.
	ErrUnknownOp = errors.New("guest: unknown op")
	// ErrFrame is the answer to an empty request and to one above FrameLimit.
	ErrFrame = errors.New("guest: the request is empty or above the frame limit")
)

// Instance is one running copy of a module. It is safe for concurrent use, in
// that all calls but one get [ErrBusy].
type Instance struct {
	owner   *Module
	module  api.Module
	memory  api.Memory
	version api.Function
	alloc   api.Function
	release api.Function
	ops     map[string]api.Function
	stderr  head
	watch   watch
	busy    atomic.Bool
	closed  atomic.Bool
}

func (i *Instance) bind(module api.Module) {
	i.module = module
	i.memory = module.Memory()
	i.version = module.ExportedFunction(exportABI)
	i.alloc = module.ExportedFunction(exportAlloc)
	i.release = module.ExportedFunction(exportRelease)
	// A function object costs 2 µs to make, so each is made once. That is safe
	// only without re-entry, which busy rules out.
	i.ops = make(map[string]api.Function, len(i.owner.ops))
	for _, op := range i.owner.ops {
		i.ops[op] = module.ExportedFunction(exportPrefix + op)
	}
}

// ABI asks the guest for the version of its ABI, major·2¹⁶ + minor.
func (i *Instance) ABI() (int32, error) {
	if err := i.enter(); err != nil {
		return 0, err
	}
	defer i.leave()
	var stack [1]uint64
	if err := i.version.CallWithStack(context.Background(), stack[:]); err != nil {
		return 0, i.fail(err)
	}
	return api.DecodeI32(stack[0]), nil
}

// Memory is the size of the guest's memory in bytes. It never shrinks.
func (i *Instance) Memory() int64 { return int64(i.memory.Size()) }

// Close frees the instance. It must not be called while a call runs.
func (i *Instance) Close() error {
	if i.closed.Swap(true) {
		return nil
	}
	return i.module.Close(context.Background())
}

// Call runs op on request and gives a copy of the response. It stops at the
// deadline of ctx, or when ctx is cancelled, at the guest's next tick; the
// error then wraps the cause, and otherwise it is a [*Trap], or one of the
// errors above, which leave the instance as it was.
func (i *Instance) Call(ctx context.Context, op string, request []byte) ([]byte, error) {
	fn := i.ops[op]
	if fn == nil {
		return nil, ErrUnknownOp
	}
	if len(request) == 0 || len(request) > FrameLimit {
		return nil, ErrFrame
	}
	if err := i.enter(); err != nil {
		return nil, err
	}
	defer i.leave()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	stop := i.watch.start(ctx)
	defer stop()
	response, err := i.exchange(fn, request)
	if err != nil {
		return nil, i.fail(err)
	}
	return response, nil
}

func (i *Instance) exchange(fn api.Function, request []byte) ([]byte, error) {
	// The guest gets no context of the caller's: wazero hands it to host
	// functions, and its methods would run inside the guest.
	ctx := context.Background()
	var stack [2]uint64
	stack[0] = api.EncodeI32(int32(len(request)))
	if err := i.alloc.CallWithStack(ctx, stack[:]); err != nil {
		return nil, err
	}
	ptr := api.DecodeU32(stack[0])
	if ptr == 0 {
		return nil, errors.New("the guest gave no buffer")
	}
	if !i.memory.Write(ptr, request) {
		return nil, errors.New("the guest's buffer lies outside its memory")
	}
	stack[0], stack[1] = uint64(ptr), uint64(len(request))
	if err := fn.CallWithStack(ctx, stack[:]); err != nil {
		return nil, err
	}
	ptr, n := uint32(stack[0]>>32), uint32(stack[0])
	if n == 0 || n > FrameLimit {
		return nil, fmt.Errorf("the guest answered with %d bytes", n)
	}
	view, ok := i.memory.Read(ptr, n)
	if !ok {
		return nil, errors.New("the guest's response lies outside its memory")
	}
	response := bytes.Clone(view)
	stack[0] = uint64(ptr)
	if err := i.release.CallWithStack(ctx, stack[:]); err != nil {
		return nil, err
	}
	return response, nil
}

func (i *Instance) enter() error {
	if !i.busy.CompareAndSwap(false, true) {
		return ErrBusy
	}
	if i.closed.Load() {
		i.leave()
		return ErrClosed
	}
	i.stderr.reset()
	return nil
}

func (i *Instance) leave() { i.busy.Store(false) }

// fail closes the instance for good and says why.
func (i *Instance) fail(err error) error {
	i.Close()
	if cause := i.watch.cause(err); cause != nil {
		return cause
	}
	return i.trap(err)
}
