package engine

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/ctxplan/ctxplan/abi"
)

// What is restored from an export, a snapshot, the records, or a part of them, can't be told from the space itself, now
// and after all that follows.
func TestRestoredSpaceIsTheSame(t *testing.T) {
	rounds := 60
	if testing.Short() {
		rounds = 25
	}
	refused := 0
	for seed := range rounds {
		h := randomHistory(int64(seed), 4+seed%30)
		export := stream(t, h.s, abi.PageExport, int64(500+seed*37))
		snapshot := stream(t, h.s, abi.PageSnapshot, int64(500+seed*31))
		half := len(h.records) / 2
		early := New()
		for _, rec := range h.records[:half] {
			run(early, rec.Op, rec.In)
		}
		roads := map[string][]byte{
			"export":              export,
			"snapshot":            snapshot,
			"log":                 h.log(0, ""),
			"log applied":         h.log(0, "0.1.7"),
			"older log applied":   h.log(0, "0.0.3"),
			"export and log":      append(stream(t, early, abi.PageExport, 1<<20), h.log(half, "")...),
			"snapshot and log":    append(stream(t, early, abi.PageSnapshot, 1<<20), h.log(half/2, "")...),
			"snapshot and all":    append(stream(t, early, abi.PageSnapshot, 1<<20), h.log(0, "0.1.9")...),
			"export and old log":  append(stream(t, early, abi.PageExport, 1<<20), h.log(half, "0.1.99")...),
			"log without the end": bytes.TrimSuffix(h.log(0, ""), []byte("\n")),
		}
		for road, data := range roads {
			name := fmt.Sprintf("seed %d: %s", seed, road)
			restored, e := restore(data, 1+int(uint32(seed*7919)%4000))
			if e != nil {
				t.Fatalf("%s: %+v", name, e)
			}
			same(t, name, h.s, restored)
			if road != "export" && road != "snapshot" {
				continue
			}
			// What comes next is the same too.
			next := &history{r: h.r, s: New(), records: nil}
			for _, rec := range h.records {
				run(next.s, rec.Op, rec.In)
			}
			for range 5 {
				next.step()
			}
			for _, rec := range next.records {
				out, e := run(restored, rec.Op, rec.In)
				if e != nil || !bytes.Equal(out, rec.Out) {
					t.Fatalf("%s: then %s %s\n%s\n%s %+v", name, rec.Op, rec.In, rec.Out, out, e)
				}
			}
			same(t, name+" and more", next.s, restored)
		}
		refused += h.refused
	}
	if refused == 0 {
		t.Error("nothing was refused: the generator has lost its reach")
	}
}
