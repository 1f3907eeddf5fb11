package scenario

import (
	"strings"

	"github.com/ctxplan/ctxplan/abi"
)

// prices recounts items by the profile chars4, whose prices anyone can work out:
// a quarter of a token for a character, three quarters for a Chinese, Japanese
// or Korean one, rounded up, and 4 for a message.
func (g *guard) prices() {
	if g.p.Budget.Profile != "chars4" {
		return
	}
	for i := range g.p.Items {
		it := &g.p.Items[i]
		if len(it.Parts) > 0 || len(it.ToolCalls) > 0 || strings.Contains(it.Text, "data:") || it.Kind == abi.KindSystem {
			continue
		}
		var want int64
		switch it.Kind {
		case abi.KindPinned, abi.KindRetrieved:
			want = chars4(it.Header+"\n") + chars4(it.Text)
		case abi.KindEvidence:
			want = chars4(it.Text) + 1
		default:
			want = 4 + chars4(it.Name) + chars4(it.Text)
		}
		if it.Tokens != want {
			g.fault("item %d, %s #%d, costs %d tokens and should cost %d", i, it.Kind, it.Seq, it.Tokens, want)
		}
	}
}

func chars4(s string) int64 {
	var quarters int64
	for _, r := range s {
		if r >= 0x2e80 && r <= 0x9fff || r >= 0xac00 && r <= 0xd7a3 || r >= 0x1100 && r <= 0x11ff || r >= 0xf900 && r <= 0xfaff ||
			r >= 0xfe30 && r <= 0xfe4f || r >= 0xff00 && r <= 0xffef || r >= 0x20000 && r <= 0x3ffff {
			quarters += 3
		} else {
			quarters++
		}
	}
	return min((quarters+3)/4, int64(len(s)))
}
