package scenario

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/abi/wire"
	"github.com/ctxplan/ctxplan/host"
)

// talk makes messages as agents leave them behind: calls that overlap, results
// that come late, never, twice or for nothing, pins, parts, and long texts.
type talk struct {
	*rand.Rand
	open  []string
	calls int
	clock time.Time
}

var words = strings.Fields(`anchor barge beacon buoy chart crane dock ferry fog gauge gull harbour hull jetty keel lamp log mast
net oar pier pilot quay rope rudder sail seal shoal tide tiller winch yawl the of and is was not 灯塔 码头 缆绳 潮水 船 мост порт`)

func (t *talk) text(most int) string {
	var b strings.Builder
	for n := 1 + t.IntN(most); n > 0; n-- {
		b.WriteString(words[t.IntN(len(words))])
		switch t.IntN(9) {
		case 0:
			b.WriteString(". ")
		case 1:
			b.WriteString("。")
		case 2:
			b.WriteString("\n```\n")
		default:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

func (t *talk) content() abi.Content {
	switch t.IntN(12) {
	case 0:
		return abi.TextContent(t.text(900))
	case 1:
		return abi.Content{Parts: []abi.Part{{Type: "text", Text: t.text(30)}, {Type: "thinking", Text: t.text(9)}, {Type: "json", JSON: wire.Raw(`{"a":[1,2]}`)}}}
	case 2:
		return abi.Content{Parts: []abi.Part{{Type: "image", Alt: t.text(4), Bytes: 9}}}
	}
	return abi.TextContent(t.text(25))
}

func (t *talk) message(id string) abi.Message {
	m := abi.Message{ID: id, Pin: t.IntN(25) == 0}
	if t.IntN(4) > 0 {
		t.clock = t.clock.Add(time.Duration(t.IntN(36_000)-300) * time.Second)
		m.Time = t.clock.Format(time.RFC3339)
	}
	switch k := t.IntN(20); {
	case k < 6:
		m.Role, m.Content = abi.RoleUser, t.content()
		if t.IntN(2) == 0 {
			m.Name = []string{"Ana", "Bo", "妈妈"}[t.IntN(3)]
		}
	case k < 9:
		m.Role, m.Content = abi.RoleAssistant, t.content()
	case k < 13:
		m.Role = abi.RoleAssistant
		if t.IntN(2) == 0 {
			m.Content = abi.TextContent(t.text(6))
		}
		for n := 1 + t.IntN(3); n > 0; n-- {
			t.calls++
			id := fmt.Sprint("c", t.calls%7, "-", n)
			m.ToolCalls = append(m.ToolCalls, abi.ToolCall{ID: id, Name: "look", Arguments: `{"at":"` + words[t.IntN(30)] + `"}`})
			t.open = append(t.open, id)
		}
	case k < 19:
		m.Role, m.Content, m.Error = abi.RoleTool, t.content(), t.IntN(9) == 0
		m.ToolCallID = "nobody"
		if len(t.open) > 0 && t.IntN(12) > 0 {
			i := max(0, len(t.open)-1-t.IntN(3))
			m.ToolCallID = t.open[i]
			t.open = append(t.open[:i], t.open[i+1:]...)
		}
	default:
		m.Role, m.Content = abi.RoleSystem, abi.TextContent(t.text(8))
	}
	return m
}

// plan asks in one of many ways.
func (t *talk) plan(stored int) *abi.PlanRequest {
	q := &abi.PlanRequest{Thread: "t", Explain: t.IntN(3) == 0, Strategy: []string{"", abi.StrategyAuto, abi.StrategyFused, abi.StrategyTruncate}[t.IntN(4)]}
	size := int64(1) << t.IntN(14)
	size += t.Int64N(size)
	if t.IntN(2) == 0 {
		q.Budget.History = &size
	} else {
		q.Budget = abi.BudgetRequest{Window: &size, Output: t.Int64N(40), Margin: t.Int64N(9)}
	}
	if t.IntN(2) == 0 {
		q.Question = t.text(7)
	}
	switch t.IntN(5) {
	case 0:
		q.Input = []abi.Message{{Role: abi.RoleUser, Content: abi.TextContent(t.text(9))}}
	case 1:
		q.System = abi.TextOrCount{Text: t.text(9)}
		q.Tools = abi.JSONOrCount{Count: t.Int64N(50), Counted: true}
		q.Evidence = abi.EvidenceOrCount{List: []abi.Evidence{{Text: t.text(9)}, {Text: t.text(5)}}}
	case 2:
		q.Scope = &abi.Scope{Since: t.clock.Add(-24 * time.Hour).Format(time.RFC3339)}
	}
	var settings []string
	for _, s := range []string{`"tokens":{"profile":"chars4"}`, `"recent":{"turns":0}`, `"recent":{"turns":2,"step_tokens":100}`, `"retrieval":{"fusion":"rrf","min_share":0.8}`,
		`"retrieval":{"candidates":1,"roles":["user","tool"]}`} {
		if t.IntN(5) == 0 && (len(settings) == 0 || settings[len(settings)-1][:5] != s[:5]) {
			settings = append(settings, s)
		}
	}
	if len(settings) > 0 {
		q.Settings = abi.SettingsPatch{Raw: wire.Raw("{" + strings.Join(settings, ",") + "}")}
	}
	return q
}

// exchange is one request and its answer.
type exchange struct {
	op              string
	request, answer []byte
}

// tell makes one talk and gives all that was said. Check sees each plan.
func (made *talk) tell(t *testing.T, spaces *Spaces, check func(stored int, x exchange)) []exchange {
	t.Helper()
	var all []exchange
	do := func(op string, request []byte) exchange {
		answer, err := spaces.Do(background, "s", op, request)
		if err != nil {
			t.Fatal(err)
		}
		x := exchange{op, request, answer}
		all = append(all, x)
		return x
	}
	stored := 0
	for range 1 + made.IntN(6) {
		batch := abi.AppendRequest{Thread: "t"}
		for range 1 + made.IntN(14) {
			stored++
			batch.Messages = append(batch.Messages, made.message(fmt.Sprint("m", stored)))
		}
		if x := do(abi.OpAppend, batch.AppendWire(nil)); strings.HasPrefix(string(x.answer), `{"error"`) {
			t.Fatalf("append: %s\n%s", x.answer, x.request)
		}
		before := do(abi.OpStats, []byte("{}"))
		for range 4 {
			x := do(abi.OpPlan, made.plan(stored).AppendWire(nil))
			if again := do(abi.OpPlan, x.request); !bytes.Equal(again.answer, x.answer) {
				t.Fatalf("two answers to\n%s", x.request)
			}
			check(stored, x)
		}
		if after := do(abi.OpStats, []byte("{}")); !bytes.Equal(before.answer, after.answer) {
			t.Fatalf("plans changed %s into %s", before.answer, after.answer)
		}
	}
	return all
}

func newTalk(seed uint64) *talk {
	return &talk{Rand: rand.New(rand.NewPCG(seed, 7)), clock: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)}
}

// checkTalk makes one talk and looks at its plans.
func checkTalk(t *testing.T, seed uint64) {
	spaces := &Spaces{Runtime: open(t, host.Native())}
	newTalk(seed).tell(t, spaces, func(stored int, x exchange) {
		if strings.HasPrefix(string(x.answer), `{"error"`) && !strings.HasPrefix(string(x.answer), `{"error":{"code":"budget_too_small"`) {
			t.Fatalf("plan: %s\n%s", x.answer, x.request)
		}
		faults, err := checkPlan(background, spaces, "s", x.request, x.answer)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range faults {
			t.Errorf("seed %d, %d messages: %s\n%.900s", seed, stored, f, x.request)
		}
	})
}

func TestGuaranteesOfRandomTalks(t *testing.T) {
	talks := uint64(400)
	if testing.Short() {
		talks = 60
	}
	for seed := range talks {
		checkTalk(t, seed)
		if t.Failed() {
			return
		}
	}
}

func FuzzGuarantees(f *testing.F) {
	for _, seed := range []uint64{1, 2, 3, 99, 4096} {
		f.Add(seed)
	}
	f.Fuzz(checkTalk)
}

// The module says the same, byte for byte.
func TestRandomTalksAreTheSameInTheModule(t *testing.T) {
	if testing.Short() {
		t.Skip("talks run through the module in the long tests")
	}
	wasm, native := open(t, host.WithWasm(module(t))), open(t, host.Native())
	for seed := range uint64(40) {
		prefix := fmt.Sprint(seed, " ")
		none := func(int, exchange) {}
		want := newTalk(seed).tell(t, &Spaces{Runtime: native, Prefix: prefix}, none)
		got := newTalk(seed).tell(t, &Spaces{Runtime: wasm, Prefix: prefix}, none)
		for i := range want {
			if w, g := want[i].answer, got[i].answer; !bytes.Equal(w, g) {
				t.Fatalf("seed %d, request %d: native …%s, module …%s\n%.900s", seed, i, around(w, g), around(g, w), want[i].request)
			}
		}
	}
}
