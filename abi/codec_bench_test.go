package abi_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/abi/wire"
)

// appendRequest returns a request of 100 messages of 60 words.
func appendRequest(word string) []byte {
	r := abi.AppendRequest{Thread: "thread-1", Now: "2026-05-22T22:45:00+08:00"}
	for i := range 100 {
		r.Messages = append(r.Messages, abi.Message{
			ID:      "m" + string(wire.AppendInt(nil, int64(i))),
			Role:    []string{"user", "assistant"}[i%2],
			Name:    "Ana",
			Time:    "2026-05-22T22:45:00+08:00",
			Content: abi.TextContent(strings.TrimSpace(strings.Repeat(word+" ", 58)) + " \"so\" it is.\n"),
		})
	}
	return r.AppendWire(nil)
}

var benchDocs = map[string][]byte{
	"english": appendRequest("lantern"),
	"chinese": appendRequest("我们明天"),
	"escaped": appendRequest("a\\b\n"),
}

func BenchmarkDecodeAppend(b *testing.B) {
	for _, name := range []string{"english", "chinese", "escaped"} {
		doc := benchDocs[name]
		for _, c := range []struct {
			name string
			d    wire.Decoder
		}{{"copy", wire.Decoder{Strict: true}}, {"alias", wire.Decoder{Strict: true, Alias: true, Tick: func() {}}}} {
			b.Run(name+"/"+c.name, func(b *testing.B) {
				b.SetBytes(int64(len(doc)))
				b.ReportAllocs()
				for b.Loop() {
					var r abi.AppendRequest
					if err := c.d.Decode(doc, &r); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		b.Run(name+"/standard", func(b *testing.B) {
			b.SetBytes(int64(len(doc)))
			b.ReportAllocs()
			for b.Loop() {
				var r struct {
					Thread, Mode, Now string
					Messages          []struct {
						ID, Role, Name, Time, Content string
						Pin                           bool
					}
				}
				if err := json.Unmarshal(doc, &r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkEncodeAppend(b *testing.B) {
	for _, name := range []string{"english", "chinese", "escaped"} {
		doc := benchDocs[name]
		var r abi.AppendRequest
		if err := wire.Unmarshal(doc, &r); err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(doc)))
			var dst []byte
			for b.Loop() {
				dst = r.AppendWire(dst[:0])
			}
		})
	}
}

func BenchmarkDecodeVectors(b *testing.B) {
	r := abi.FulfilRequest{Results: []abi.Result{{Need: "e", Status: "ok", Vectors: &abi.Vectors{Dimension: 384, F32: make([]byte, 32*384*4)}}}}
	doc := r.AppendWire(nil)
	d := wire.Decoder{Strict: true, Alias: true}
	b.SetBytes(int64(len(doc)))
	for b.Loop() {
		var v abi.FulfilRequest
		if err := d.Decode(doc, &v); err != nil {
			b.Fatal(err)
		}
	}
}
