package guest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

const (
	exportPrefix  = "ctxplan_"
	exportABI     = exportPrefix + "abi"
	exportAlloc   = exportPrefix + "alloc"
	exportRelease = exportPrefix + "release"
)

// Module is a compiled module. It is safe for concurrent use.
type Module struct {
	config   Config
	runtime  wazero.Runtime
	cache    wazero.CompilationCache
	compiled wazero.CompiledModule
	ops      []string
	maximum  int64

	// onTick is for tests of what must never happen inside a tick.
	onTick func(*Instance)
	// allocator makes the memories of instances; nil for wazero's own.
	allocator experimental.MemoryAllocator
}

// Compile validates and compiles a module. This takes about 0.35 s per MB when
// the cache doesn't have it.
func Compile(ctx context.Context, wasm []byte, config Config) (*Module, error) {
	m, err := compile(ctx, wasm, config)
	if err == nil || config.CacheDir == "" {
		return m, err
	}
	// A torn or damaged file in the cache is an error of every compilation that
	// meets it. A module that compiles without the cache was not at fault.
	dir := config.CacheDir
	config.CacheDir = ""
	if m, _ = compile(ctx, wasm, config); m == nil || !cleanCache(dir) {
		return nil, errors.Join(err, m.Close(ctx))
	}
	return m, nil
}

// cleanCache removes what wazero keeps in dir for this machine. It reports
// false when there is no such thing, so that the cache was not what failed.
func cleanCache(dir string) bool {
	found, err := filepath.Glob(filepath.Join(dir, "wazero-*-"+runtime.GOARCH+"-"+runtime.GOOS))
	if err != nil || len(found) == 0 {
		return false
	}
	for _, f := range found {
		// What can't be removed costs time at the next start and nothing else.
		_ = os.RemoveAll(f)
	}
	return true
}

func compile(ctx context.Context, wasm []byte, config Config) (*Module, error) {
	runtimeConfig := wazero.NewRuntimeConfigCompiler()
	if config.Interpreter {
		runtimeConfig = wazero.NewRuntimeConfigInterpreter()
	}
	if config.MemoryLimit != 0 {
		pages := config.MemoryLimit / pageSize
		if pages < 1 || pages > 1<<16 {
			return nil, fmt.Errorf("a memory limit of %d bytes is not within 64 KiB and 4 GiB", config.MemoryLimit)
		}
		runtimeConfig = runtimeConfig.WithMemoryLimitPages(uint32(pages))
	}
	m := &Module{config: config, allocator: experimental.MemoryAllocatorFunc(allocate)}
	if config.CacheDir != "" {
		cache, err := wazero.NewCompilationCacheWithDir(config.CacheDir)
		if err != nil {
			return nil, fmt.Errorf("compilation cache: %w", err)
		}
		m.cache = cache
		runtimeConfig = runtimeConfig.WithCompilationCache(cache)
	}
	m.runtime = wazero.NewRuntimeWithConfig(ctx, runtimeConfig)
	if err := m.compile(ctx, wasm); err != nil {
		m.Close(ctx)
		return nil, err
	}
	return m, nil
}

func (m *Module) compile(ctx context.Context, wasm []byte) error {
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, m.runtime); err != nil {
		return err
	}
	var err error
	if m.compiled, err = m.runtime.CompileModule(ctx, wasm); err != nil {
		return err
	}
	memory := m.compiled.ExportedMemories()["memory"]
	if memory == nil {
		return errors.New("the module exports no memory")
	}
	pages, ok := memory.Max()
	if !ok {
		pages = 1 << 16
	}
	m.maximum = int64(pages) * pageSize
	if config := m.config.MemoryLimit; config != 0 {
		m.maximum = min(m.maximum, config/pageSize*pageSize)
	}
	exports := m.compiled.ExportedFunctions()
	i32, i64 := api.ValueTypeI32, api.ValueTypeI64
	for name, want := range map[string][2][]api.ValueType{
		"_initialize": {nil, nil},
		exportABI:     {nil, {i32}},
		exportAlloc:   {{i32}, {i32}},
		exportRelease: {{i32}, nil},
	} {
		if !hasType(exports[name], want[0], want[1]) {
			return fmt.Errorf("the module does not export %s as the ABI has it", name)
		}
	}
	for name, def := range exports {
		op, ok := strings.CutPrefix(name, exportPrefix)
		if !ok || name == exportABI || name == exportAlloc || name == exportRelease {
			continue
		}
		if !hasType(def, []api.ValueType{i32, i32}, []api.ValueType{i64}) {
			return fmt.Errorf("the module does not export %s as the ABI has it", name)
		}
		m.ops = append(m.ops, op)
	}
	slices.Sort(m.ops)
	return nil
}

func hasType(def api.FunctionDefinition, params, results []api.ValueType) bool {
	return def != nil && slices.Equal(def.ParamTypes(), params) && slices.Equal(def.ResultTypes(), results)
}

// Ops gives the names of the ops, sorted. The slice must not be changed.
func (m *Module) Ops() []string { return m.ops }

// MemoryMaximum is the ceiling of an instance in bytes.
func (m *Module) MemoryMaximum() int64 { return m.maximum }

// Close frees the compiled code and closes every instance.
func (m *Module) Close(ctx context.Context) error {
	if m == nil {
		return nil
	}
	err := m.runtime.Close(ctx)
	if m.cache != nil {
		err = errors.Join(err, m.cache.Close(ctx))
	}
	return err
}

// New starts an instance. Ctx bounds nothing: starting takes some milliseconds
// and can't be stopped.
func (m *Module) New(ctx context.Context) (*Instance, error) {
	i := &Instance{owner: m}
	config := wazero.NewModuleConfig().
		WithName("").
		WithStartFunctions("_initialize").
		WithStderr(&i.stderr).
		WithRandSource(m.config.random()).
		WithOsyield(i.tick).
		// The guest can't sleep; one that tries ends at its deadline.
		WithNanosleep(func(int64) { i.tick() })
	if m.config.Clock.Step != 0 {
		wall := m.config.Clock.reader()
		config = config.
			WithNanotime(m.config.Clock.reader(), 1).
			WithWalltime(func() (int64, int32) { t := wall(); return t / 1e9, int32(t % 1e9) }, 1)
	} else {
		config = config.WithSysNanotime()
	}
	if m.maximum < ownMaximum {
		// The collector has to know a ceiling that is lower than the one the
		// guest was built for; three quarters leave room for what it can't count.
		config = config.WithEnv("GOMEMLIMIT", strconv.FormatInt(m.maximum/4*3, 10))
	}
	if m.allocator != nil {
		ctx = experimental.WithMemoryAllocator(ctx, m.allocator)
	}
	instance, err := m.runtime.InstantiateModule(ctx, m.compiled, config)
	if err != nil {
		return nil, i.trap(err)
	}
	i.bind(instance)
	return i, nil
}

// ownMaximum is the ceiling that the guest expects when nobody tells it.
const ownMaximum = 1 << 30
