//go:build wasip1

// Command extism takes requests as bytes from an Extism host and gives back
// responses: every op is an export under its bare name, input and output are
// those of Extism's plug-in kit. It is built as a WASI preview-1 reactor; one
// plug-in instance holds one space.
//
// An op that fails is no failure of the call: the response says so, as it does
// everywhere. The package decodes nothing and holds no logic of its own: that
// is package shell's.
package main

import (
	"runtime"
	"runtime/debug"
	"strconv"

	pdk "github.com/extism/go-pdk"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/shell"
)

const (
	// memoryMaximum is what the build writes into the memory section.
	memoryMaximum = 1 << 30
	// maxStack is far above what the engine needs; beyond it something recurses
	// without end, and should trap before it has eaten the memory.
	maxStack = 32 << 20
	// gcPercent trades memory for collector work.
	gcPercent = 100
)

var (
	engine = shell.New()
	// bounded says that the memory limit is that of the host.
	bounded bool
)

func init() {
	debug.SetMemoryLimit(memoryMaximum / 4 * 3)
	debug.SetMaxStack(maxStack)
	debug.SetGCPercent(gcPercent)
	// The collector's goroutine gets its turn at each tick. Hosts can't be asked
	// for theirs: Extism stops a plug-in by its own time-out.
	engine.SetTick(runtime.Gosched)
}

func main() {}

// bound takes over the ceiling of a host that has set one in its manifest, since
// the plug-in can't see that.
func bound() {
	bounded = true
	text, _ := pdk.GetConfig("memory_bytes")
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n > 0 {
		debug.SetMemoryLimit(min(n, memoryMaximum) / 4 * 3)
	}
}

// inputLength is asked for before the kit makes a buffer of that size.
//
//go:wasmimport extism:host/env input_length
func inputLength() uint64

// serve runs one op on the input. It gives 0, which is Extism's sign that there
// is an output.
func serve(op string) int32 {
	if !bounded {
		bound()
	}
	switch n := inputLength(); {
	case n == 0:
		refuse(abi.Error{Code: abi.CodeInvalidRequest, Message: "the request is empty"})
	case n > abi.FrameLimit:
		have, limit := int64(n), int64(abi.FrameLimit)
		refuse(abi.Error{Code: abi.CodeTooLarge, Message: "the request is larger than a frame",
			Details: &abi.ErrorDetails{Have: &have, Limit: &limit}})
	default:
		pdk.Output(engine.Handle(op, pdk.Input()))
	}
	return 0
}

func refuse(err abi.Error) {
	response := abi.ErrorResponse{Error: err}
	pdk.Output(response.AppendWire(nil))
}

//go:wasmexport describe
func describe() int32 { return serve(abi.OpDescribe) }

//go:wasmexport configure
func configure() int32 { return serve(abi.OpConfigure) }

//go:wasmexport append
func appendOp() int32 { return serve(abi.OpAppend) }

//go:wasmexport plan
func plan() int32 { return serve(abi.OpPlan) }

//go:wasmexport needs
func needs() int32 { return serve(abi.OpNeeds) }

//go:wasmexport fulfil
func fulfil() int32 { return serve(abi.OpFulfil) }

//go:wasmexport read
func read() int32 { return serve(abi.OpRead) }

//go:wasmexport stats
func stats() int32 { return serve(abi.OpStats) }

//go:wasmexport amend
func amend() int32 { return serve(abi.OpAmend) }

//go:wasmexport forget
func forget() int32 { return serve(abi.OpForget) }

//go:wasmexport export
func export() int32 { return serve(abi.OpExport) }

//go:wasmexport snapshot
func snapshot() int32 { return serve(abi.OpSnapshot) }

//go:wasmexport restore
func restore() int32 { return serve(abi.OpRestore) }

//go:wasmexport render
func render() int32 { return serve(abi.OpRender) }
