package host

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/ctxplan/ctxplan/abi"
)

// Models are the model calls that a host can make for the engine. A nil one is
// a model that there is not. They are called from several goroutines at once,
// with no call of the engine running and no lock held, so they may use the space
// themselves. A panic in one is an error result.
type Models struct {
	// Embed gives one vector for each text of the need, in order. An error is a
	// result too: the engine goes on without the vectors, says so in the plan,
	// and asks again later, or, when the error wraps [ErrRefused], never again
	// for these texts.
	Embed func(ctx context.Context, need *abi.Need) (*Embedding, error)
}

// Embedding is the answer to an embed need.
type Embedding struct {
	// Model that was used, empty when unknown. It has to be the one of the need.
	Model string
	// Vectors in the order of the texts, all of one dimension. They need not be
	// normalised.
	Vectors [][]float32
	// Usage that the provider charged, nil when unknown. Without a duration the
	// host puts in its own.
	Usage *abi.Usage
}

// ErrRefused says that a provider refused a text for good, by a content filter
// for one.
var ErrRefused = errors.New("the model refused")

func (m *Models) kinds() []string {
	var kinds []string
	if m.Embed != nil {
		kinds = append(kinds, abi.NeedEmbed)
	}
	return kinds
}

// answer makes the model calls for needs, at most parallel at one time, and
// gives their results in the order of the needs, however they ended.
func (m *Models) answer(ctx context.Context, needs []abi.Need, parallel int) []abi.Result {
	results := make([]abi.Result, len(needs))
	slots := make(chan struct{}, parallel)
	var group sync.WaitGroup
	for i := range needs {
		slots <- struct{}{}
		group.Add(1)
		go func() {
			defer func() {
				<-slots
				group.Done()
			}()
			results[i] = m.result(ctx, &needs[i])
		}()
	}
	group.Wait()
	return results
}

func (m *Models) result(ctx context.Context, need *abi.Need) (result abi.Result) {
	defer func() {
		if p := recover(); p != nil {
			result = failed(need, fmt.Errorf("the callback panicked: %v", p))
		}
	}()
	if err := ctx.Err(); err != nil {
		return failed(need, err)
	}
	switch {
	case need.Kind == abi.NeedEmbed && m.Embed != nil:
		begin := time.Now()
		embedding, err := m.Embed(ctx, need)
		if err != nil {
			return failed(need, err)
		}
		vectors, err := pack(need, embedding)
		if err != nil {
			return failed(need, err)
		}
		usage := abi.Usage{}
		if embedding.Usage != nil {
			usage = *embedding.Usage
		}
		if usage.MS == 0 {
			usage.MS = time.Since(begin).Milliseconds()
		}
		return abi.Result{Need: need.ID, Status: abi.StatusOK, Model: embedding.Model, Vectors: vectors, Usage: &usage}
	}
	return failed(need, errors.New("there is no callback for "+need.Kind))
}

func failed(need *abi.Need, err error) abi.Result {
	status := abi.StatusError
	if errors.Is(err, ErrRefused) {
		status = abi.StatusRefused
	}
	return abi.Result{Need: need.ID, Status: status, Message: err.Error()}
}

// pack puts vectors one after the other: those of passages as int8, as the
// engine stores them, so that a record of them is a quarter of the size and a
// later engine has nothing to round; those of questions, and what can't be
// rounded, as little-endian float32.
func pack(need *abi.Need, e *Embedding) (*abi.Vectors, error) {
	if e == nil || len(e.Vectors) != len(need.Texts) {
		have := 0
		if e != nil {
			have = len(e.Vectors)
		}
		return nil, fmt.Errorf("%d vectors for %d texts", have, len(need.Texts))
	}
	if len(e.Vectors) == 0 || len(e.Vectors[0]) == 0 {
		return nil, errors.New("the vectors are empty")
	}
	dimension := len(e.Vectors[0])
	b := make([]byte, 0, 4*dimension*len(e.Vectors))
	var rounded []byte
	whole := need.Role == rolePassage
	for i, v := range e.Vectors {
		if len(v) != dimension {
			return nil, fmt.Errorf("vector %d has dimension %d, vector 0 has %d", i, len(v), dimension)
		}
		if whole {
			rounded, whole = appendI8(rounded, v)
		}
		for _, x := range v {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
	}
	if whole {
		return &abi.Vectors{Dimension: int64(dimension), I8: rounded}, nil
	}
	return &abi.Vectors{Dimension: int64(dimension), F32: b}, nil
}

// rolePassage is the role of texts whose vectors are stored.
const rolePassage = "passage"

// appendI8 rounds a vector as the engine does: its largest component becomes
// ±127, and halves go to the even neighbour. It reports false for a vector
// that has no direction, of which the engine is to say so.
func appendI8(b []byte, v []float32) ([]byte, bool) {
	var top float64
	for _, x := range v {
		if a := math.Abs(float64(x)); a > top || math.IsNaN(a) {
			top = a
		}
	}
	if top == 0 || math.IsNaN(top) || math.IsInf(top, 0) {
		return b, false
	}
	for _, x := range v {
		b = append(b, byte(int8(math.RoundToEven(float64(x)/top*127))))
	}
	return b, true
}
