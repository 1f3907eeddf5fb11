package main

import (
	"context"
	"flag"
	"runtime"

	"github.com/ctxplan/ctxplan/abi"
)

var describeCommand = &command{
	name: "describe", usage: "describe [--engine wasm|native]",
	summary: "print what the engine is and can do, as JSON",
	details: "Versions, analysers, limits, names of ops and codes, and the default of every setting.",
	example: "ctxplan describe --engine native",
	flags:   func() *flag.FlagSet { f, _ := describeFlags(); return f },
	run:     runDescribe,
}

func describeFlags() (*flag.FlagSet, *engineFlags) {
	f, e := newFlags("describe"), &engineFlags{}
	e.register(f)
	return f, e
}

func runDescribe(ctx context.Context, args []string, std stdio) error {
	f, e := describeFlags()
	if err := parseFlags(f, args); err != nil {
		return err
	}
	runtime, err := e.open(ctx)
	if err != nil {
		return err
	}
	defer runtime.Close(ctx)
	space, err := runtime.Space(ctx, "describe")
	if err != nil {
		return &opError{"start", err}
	}
	answer, err := do(ctx, space, abi.OpDescribe, []byte("{}"))
	if err != nil {
		return err
	}
	_, err = std.out.Write(append(answer, '\n'))
	return err
}

var versionCommand = &command{
	name: "version", usage: "version",
	summary: "print the versions of the engine, the ABI and the toolchain",
	example: "ctxplan version",
	run: func(_ context.Context, args []string, std stdio) error {
		if len(args) > 0 {
			return usageError("unexpected " + quote(args[0]))
		}
		_, err := std.out.Write([]byte("ctxplan " + abi.EngineVersion + ", ABI " + abi.Version + ", " + runtime.Version() + " " +
			runtime.GOOS + "/" + runtime.GOARCH + "\n"))
		return err
	},
}

var helpCommand = &command{
	name: "help", usage: "help [COMMAND]",
	summary: "print what a command does and an example of it",
	example: "ctxplan help plan",
	run: func(_ context.Context, args []string, std stdio) error {
		if len(args) == 0 {
			writeOverview(std.out)
			return nil
		}
		if len(args) > 1 {
			return usageError("unexpected " + quote(args[1]))
		}
		c := lookup(args[0])
		if c == nil {
			return usageError("there is no command " + quote(args[0]))
		}
		c.writeHelp(std.out)
		return nil
	},
}
