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
	path := filepath.Join(dir, "fake.wasm")
	build := exec.Command("go", "build", "-buildmode=c-shared", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", path, "./testdata/fake")
	build.Dir = filepath.Dir(filepath.Dir(file))
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=", "GOEXPERIMENT=")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building the fake guest: %w\n%s", err, out)
	}
	return os.ReadFile(path)
})
