package host

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/ctxplan/ctxplan/abi"
)

// benchRoads runs a benchmark on native and wasm.
func benchRoads(b *testing.B, run func(b *testing.B, r *Runtime)) {
	for _, road := range roads[:2] {
		b.Run(road.name, func(b *testing.B) { run(b, newRuntime(b, road.opts(b)...)) })
	}
}

// BenchmarkCall is the smallest op there is, from Go and back.
func BenchmarkCall(b *testing.B) {
	benchRoads(b, func(b *testing.B, r *Runtime) {
		s := space(b, r, "a")
		request := []byte(`{}`)
		for b.Loop() {
			if _, err := s.Do(background, abi.OpStats, request); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkSpace opens a space, asks it once and closes it.
func BenchmarkSpace(b *testing.B) {
	benchRoads(b, func(b *testing.B, r *Runtime) {
		var memory int64
		for b.Loop() {
			s := space(b, r, "a")
			do(b, s, "describe", "{}")
			memory, _ = s.MemoryBytes(background)
			if err := s.Close(background); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(memory)/1e6, "MB-guest")
	})
}

// BenchmarkDeadlineOvershoot is how long after a deadline of 50 ms a call that
// would take much longer has ended.
func BenchmarkDeadlineOvershoot(b *testing.B) {
	const limit = 50 * time.Millisecond
	request := messages("t", 0, 20000).AppendWire(nil)
	benchRoads(b, func(b *testing.B, r *Runtime) {
		var total, worst time.Duration
		for b.Loop() {
			b.StopTimer()
			s := space(b, r, "a")
			b.StartTimer()
			ctx, cancel := context.WithTimeout(background, limit)
			begin := time.Now()
			_, err := s.Do(ctx, abi.OpAppend, request)
			over := time.Since(begin) - limit
			cancel()
			if code(err) != abi.CodeDeadline {
				b.Fatalf("the call was not stopped: %v", err)
			}
			total += over
			worst = max(worst, over)
		}
		b.ReportMetric(float64(total.Microseconds())/float64(b.N)/1000, "ms-over")
		b.ReportMetric(float64(worst.Microseconds())/1000, "ms-worst")
	})
}

// BenchmarkRestore writes and restores a space of 25,000 messages of 60 words,
// as an image, as an export, and as the records that made it.
func BenchmarkRestore(b *testing.B) {
	const count = 25000
	benchRoads(b, func(b *testing.B, r *Runtime) {
		var log bytes.Buffer
		source := space(b, r, "source")
		for from := 0; from < count; from += 1000 {
			request := messages("t", from, 1000)
			in := request.AppendWire(nil)
			out := do(b, source, abi.OpAppend, string(in))
			record := abi.Record{Seq: int64(from/1000 + 1), Engine: abi.EngineVersion, Op: abi.OpAppend, In: in, Out: []byte(out)}
			log.Write(append(record.AppendWire(nil), '\n'))
		}
		var image, export bytes.Buffer
		writers := map[string]func() error{
			"snapshot": func() error { image.Reset(); _, err := source.Snapshot(background, &image); return err },
			"export":   func() error { export.Reset(); _, err := source.Export(background, &export); return err },
		}
		for _, name := range []string{"snapshot", "export"} {
			if err := writers[name](); err != nil {
				b.Fatal(err)
			}
			b.Run("write "+name, func(b *testing.B) {
				for b.Loop() {
					if err := writers[name](); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		for name, data := range map[string]*bytes.Buffer{"snapshot": &image, "export": &export, "log": &log} {
			b.Run("restore "+name, func(b *testing.B) {
				for b.Loop() {
					s, err := r.Restore(background, "restored", bytes.NewReader(data.Bytes()))
					if err != nil {
						b.Fatal(err)
					}
					if err := s.Close(background); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(data.Len())/1e6, "MB")
			})
		}
	})
}
