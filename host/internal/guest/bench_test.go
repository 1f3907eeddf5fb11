package guest

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/tetratelabs/wazero/experimental"

	"github.com/ctxplan/ctxplan/host/internal/guest/guesttest"
)

// BenchmarkCall is what a call costs beside the work of the op.
func BenchmarkCall(b *testing.B) {
	for _, size := range []struct {
		name  string
		bytes int
	}{{"2B", 2}, {"10kB", 10 << 10}, {"1MB", 1 << 20}} {
		b.Run(size.name, func(b *testing.B) {
			i := start(b, compileFake(b, Config{}))
			request := bytes.Repeat([]byte("x"), size.bytes)
			ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
			defer cancel()
			b.SetBytes(int64(size.bytes))
			for b.Loop() {
				if _, err := i.Call(ctx, "echo", request); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkStart is an instance from nothing to its first answer.
func BenchmarkStart(b *testing.B) {
	m := compileFake(b, Config{})
	var memory int64
	for b.Loop() {
		i, err := m.New(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		call(b, i, "echo", "x")
		memory = i.Memory()
		i.Close()
	}
	b.ReportMetric(float64(memory)/1e6, "MB-guest")
}

// BenchmarkCompileFromCache is what a process pays before its first instance.
func BenchmarkCompileFromCache(b *testing.B) {
	wasm, err := guesttest.Fake()
	if err != nil {
		b.Fatal(err)
	}
	compileFake(b, Config{})
	for b.Loop() {
		m, err := Compile(context.Background(), wasm, Config{CacheDir: cacheDir()})
		if err != nil {
			b.Fatal(err)
		}
		m.Close(context.Background())
	}
}

// BenchmarkDeadlineOvershoot is how long after a deadline of 50 ms an endless
// call has ended.
func BenchmarkDeadlineOvershoot(b *testing.B) {
	m := compileFake(b, Config{})
	const limit = 50 * time.Millisecond
	var total, worst time.Duration
	n := 0
	for b.Loop() {
		i := start(b, m)
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		begin := time.Now()
		if _, err := i.Call(ctx, "spin", []byte("x")); err == nil {
			b.Fatal("an endless call ended")
		}
		over := time.Since(begin) - limit
		cancel()
		total += over
		worst = max(worst, over)
		n++
	}
	b.ReportMetric(float64(total.Microseconds())/float64(n)/1000, "ms-over")
	b.ReportMetric(float64(worst.Microseconds())/1000, "ms-worst")
}

// BenchmarkGrow fills 200 MB of a fresh instance, a MiB at a time.
func BenchmarkGrow(b *testing.B) {
	for name, allocator := range map[string]experimental.MemoryAllocator{
		"mapped": experimental.MemoryAllocatorFunc(allocate),
		"wazero": nil,
	} {
		b.Run(name, func(b *testing.B) {
			m := compileFake(b, Config{})
			m.allocator = allocator
			for b.Loop() {
				i := start(b, m)
				call(b, i, "hold", "200")
				i.Close()
			}
		})
	}
}
