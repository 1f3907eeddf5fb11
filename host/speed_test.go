package host

import (
	"context"
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ctxplan/ctxplan/abi"
)

// Size of the conversation on which speed is measured.
const (
	benchMessages = 25_000
	benchWords    = 60
	benchBatch    = 500
)

var functionWords = strings.Fields(`the of and to a in is that it was for on you he be with as by at have are this not but had
his they from she which or we an there her were one do been all their has would will what if can when so no said who more`)

// vocabulary draws words as texts hold them: function words make up two fifths, the others follow Zipf's law over 30,000.
type vocabulary struct {
	words []string
	zipf  *rand.Zipf
	r     *rand.Rand
}

func newVocabulary(seed int64) *vocabulary {
	r := rand.New(rand.NewSource(seed))
	v := &vocabulary{words: make([]string, 30_000), r: r, zipf: rand.NewZipf(r, 1.07, 8, 29_999)}
	const consonants, vowels = "bcdfghklmnprstvw", "aeiou"
	for i := range v.words {
		var b strings.Builder
		for n := i + 40; n > 0; n /= 80 {
			b.WriteByte(consonants[n%16])
			b.WriteByte(vowels[n/16%5])
		}
		b.WriteString([]string{"", "n", "s", "ing", "er", "ed"}[i%6])
		v.words[i] = b.String()
	}
	return v
}

func (v *vocabulary) word() string {
	if v.r.Intn(5) < 2 {
		return functionWords[int(float64(len(functionWords))*math.Pow(v.r.Float64(), 2))]
	}
	return v.words[v.zipf.Uint64()]
}

func (v *vocabulary) text(n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(v.word())
		if i%13 == 12 {
			b.WriteByte('.')
		}
	}
	return b.String()
}

// batches are append requests for a thread of n messages.
func batches(n int) [][]byte {
	v := newVocabulary(1)
	start := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	var out [][]byte
	for i := 0; i < n; i += benchBatch {
		req := abi.AppendRequest{Thread: "t"}
		for j := i; j < min(i+benchBatch, n); j++ {
			role := abi.RoleUser
			if j%2 == 1 {
				role = abi.RoleAssistant
			}
			at := start.Add(time.Duration(j) * 3 * time.Minute).Add(time.Duration(j/80) * 20 * time.Hour)
			req.Messages = append(req.Messages, abi.Message{Role: role, Time: at.Format(time.RFC3339), Content: abi.TextContent(v.text(benchWords))})
		}
		out = append(out, req.AppendWire(nil))
	}
	return out
}

// questions of 8 to 12 words, rare and common ones mixed as in texts.
func questions(n int) [][]byte {
	v := newVocabulary(2)
	out := make([][]byte, n)
	for i := range out {
		budget := int64(4000)
		req := abi.PlanRequest{Thread: "t", Question: v.text(8+i%5) + "?", Now: "2026-11-30T12:00:00Z", Budget: abi.BudgetRequest{History: &budget}}
		out[i] = req.AppendWire(nil)
	}
	return out
}

func benchSpace(b *testing.B, n int, name string) *Space {
	s := space(b, benchRuntime(b, name), fmt.Sprint("bench", n))
	for _, req := range batches(n) {
		mustDo(b, s, abi.OpAppend, req)
	}
	return s
}

func mustDo(b *testing.B, s *Space, op string, req []byte) []byte {
	b.Helper()
	out, err := s.Do(context.Background(), op, req)
	if err != nil || strings.HasPrefix(string(out), `{"error"`) {
		b.Fatalf("%s: %v %.300s", op, err, out)
	}
	return out
}

func benchRuntime(b *testing.B, name string) *Runtime {
	if name == "native" {
		return newRuntime(b, Native())
	}
	return newRuntime(b, WithWasm(module(b)))
}

// BenchmarkPlan reports the median and the 95th percentile of a plan over 25,000 messages of 60 words.
func BenchmarkPlan(b *testing.B) {
	for _, name := range []string{"native", "wasm"} {
		b.Run(name, func(b *testing.B) {
			s := benchSpace(b, benchMessages, name)
			qs := questions(64)
			mustDo(b, s, abi.OpPlan, qs[0])
			var times []time.Duration
			for i := 0; b.Loop(); i++ {
				t := time.Now()
				mustDo(b, s, abi.OpPlan, qs[i%len(qs)])
				times = append(times, time.Since(t))
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(times[len(times)*95/100].Microseconds())/1000, "p95-ms")
		})
	}
}

// BenchmarkIngest reports messages of 60 words a second, 25,000 into an empty space.
func BenchmarkIngest(b *testing.B) {
	reqs := batches(benchMessages)
	for _, name := range []string{"native", "wasm"} {
		b.Run(name, func(b *testing.B) {
			r := benchRuntime(b, name)
			for i := 0; b.Loop(); i++ {
				s := space(b, r, fmt.Sprint("ingest", i))
				for _, req := range reqs {
					mustDo(b, s, abi.OpAppend, req)
				}
				s.Close(context.Background())
			}
			b.ReportMetric(float64(benchMessages)*float64(b.N)/b.Elapsed().Seconds(), "messages/s")
		})
	}
}
