package main

import (
	"context"
	"fmt"
	"os"
	"strconv"

	extism "github.com/extism/go-sdk"
	"github.com/tetratelabs/wazero"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "extismfilter:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("wants one plug-in, not %d arguments", len(args))
	}
	compiled, err := compile(ctx, args[0], 0)
	if err != nil {
		return err
	}
	defer compiled.Close(ctx)
	f, err := newFilter(ctx, func() (space, error) { return open(ctx, compiled) })
	if err != nil {
		return err
	}
	return f.run(os.Stdin, os.Stdout)
}

// compile reads a plug-in from a file. Ceiling caps the memory of an instance in
// bytes; with 0 it is the plug-in's own maximum.
func compile(ctx context.Context, path string, ceiling int) (*extism.CompiledPlugin, error) {
	manifest := extism.Manifest{Wasm: []extism.Wasm{extism.WasmFile{Path: path}}}
	if ceiling > 0 {
		manifest.Memory = &extism.ManifestMemory{MaxPages: uint32(ceiling >> 16)}
		manifest.Config = map[string]string{"memory_bytes": strconv.Itoa(ceiling)}
	}
	return extism.NewCompiledPlugin(ctx, manifest, extism.PluginConfig{EnableWasi: true}, nil)
}

// open makes an instance with the real clock: that of the SDK moves by a
// millisecond a reading, and the plug-in's collector would run all the time.
func open(ctx context.Context, compiled *extism.CompiledPlugin) (*extism.Plugin, error) {
	config := wazero.NewModuleConfig().WithSysNanotime().WithStderr(os.Stderr)
	return compiled.Instance(ctx, extism.PluginInstanceConfig{ModuleConfig: config})
}
