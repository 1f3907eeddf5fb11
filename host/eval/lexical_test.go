package eval_test

import (
	"math"
	"os"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/ctxplan/ctxplan/host/eval"
	"github.com/ctxplan/ctxplan/plugin/lexical"
)

// header is what the header of a recalled message costs, in tokens, in these experiments.
const header = 5

// TestLexicalEvidence ranks with package lexical alone, packs by score/√(tokens+50), and prints the evidence in the
// plan. It is an experiment by hand, without the engine:
//
//	CTXPLAN_EVAL=DIR CTXPLAN_EVAL_SETS=locomo10_corrected:1000,beam_100k:4000 go test -run LexicalEvidence -v ./host/eval
func TestLexicalEvidence(t *testing.T) {
	dir := os.Getenv("CTXPLAN_EVAL")
	if dir == "" {
		t.Skip("CTXPLAN_EVAL names no directory of evaluation sets")
	}
	sets := os.Getenv("CTXPLAN_EVAL_SETS")
	if sets == "" {
		sets = "locomo10_corrected:1000"
	}
	for _, s := range strings.Split(sets, ",") {
		name, b, _ := strings.Cut(s, ":")
		budget, err := strconv.Atoi(b)
		if err != nil {
			t.Fatalf("%q is not NAME:BUDGET", s)
		}
		set, err := eval.Load(dir, name)
		if err != nil {
			t.Fatal(err)
		}
		types := []string(nil)
		if strings.HasPrefix(name, "locomo") {
			types = eval.LoCoMoTypes
		}
		for _, header := range []int{0, header} {
			var tally eval.Tally
			indexed := map[string]*talk{}
			for _, q := range set.Answerable(types...) {
				c := indexed[q.Conversation]
				if c == nil {
					c = index(set.Conversation(q.Conversation))
					indexed[q.Conversation] = c
				}
				in, used := c.plan(q.Text, budget, header)
				tally.Add(&q, func(id string) bool { return in[id] }, used)
			}
			var out strings.Builder
			tally.Write(&out, s+" header "+strconv.Itoa(header), header != 0)
			t.Log("\n" + out.String())
		}
	}
}

// talk is a conversation in the index.
type talk struct {
	x      *lexical.Index
	search lexical.Searcher
	ids    []string
	tokens []int
}

func index(c *eval.Conversation) *talk {
	k := &talk{x: lexical.New()}
	run, last := int32(0), ""
	for si := range c.Sessions {
		s := &c.Sessions[si]
		for ti := range s.Turns {
			turn := &s.Turns[ti]
			if turn.Speaker != last || ti == 0 {
				run++
			}
			last = turn.Speaker
			d := lexical.Doc{Text: turn.Text, Session: int32(si), Run: run}
			if turn.Speaker != turn.Role && turn.Speaker != "AI" {
				d.Speaker = turn.Speaker
			}
			date, ok := eval.ParseDate(turn.Date)
			if !ok {
				date, ok = eval.ParseDate(s.Date)
			}
			if ok {
				d.Year, d.Month, d.Day = date.Year(), int(date.Month()), date.Day()
			}
			k.x.Add(d)
			k.ids = append(k.ids, turn.ID)
			k.tokens = append(k.tokens, eval.Chars4(turn.Text))
		}
	}
	return k
}

func (k *talk) plan(question string, budget, header int) (map[string]bool, int) {
	r := k.search.Search(lexical.Compile(question), []*lexical.Index{k.x}, nil, 0)
	type item struct {
		doc    int
		tokens int
		value  float64
	}
	var items []item
	for _, h := range r.Hits {
		n := k.tokens[h.Doc] + header
		items = append(items, item{h.Doc, n, h.Score / math.Sqrt(float64(n)+50)})
	}
	sort.SliceStable(items, func(a, b int) bool {
		if items[a].value != items[b].value {
			return items[a].value > items[b].value
		}
		return items[a].doc < items[b].doc
	})
	in := map[string]bool{}
	left := budget
	for _, it := range items {
		if left < 20 {
			break
		}
		if it.tokens <= left {
			left -= it.tokens
			in[k.ids[it.doc]] = true
		}
	}
	return in, budget - left
}
