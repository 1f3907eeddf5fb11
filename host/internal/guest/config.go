package guest

import (
	cryptorand "crypto/rand"
	"io"
	"math/rand/v2"

	"github.com/ctxplan/ctxplan/abi"
)

// FrameLimit is the largest request or response in bytes.
const FrameLimit = abi.FrameLimit

const pageSize = 1 << 16

// Config says how a module runs. The zero value is the compiler without a
// cache, the module's own memory maximum, real time and real randomness.
type Config struct {
	// Interpreter runs the module without compiling it, some 30 times slower.
	Interpreter bool
	// CacheDir keeps compiled code between processes; empty for no cache.
	CacheDir string
	// MemoryLimit caps the memory of an instance in bytes, rounded down to
	// pages; 0 for the maximum written into the module.
	MemoryLimit int64
	// Clock is the guest's clock.
	Clock Clock
	// Seed seeds the guest's random numbers; nil for the system's.
	Seed *[32]byte
}

// Clock is a clock that moves by Step nanoseconds at each reading, from Start.
// With a Step of 0 it is real monotonic time. The engine never reads it; the
// collector of the Go runtime does, and steps far above a microsecond make it
// run all the time.
type Clock struct {
	Start, Step int64
}

func (c Clock) reader() func() int64 {
	now := c.Start
	return func() int64 {
		now += c.Step
		return now
	}
}

func (c Config) random() io.Reader {
	if c.Seed == nil {
		return cryptorand.Reader
	}
	return rand.NewChaCha8(*c.Seed)
}
