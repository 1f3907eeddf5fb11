//go:build wasip1

// Command wasm takes requests as bytes from a host and gives back responses,
// over the raw ABI that ABI.md describes. It is built as a WASI preview-1
// reactor; one instance holds one space.
//
// A wrong pointer or length is answered with an error response, and the
// instance stays usable. The package decodes nothing and holds no logic of its
// own: that is package shell's.
package main

import (
	"math"
	"runtime"
	"runtime/debug"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/shell"
	"github.com/ctxplan/ctxplan/plugin/wasm/frame"
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
	table  frame.Table
)

func init() {
	// A host with a lower ceiling says so with GOMEMLIMIT, which the runtime
	// has read by now.
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(memoryMaximum / 4 * 3)
	}
	debug.SetMaxStack(maxStack)
	debug.SetGCPercent(gcPercent)
	engine.SetTick(tick)
}

func main() {}

// tick lets the collector's goroutine run, and then the host look at its
// deadline. Without the first a mark phase has only the assists of allocating
// code to end it: one call may be over before the collector had its turn, and
// in one run of four memory grew for a second to three times its size.
func tick() {
	runtime.Gosched()
	schedYield()
}

//go:wasmimport wasi_snapshot_preview1 sched_yield
func schedYield() uint32

// serve runs one op on the request buffer at ptr, which it takes over.
func serve(op string, ptr, n int32) int64 {
	request, fault := table.Take(uintptr(uint32(ptr)), n)
	if fault != frame.None {
		return frame.Pack(table.Refuse(refusal(fault.Message())))
	}
	return frame.Pack(table.Put(engine.Handle(op, request)))
}

// refusal is an error response; message needs no escapes.
func refusal(message string) []byte {
	return []byte(`{"error":{"code":"` + abi.CodeInvalidRequest + `","message":"` + message + `","path":"","retryable":false}}`)
}

//go:wasmexport ctxplan_abi
func version() int32 { return shell.ABIVersion }

//go:wasmexport ctxplan_alloc
func alloc(n int32) int32 { return int32(table.Alloc(n)) }

//go:wasmexport ctxplan_release
func release(ptr int32) { table.Release(uintptr(uint32(ptr))) }

//go:wasmexport ctxplan_describe
func describe(ptr, n int32) int64 { return serve(abi.OpDescribe, ptr, n) }

//go:wasmexport ctxplan_configure
func configure(ptr, n int32) int64 { return serve(abi.OpConfigure, ptr, n) }

//go:wasmexport ctxplan_append
func appendOp(ptr, n int32) int64 { return serve(abi.OpAppend, ptr, n) }

//go:wasmexport ctxplan_plan
func plan(ptr, n int32) int64 { return serve(abi.OpPlan, ptr, n) }

//go:wasmexport ctxplan_needs
func needs(ptr, n int32) int64 { return serve(abi.OpNeeds, ptr, n) }

//go:wasmexport ctxplan_fulfil
func fulfil(ptr, n int32) int64 { return serve(abi.OpFulfil, ptr, n) }

//go:wasmexport ctxplan_read
func read(ptr, n int32) int64 { return serve(abi.OpRead, ptr, n) }

//go:wasmexport ctxplan_stats
func stats(ptr, n int32) int64 { return serve(abi.OpStats, ptr, n) }

//go:wasmexport ctxplan_amend
func amend(ptr, n int32) int64 { return serve(abi.OpAmend, ptr, n) }

//go:wasmexport ctxplan_forget
func forget(ptr, n int32) int64 { return serve(abi.OpForget, ptr, n) }

//go:wasmexport ctxplan_export
func export(ptr, n int32) int64 { return serve(abi.OpExport, ptr, n) }

//go:wasmexport ctxplan_snapshot
func snapshot(ptr, n int32) int64 { return serve(abi.OpSnapshot, ptr, n) }

//go:wasmexport ctxplan_restore
func restore(ptr, n int32) int64 { return serve(abi.OpRestore, ptr, n) }

//go:wasmexport ctxplan_render
func render(ptr, n int32) int64 { return serve(abi.OpRender, ptr, n) }
