package main

import (
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"os"
	"time"

	"github.com/ctxplan/ctxplan/host"
	"github.com/ctxplan/ctxplan/host/internal/guest"
)

// engineFlags say which engine runs, and how.
type engineFlags struct {
	engine      string
	module      string
	interpreter bool
	seed, clock uint64
	set         *flag.FlagSet
}

// moduleVariable is the variable of the environment that names the module, for
// builds that hold none.
const moduleVariable = "CTXPLAN_WASM"

func (e *engineFlags) register(f *flag.FlagSet) {
	e.set = f
	f.StringVar(&e.engine, "engine", "wasm", "run the engine as `wasm`, in the sandbox, or as native code; the answers are the same")
	f.StringVar(&e.module, "wasm", "", "run the module in this `FILE` in place of the one that is built in; without the flag "+moduleVariable+" names it")
	f.BoolVar(&e.interpreter, "interpreter", false, "interpret the module and do not compile it")
}

// registerVariation adds what no answer may depend on.
func (e *engineFlags) registerVariation(f *flag.FlagSet) {
	f.Uint64Var(&e.seed, "seed", 0, "seed the random source of the module with `N` in place of the system's")
	f.Uint64Var(&e.clock, "clock", 0, "give the module a clock that begins at `N` seconds and moves by a microsecond at each reading")
}

// open makes the runtime. A command line that contradicts itself is a usage
// error.
func (e *engineFlags) open(ctx context.Context) (*host.Runtime, error) {
	var options []host.Option
	switch e.engine {
	case "native":
		for _, name := range []string{"wasm", "interpreter", "seed", "clock"} {
			if given(e.set, name) {
				return nil, usageError("--" + name + " is for --engine wasm")
			}
		}
		options = append(options, host.Native())
	case "wasm":
		file := e.module
		if file == "" {
			file = os.Getenv(moduleVariable)
		}
		if file != "" {
			module, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			options = append(options, host.WithWasm(module))
		}
		if e.interpreter {
			options = append(options, host.WithInterpreter())
		}
		if given(e.set, "seed") {
			var seed [32]byte
			binary.LittleEndian.PutUint64(seed[:], e.seed)
			options = append(options, host.WithSeed(seed))
		}
		if given(e.set, "clock") {
			options = append(options, host.WithClock(time.Duration(e.clock%1e9)*time.Second, time.Microsecond))
		}
	default:
		return nil, usageError("--engine is wasm or native, not " + quote(e.engine))
	}
	// Whoever waits can interrupt; a slow machine or the interpreter must not
	// change an answer.
	runtime, err := host.New(ctx, append(options, host.WithDeadline(0))...)
	if errors.Is(err, guest.ErrNotEmbedded) {
		return nil, errors.New("this build holds no module: name one by --wasm or " + moduleVariable + ", or use --engine native")
	}
	if err != nil {
		return nil, &opError{"start", err}
	}
	return runtime, nil
}
