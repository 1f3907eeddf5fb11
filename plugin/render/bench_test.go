package render

import (
	"math/rand"
	"testing"

	"github.com/ctxplan/ctxplan/abi"
)

// A plan of 400 items, about 190 kB of JSON.
func BenchmarkMessages(b *testing.B) {
	p := &plans{r: rand.New(rand.NewSource(1)), hostile: []string{"a sentence of some length that stands for many others"}}
	for len(p.items) < 400 {
		p.add(abi.Item{Kind: abi.KindRecent, Role: abi.RoleUser, Text: longText})
		p.group(abi.KindRecent, false)
	}
	for _, format := range Formats {
		b.Run(format, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				body, e := Messages(format, p.items)
				if e != nil {
					b.Fatal(e)
				}
				b.SetBytes(int64(len(body)))
			}
		})
	}
}

var longText = func() string {
	s := ""
	for range 20 {
		s += "The order of 22 May came on Friday, 会议改到周四. "
	}
	return s
}()
