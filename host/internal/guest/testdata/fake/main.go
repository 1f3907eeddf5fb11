// The fake guest speaks the raw ABI over ops that misbehave on demand. Tests
// build it as a WASI reactor.
package main

import (
	"os"
	"strconv"
	"unsafe"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/wasm/frame"
)

func main() {}

//go:wasmimport wasi_snapshot_preview1 sched_yield
func schedYield() uint32

var (
	table frame.Table
	calls int
	held  [][]byte
	state []byte
)

func serve(ptr, n int32, op func(request []byte) []byte) int64 {
	request, fault := table.Take(uintptr(uint32(ptr)), n)
	if fault != frame.None {
		return frame.Pack(table.Refuse([]byte(`{"error":{"code":"invalid_request","message":"` + fault.Message() + `","path":"","retryable":false}}`)))
	}
	calls++
	return frame.Pack(table.Put(op(request)))
}

//go:wasmexport ctxplan_abi
func version() int32 { return abi.Major<<16 | abi.Minor }

//go:wasmexport ctxplan_alloc
func alloc(n int32) int32 { return int32(table.Alloc(n)) }

//go:wasmexport ctxplan_release
func release(ptr int32) { table.Release(uintptr(uint32(ptr))) }

//go:wasmexport ctxplan_echo
func echo(ptr, n int32) int64 { return serve(ptr, n, func(b []byte) []byte { return b }) }

//go:wasmexport ctxplan_count
func count(ptr, n int32) int64 {
	return serve(ptr, n, func([]byte) []byte { return strconv.AppendInt(nil, int64(calls), 10) })
}

// append and configure change the state, which read gives. They refuse what
// begins with "no" and pretend a fault of their own at "fault".
//
//go:wasmexport ctxplan_append
func appendOp(ptr, n int32) int64 { return change(ptr, n) }

//go:wasmexport ctxplan_configure
func configure(ptr, n int32) int64 { return change(ptr, n) }

func change(ptr, n int32) int64 {
	return serve(ptr, n, func(b []byte) []byte {
		switch {
		case string(b) == "fault":
			state = nil
			return []byte(`{"error":{"code":"internal","message":"half done","path":"","retryable":false}}`)
		case string(b) == "spin":
			state = nil
			for {
				schedYield()
			}
		case len(b) >= 2 && string(b[:2]) == "no":
			return []byte(`{"error":{"code":"conflict","message":"not this","path":"messages[1]","retryable":false}}`)
		}
		state = append(append(state, b...), ' ')
		return []byte(`{"n":` + strconv.Itoa(len(state)) + `}`)
	})
}

//go:wasmexport ctxplan_read
func read(ptr, n int32) int64 {
	return serve(ptr, n, func([]byte) []byte { return append([]byte("state: "), state...) })
}

// plan never has enough: it asks for the same embedding again and again.
//
//go:wasmexport ctxplan_plan
func plan(ptr, n int32) int64 {
	return serve(ptr, n, func([]byte) []byte { return []byte(openNeed) })
}

// needs lists one need that nothing ever settles.
//
//go:wasmexport ctxplan_needs
func needs(ptr, n int32) int64 {
	return serve(ptr, n, func([]byte) []byte { return []byte(openNeed) })
}

//go:wasmexport ctxplan_fulfil
func fulfil(ptr, n int32) int64 {
	return serve(ptr, n, func(b []byte) []byte {
		return []byte(`{"revision":1,"results":[{"need":"n1","status":"noted"}]}`)
	})
}

const openNeed = `{"needs":[{"id":"n1","kind":"embed","model":"m","role":"query","texts":["a","b"],"dimension":2}],"open":1}`

// spin never ends; it ticks about every 50 µs.
//
//go:wasmexport ctxplan_spin
func spin(ptr, n int32) int64 {
	return serve(ptr, n, func(b []byte) []byte {
		x := uint32(1)
		for {
			for range 20000 {
				x = x*1664525 + 1013904223
			}
			schedYield()
			if x == 0 {
				held = append(held, b)
			}
		}
	})
}

// stall works without a tick for as many million steps as the request says.
//
//go:wasmexport ctxplan_stall
func stall(ptr, n int32) int64 {
	return serve(ptr, n, func(b []byte) []byte {
		m, _ := strconv.Atoi(string(b))
		x := uint32(1)
		for range m * 1000000 {
			x = x*1664525 + 1013904223
		}
		return strconv.AppendUint(nil, uint64(x), 10)
	})
}

//go:wasmexport ctxplan_panic
func fail(ptr, n int32) int64 {
	return serve(ptr, n, func(b []byte) []byte { panic("told to: " + string(b)) })
}

//go:wasmexport ctxplan_exit
func exit(ptr, n int32) int64 {
	return serve(ptr, n, func(b []byte) []byte { os.Exit(3); return nil })
}

// hold keeps as many MiB as the request says.
//
//go:wasmexport ctxplan_hold
func hold(ptr, n int32) int64 {
	return serve(ptr, n, func(b []byte) []byte {
		m, _ := strconv.Atoi(string(b))
		for range m {
			held = append(held, make([]byte, 1<<20))
			schedYield()
		}
		return []byte("held")
	})
}

// lie answers with an address and a length that are not its own: "far" lies
// beyond the memory, "long" is above the frame limit, "null" is nothing.
//
//go:wasmexport ctxplan_lie
func lie(ptr, n int32) int64 {
	request, _ := table.Take(uintptr(uint32(ptr)), n)
	switch string(request) {
	case "far":
		return frame.Pack(0xfffffff0, 1000)
	case "long":
		return frame.Pack(uintptr(unsafe.Pointer(&held)), frame.Limit+1)
	}
	return 0
}

// leak takes all slots but one, as a host that never releases would.
//
//go:wasmexport ctxplan_leak
func leak(ptr, n int32) int64 {
	return serve(ptr, n, func([]byte) []byte {
		for table.Outstanding() < frame.Slots-1 {
			table.Alloc(1)
		}
		return []byte("full")
	})
}

// noise asks the host for random bytes and writes to standard error.
//
//go:wasmexport ctxplan_noise
func noise(ptr, n int32) int64 {
	return serve(ptr, n, func(b []byte) []byte {
		for range 5000 {
			os.Stderr.WriteString(string(b))
		}
		m := map[int]int{}
		for i := range 64 {
			m[i] = i
		}
		var order []byte
		for k := range m {
			order = strconv.AppendInt(order, int64(k), 10)
			order = append(order, ' ')
		}
		return order
	})
}
