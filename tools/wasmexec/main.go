// Command wasmexec runs a Go program built for GOOS=wasip1 under wazero, as go test -exec wants it:
//
//	go build -o bin/wasmexec ./tools/wasmexec
//	GOOS=wasip1 GOARCH=wasm GOEXPERIMENT=simd go test -exec "$PWD/bin/wasmexec" ./plugin/vector
//
// The program sees the working directory as its root, the arguments, standard output and the real clock, and nothing else.
// The exit status is the program's.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: wasmexec PROGRAM.wasm [ARGUMENT...]")
		os.Exit(2)
	}
	status, err := run(context.Background(), os.Args[1], os.Args[2:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "wasmexec:", err)
		os.Exit(1)
	}
	os.Exit(status)
}

func run(ctx context.Context, program string, args []string) (int, error) {
	code, err := os.ReadFile(program)
	if err != nil {
		return 0, err
	}
	dir, err := os.Getwd()
	if err != nil {
		return 0, err
	}
	r := wazero.NewRuntime(ctx)
	defer r.Close(ctx)
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, r); err != nil {
		return 0, err
	}
	config := wazero.NewModuleConfig().
		WithArgs(append([]string{filepath.Base(program)}, args...)...).
		WithStdout(os.Stdout).WithStderr(os.Stderr).
		WithFSConfig(wazero.NewFSConfig().WithDirMount(dir, "/")).
		WithEnv("PWD", "/").
		WithSysNanotime().WithSysWalltime().WithSysNanosleep()
	_, err = r.InstantiateWithConfig(ctx, code, config)
	if exit := (*sys.ExitError)(nil); errors.As(err, &exit) {
		return int(exit.ExitCode()), nil
	}
	return 0, err
}
