package host

import (
	"os"
	"path/filepath"
	"time"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/host/internal/guest"
)

// Defaults of a Runtime.
const (
	// DefaultDeadline bounds one call.
	DefaultDeadline = 30 * time.Second
	// DefaultParallel bounds the model calls of one Plan or Work at one time.
	DefaultParallel = 4
	// rebuildDeadline bounds the replay of a space after a failure. It is no
	// caller's: whoever waits keeps to the deadline of its own call.
	rebuildDeadline = 10 * time.Minute
)

// Option changes how a Runtime is made.
type Option func(*options)

type options struct {
	native   bool
	wasm     []byte
	guest    guest.Config
	cache    bool // whether the default cache directory is used
	deadline time.Duration
	parallel int
	models   Models
	log      Log
}

func defaultOptions() options {
	return options{cache: true, deadline: DefaultDeadline, parallel: DefaultParallel}
}

// Native runs the engine as ordinary Go code, without the sandbox: no ceiling
// on memory, and a fault in the engine is a fault in this process. Responses
// are the same bytes, and calls are faster.
func Native() Option { return func(o *options) { o.native = true } }

// WithWasm runs this module in place of the one that is built in. The slice
// must not be changed before New has returned.
func WithWasm(module []byte) Option { return func(o *options) { o.wasm = module } }

// WithInterpreter runs the module without compiling it: on machines that the
// compiler does not know, or that forbid executable memory. It is some 30 times
// slower.
func WithInterpreter() Option { return func(o *options) { o.guest.Interpreter = true } }

// WithMemoryLimit caps the memory of each space, in bytes, below the maximum of
// the module (1 GiB). A space that hits it loses the call at hand.
func WithMemoryLimit(bytes int64) Option { return func(o *options) { o.guest.MemoryLimit = bytes } }

// WithDeadline bounds the time that the engine works on one call, beside the
// deadline of its context; 0 for no bound. The default is [DefaultDeadline].
func WithDeadline(d time.Duration) Option { return func(o *options) { o.deadline = d } }

// WithCacheDir keeps compiled code in this directory, so that a later process
// starts in a twentieth of the time; "" for no cache. The default is
// ctxplan in [os.UserCacheDir]. Code is run from there: nobody else may write
// to it.
func WithCacheDir(dir string) Option {
	return func(o *options) { o.guest.CacheDir, o.cache = dir, false }
}

// WithModels sets the model callbacks of Plan and Work.
func WithModels(m Models) Option { return func(o *options) { o.models = m } }

// WithParallel bounds how many model calls of one Plan or Work run at one time.
// The default is [DefaultParallel].
func WithParallel(n int) Option { return func(o *options) { o.parallel = n } }

// WithSeed seeds the random numbers that the module may ask for, in place of
// the system's. No response depends on them; tests show that with this.
func WithSeed(seed [32]byte) Option { return func(o *options) { o.guest.Seed = &seed } }

// WithClock gives the module a clock that moves by step at each reading, from
// start, in place of real monotonic time. No response depends on it; tests show
// that with this. A step above some microseconds makes the module's collector
// run all the time.
func WithClock(start, step time.Duration) Option {
	return func(o *options) {
		o.guest.Clock = guest.Clock{Start: int64(start), Step: max(int64(step), 1)}
	}
}

func (o *options) check() error {
	switch {
	case o.deadline < 0:
		return &Error{Code: abi.CodeInvalidRequest, Message: "the deadline is negative", Path: "deadline"}
	case o.parallel < 1:
		return &Error{Code: abi.CodeInvalidRequest, Message: "at least one model call has to run", Path: "parallel"}
	case o.guest.MemoryLimit < 0:
		return &Error{Code: abi.CodeInvalidRequest, Message: "the memory limit is negative", Path: "memory_limit"}
	case o.native && o.wasm != nil:
		return &Error{Code: abi.CodeInvalidRequest, Message: "Native and WithWasm exclude each other", Path: "wasm"}
	}
	return nil
}

// cacheDir makes the default cache directory. Without one, code is compiled
// anew in each process, which is slower and nothing worse.
func (o *options) cacheDir() string {
	if !o.cache {
		return o.guest.CacheDir
	}
	base, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	dir := filepath.Join(base, "ctxplan")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return ""
	}
	return dir
}
