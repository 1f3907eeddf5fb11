package host

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"sync"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/host/internal/guest"
)

// Runtime holds the engine, compiled once, and the spaces. It is safe for
// concurrent use.
type Runtime struct {
	options options
	engine  engine
	ops     []string
	// version is that of the engine, for records; it is known when there is a log.
	version string

	mu     sync.Mutex
	spaces map[string]*Space
	closed bool
}

// New makes a Runtime. Without options it runs the module that is built in,
// which takes some tenths of a second a megabyte for the first process that
// does it, and a twentieth of that afterwards. Ctx bounds nothing but New.
func New(ctx context.Context, opts ...Option) (*Runtime, error) {
	o := defaultOptions()
	for _, option := range opts {
		option(&o)
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	r := &Runtime{options: o, spaces: map[string]*Space{}}
	if o.native {
		r.engine = nativeEngine{}
	} else {
		e, err := newWasmEngine(ctx, o)
		if err != nil {
			return nil, err
		}
		r.engine = e
	}
	r.options.wasm = nil
	r.ops = slices.Sorted(slices.Values(r.engine.ops()))
	if o.log != nil {
		var err error
		if r.version, err = engineVersion(ctx, r.engine); err != nil {
			r.engine.close(ctx)
			return nil, err
		}
	}
	return r, nil
}

func newWasmEngine(ctx context.Context, o options) (engine, error) {
	module := o.wasm
	if module == nil {
		var err error
		if module, err = guest.Embedded(); err != nil {
			return nil, unavailable("no module", err)
		}
	}
	config := o.guest
	config.CacheDir = o.cacheDir()
	m, err := guest.Compile(ctx, module, config)
	if err != nil && o.cache && config.CacheDir != "" {
		// Nobody asked for the default directory, so it must not be what fails.
		config.CacheDir = ""
		m, err = guest.Compile(ctx, module, config)
	}
	if err != nil {
		return nil, unavailable("the module could not be compiled", err)
	}
	e := wasmEngine{m}
	if err := checkVersion(ctx, m); err != nil {
		m.Close(ctx)
		return nil, err
	}
	return e, nil
}

// checkVersion starts an instance to ask it. While the major version is 0 the
// minor one has to be the same too.
func checkVersion(ctx context.Context, m *guest.Module) error {
	i, err := m.New(ctx)
	if err != nil {
		return unavailable("the module could not be started", err)
	}
	defer i.Close()
	version, err := i.ABI()
	if err != nil {
		return unavailable("the module could not be started", err)
	}
	major, minor := version>>16, version&0xffff
	if major != abi.Major || major == 0 && minor != abi.Minor {
		return &Error{Code: abi.CodeUnsupportedVersion, Message: "the module speaks ABI " +
			strconv.Itoa(int(major)) + "." + strconv.Itoa(int(minor)) + ", this host " + abi.Version}
	}
	return nil
}

// Space gives the space of this id, and makes an empty one when there is none.
// Ids are compared byte by byte, and the empty one is refused. The instance is
// started here and not at the first call; when that fails, the next call tries
// again.
func (r *Runtime) Space(ctx context.Context, id string) (*Space, error) {
	if id == "" {
		return nil, &Error{Code: abi.CodeInvalidRequest, Message: "the id of a space is empty", Path: "id"}
	}
	for {
		s, err := r.lookup(id)
		if err != nil {
			return nil, err
		}
		err = s.acquire(ctx)
		if err == nil {
			s.release()
			return s, nil
		}
		// Closed between the two, so the next look finds another one.
		if err != errSpaceClosed {
			return nil, err
		}
	}
}

func (r *Runtime) lookup(id string) (*Space, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, closed("runtime")
	}
	s := r.spaces[id]
	if s == nil {
		s = newSpace(r, id)
		r.spaces[id] = s
	}
	return s, nil
}

// Spaces gives the ids of the spaces, sorted.
func (r *Runtime) Spaces() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Sorted(maps.Keys(r.spaces))
}

// Ops gives the names of the ops, sorted. The slice is the caller's.
func (r *Runtime) Ops() []string { return slices.Clone(r.ops) }

// MemoryLimit is the ceiling of each space in bytes, 0 for a native engine,
// which has none.
func (r *Runtime) MemoryLimit() int64 { return r.engine.memoryLimit() }

// Close waits for running calls, closes every space and frees the compiled
// code. When ctx ends first, it gives up and may be called again.
func (r *Runtime) Close(ctx context.Context) error {
	r.mu.Lock()
	r.closed = true
	spaces := slices.Collect(maps.Values(r.spaces))
	r.mu.Unlock()
	for _, s := range spaces {
		if err := s.Close(ctx); err != nil {
			return err
		}
	}
	if err := r.engine.close(ctx); err != nil {
		return unavailable("the engine could not be closed", err)
	}
	return nil
}

func (r *Runtime) drop(s *Space) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.spaces[s.id] == s {
		delete(r.spaces, s.id)
	}
}

var errReplay = errors.New("a request of the log was refused")
