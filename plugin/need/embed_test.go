package need

import (
	"strings"
	"testing"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/text"
	"github.com/ctxplan/ctxplan/plugin/tokens"
)

var model = abi.EmbedModel{Model: "m", Dimension: 3, QueryPrefix: "query: ", PassagePrefix: "passage: ", MaxTokens: 32}

func TestIDsFollowWhatIsAsked(t *testing.T) {
	base := Passages(Place{1, 2}, "t", "m1", "Ana", "one sentence.", &model)[0].ID
	other := model
	other.Model = "n"
	wider := model
	wider.Dimension = 4
	for name, id := range map[string]string{
		"text":      Passages(Place{1, 2}, "t", "m1", "Ana", "one sentence!", &model)[0].ID,
		"speaker":   Passages(Place{1, 2}, "t", "m1", "Bob", "one sentence.", &model)[0].ID,
		"model":     Passages(Place{1, 2}, "t", "m1", "Ana", "one sentence.", &other)[0].ID,
		"dimension": Passages(Place{1, 2}, "t", "m1", "Ana", "one sentence.", &wider)[0].ID,
		"place":     Passages(Place{1, 3}, "t", "m1", "Ana", "one sentence.", &model)[0].ID,
		"query":     Query("one sentence.", &model).ID,
	} {
		if id == base {
			t.Errorf("another %s gives the same id", name)
		}
	}
	if again := Passages(Place{1, 2}, "t", "m1", "Ana", "one sentence.", &model)[0].ID; again != base {
		t.Errorf("%s, then %s", base, again)
	}
}

func TestSource(t *testing.T) {
	id := Passages(Place{12, 345}, "t", "m1", "Ana", "x", &model)[0].ID
	if p, ok := Source(id); !ok || p != (Place{12, 345}) {
		t.Fatalf("%s: %+v %v", id, p, ok)
	}
	for _, bad := range []string{"", "p.", "q.0.1.0.000000000000000000000000", "p.0.1.0.0", "p.00.1.0.000000000000000000000000",
		"p.-1.1.0.000000000000000000000000", "p.0.1.000000000000000000000000", "p.9999999999999999.1.0.000000000000000000000000", Query("x", &model).ID} {
		if p, ok := Source(bad); ok {
			t.Errorf("%q is taken for %+v", bad, p)
		}
	}
}

func FuzzPassages(f *testing.F) {
	f.Add("One. Two! 三。\n\nfour five six", int64(20))
	f.Add(strings.Repeat("a", 5000), int64(16))
	f.Add(strings.Repeat("会议改到周四。", 300), int64(128))
	f.Fuzz(func(t *testing.T, body string, limit int64) {
		body, _ = text.RepairUTF8(body)
		m := model
		m.MaxTokens = 16 + (limit&0x7fffffff)%500
		rest := body
		for _, s := range Pieces(body, m.MaxTokens) {
			piece := body[s.Start:s.End]
			at := strings.Index(rest, piece)
			if at < 0 || strings.TrimFunc(rest[:at], space) != "" {
				t.Fatalf("between the pieces stands %q", rest[:max(at, 0)])
			}
			rest = rest[at+len(piece):]
			if c := tokens.Generic.Text(piece); c > m.MaxTokens && text.NextGrapheme(piece) != len(piece) {
				t.Fatalf("a piece of %d tokens, limit %d: %q", c, m.MaxTokens, piece)
			}
		}
		if strings.TrimFunc(rest, space) != "" {
			t.Fatalf("left out: %q", rest)
		}
		for _, n := range Passages(Place{0, 1}, "t", "m", "Ana", body, &m) {
			var sum int64
			for _, s := range n.Texts {
				sum += tokens.Generic.Text(s)
				if !strings.HasPrefix(s, "passage: Ana: ") {
					t.Fatalf("%q", s)
				}
			}
			if len(n.Texts) > abi.NeedTexts || len(n.Texts) > 1 && sum > abi.NeedTokens {
				t.Fatalf("%d texts of %d tokens", len(n.Texts), sum)
			}
		}
	})
}

// space is what a cut between sentences may leave out.
func space(r rune) bool { return text.ClassOf(r) == text.Space || text.ClassOf(r) == text.Control }
