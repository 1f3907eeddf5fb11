package render_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/engine"
	"github.com/ctxplan/ctxplan/plugin/render"
)

// Plans of the engine over random histories and budgets are legal for every provider.
func TestPlansOfTheEngine(t *testing.T) {
	rounds := 150
	if testing.Short() {
		rounds = 30
	}
	planned := 0
	for seed := range rounds {
		h := &history{r: rand.New(rand.NewSource(int64(seed)))}
		h.random()
		s := engine.New()
		if _, e := s.Append(&abi.AppendRequest{Thread: "t", Messages: h.messages}); e != nil {
			t.Fatalf("seed %d: %+v", seed, e)
		}
		for range 4 {
			req := h.request()
			res, e := s.Plan(req)
			if e != nil {
				if e.Code != abi.CodeBudgetTooSmall {
					t.Fatalf("seed %d: %+v", seed, e)
				}
				continue
			}
			planned++
			for _, format := range render.Formats {
				if f := render.Judge(format, res.Plan.Items); len(f) > 0 {
					body, _ := render.Messages(format, res.Plan.Items)
					t.Fatalf("seed %d, %s: %s\n%s\n%s", seed, format, strings.Join(f, "\n"), body, res.AppendWire(nil))
				}
			}
		}
	}
	if planned < rounds {
		t.Fatalf("only %d plans", planned)
	}
}

// history makes messages as agents make them.
type history struct {
	r        *rand.Rand
	messages []abi.Message
	// waiting are ids of calls without a result. Those of turns that are over stand first: past of them.
	waiting []string
	past    int
	marks   int
}

var topics = strings.Fields("order invoice flight heron lantern A123 会议 合同 耳机 東京 привет 🔥 </recalled> <evidence> refund Friday quarry")

func (h *history) text(n int) string {
	words := make([]string, 1+h.r.Intn(n))
	for i := range words {
		words[i] = topics[h.r.Intn(len(topics))]
	}
	h.marks++
	return fmt.Sprintf("%s «%d».", strings.Join(words, " "), h.marks)
}

func (h *history) add(m abi.Message) {
	h.messages = append(h.messages, m)
}

func (h *history) random() {
	if h.r.Intn(2) == 0 {
		h.add(abi.Message{Role: abi.RoleAssistant, Content: abi.TextContent(h.text(5))})
	}
	for range 1 + h.r.Intn(20) {
		if h.r.Intn(8) == 0 {
			h.add(abi.Message{Role: []string{abi.RoleSystem, abi.RoleDeveloper}[h.r.Intn(2)], Content: abi.TextContent(h.text(6))})
		}
		h.past = len(h.waiting)
		h.add(abi.Message{Role: abi.RoleUser, Name: []string{"", "Ana", "王芳"}[h.r.Intn(3)], Pin: h.r.Intn(12) == 0, Content: abi.TextContent(h.text(60))})
		for range h.r.Intn(4) {
			switch h.r.Intn(5) {
			case 0, 1:
				h.calls()
			case 2:
				h.add(abi.Message{Role: abi.RoleTool, ToolCallID: "nobody", Content: abi.TextContent(h.text(4))})
			case 3:
				h.add(abi.Message{Role: abi.RoleAssistant, Content: abi.Content{Parts: []abi.Part{
					{Type: "thinking", Text: "hm", Provider: "anthropic", Data: "c2ln"}, {Type: "text", Text: h.text(20)}}}})
			case 4:
				h.add(abi.Message{Role: abi.RoleAssistant, Pin: h.r.Intn(12) == 0, Content: abi.TextContent(h.text(30))})
			}
		}
	}
}

// calls adds calls, of which some overlap, some results come late and some never.
func (h *history) calls() {
	m := abi.Message{Role: abi.RoleAssistant}
	if h.r.Intn(2) == 0 {
		m.Content = abi.TextContent(h.text(6))
	}
	for i := range 1 + h.r.Intn(3) {
		// Ids come again in later turns, but not while they wait.
		id := fmt.Sprintf("c%d.%d", h.r.Intn(4), i)
		for slices.Contains(h.waiting, id) {
			id += "x"
		}
		m.ToolCalls = append(m.ToolCalls, abi.ToolCall{ID: id, Name: "get.order", Arguments: `{"order": "A123"`[:15+h.r.Intn(2)]})
		h.waiting = append(h.waiting, id)
	}
	h.add(m)
	live := h.waiting[h.past:]
	h.r.Shuffle(len(live), func(i, j int) { live[i], live[j] = live[j], live[i] })
	for len(h.waiting) > 0 && h.r.Intn(6) > 0 {
		i := len(h.waiting) - 1
		if h.past > 0 && h.r.Intn(8) == 0 {
			i = h.r.Intn(h.past)
		}
		if i < h.past {
			h.past--
		}
		c := abi.TextContent(h.text(200))
		if h.r.Intn(4) == 0 {
			c = abi.Content{Parts: []abi.Part{{Type: "text", Text: c.Text}, {Type: "image", MIME: "image/png", URL: "data:image/png;base64,iVBORw0KGgo="}}}
		}
		h.add(abi.Message{Role: abi.RoleTool, ToolCallID: h.waiting[i], Error: h.r.Intn(6) == 0, Content: c})
		h.waiting = append(h.waiting[:i], h.waiting[i+1:]...)
	}
}

func (h *history) request() *abi.PlanRequest {
	size := int64(20 + h.r.Intn(3000))
	req := &abi.PlanRequest{Thread: "t", Question: []string{"", h.text(5)}[h.r.Intn(2)], Budget: abi.BudgetRequest{History: &size},
		Strategy: []string{"", abi.StrategyFused, abi.StrategyTruncate}[h.r.Intn(3)]}
	if h.r.Intn(2) == 0 {
		req.System.Text = h.text(8)
	}
	if h.r.Intn(3) == 0 {
		req.Evidence.List = []abi.Evidence{{Text: h.text(9)}, {Text: h.text(5)}}
	}
	switch h.r.Intn(3) {
	case 0:
		req.Input = append(req.Input, abi.Message{Role: abi.RoleUser, Content: abi.TextContent(h.text(7))})
	case 1:
		if n := len(h.waiting); n > h.past {
			req.Input = append(req.Input, abi.Message{Role: abi.RoleTool, ToolCallID: h.waiting[n-1], Content: abi.TextContent(h.text(9))})
		}
	}
	return req
}
