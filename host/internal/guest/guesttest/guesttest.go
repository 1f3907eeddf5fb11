// Package guesttest builds the fake guest of testdata/fake for tests and gives
// back its bytes. The fake speaks the raw ABI over ops that misbehave on
// demand, so that hosts can be tested without an engine.
package guesttest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
)

// Fake gives the module, which is built once in a process and comes from the
// build cache of the go command afterwards. The slice must not be changed.
var Fake = sync.OnceValues(func() ([]byte, error) {
	_, file, _, ok := runtime.Caller(0)
	if !ok {
		return nil, fmt.Errorf("no source position")
	}
	dir, err := os.MkdirTemp("", "guesttest")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	raw, linked := filepath.Join(dir, "raw.wasm"), filepath.Join(dir, "fake.wasm")
	guest := filepath.Dir(filepath.Dir(file))
	if err := run(guest, []string{"GOOS=wasip1", "GOARCH=wasm"}, "build", "-buildmode=c-shared", "-trimpath",
		"-buildvcs=false", "-ldflags=-s -w", "-o", raw, "./testdata/fake"); err != nil {
		return nil, err
	}
	if err := run(guest, nil, "run", "../../../tools/wasmlink", "-imports", "../../../abi/imports.txt", "-o", linked, raw); err != nil {
		return nil, err
	}
	return os.ReadFile(linked)
})

func run(dir string, env []string, args ...string) error {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "GOFLAGS=", "GOEXPERIMENT="), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", args[0], err, out)
	}
	return nil
}
