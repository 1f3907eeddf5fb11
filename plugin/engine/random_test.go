package engine

import (
	"fmt"
	"math/rand"
	"strings"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/message"
)

// words of several scripts, some rare, some common, for random conversations.
var words = strings.Fields(`the a and of to in is you that it he was for on are as with his they at be this have from or
had by hot word but what some we can out other were all there when up use your how said each she which their time will way
about many then them write would like so these her long make thing see him two has look more day could go come did number
sound no most people my over know water than call first who may down side been now find any new work part take get place
heron lantern quarry Brannock invoice K-4417 node.js order A123 会议 改到 周四 上午 九点 合同 原件 请 带 不要 耳机 检测 東京 引っ越し
서울로 이사했어요 привет мир سلام עברית émigré 🔥 👨‍👩‍👧 café Zürich`)

func sentence(r *rand.Rand, n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = words[r.Intn(len(words))]
	}
	s := strings.Join(out, " ")
	if r.Intn(3) > 0 {
		s += "."
	}
	return s
}

func paragraph(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.Intn(4) {
		b.WriteString(sentence(r, 1+r.Intn(25)))
		b.WriteByte(" \n"[r.Intn(2)])
	}
	if r.Intn(12) == 0 {
		b.WriteString("\n```go\nfunc main() { println(\"" + sentence(r, 3) + "\") }\n```\n")
	}
	if r.Intn(20) == 0 {
		b.WriteString("see data:image/png;base64," + strings.Repeat("iVBOR", 13+r.Intn(200)) + " there. ")
	}
	if r.Intn(25) == 0 {
		b.WriteString(strings.Repeat(sentence(r, 20)+" ", 20+r.Intn(60)))
	}
	return b.String()
}

// randomThread makes messages as agents make them: turns with parallel and overlapping calls, calls without results, late
// results, results without calls, system messages anywhere, greetings before the first user message.
func randomThread(r *rand.Rand, turns int) []abi.Message {
	var out []abi.Message
	minute := 0
	add := func(m abi.Message) {
		minute += 1 + r.Intn(30)
		if r.Intn(20) == 0 {
			minute += 60 * 24
		}
		if r.Intn(10) > 0 {
			m.Time = fmt.Sprintf("2026-%02d-%02dT%02d:%02d:00+08:00", 1+minute/40320%12, 1+minute/1440%28, minute/60%24, minute%60)
		}
		if r.Intn(6) == 0 {
			m.ID = fmt.Sprintf("m%d", len(out))
		}
		m.Pin = r.Intn(40) == 0
		out = append(out, m)
	}
	if r.Intn(2) == 0 {
		add(abi.Message{Role: abi.RoleSystem, Content: abi.TextContent(sentence(r, 8))})
	}
	if r.Intn(4) == 0 {
		add(abi.Message{Role: abi.RoleAssistant, Content: abi.TextContent("hello, " + sentence(r, 5))})
	}
	var open []string
	userless := r.Intn(12) == 0 && len(out) > 0
	for range turns {
		if r.Intn(15) == 0 {
			add(abi.Message{Role: abi.RoleDeveloper, Content: abi.TextContent(sentence(r, 6))})
		}
		name := ""
		if r.Intn(3) == 0 {
			name = "Ana"
		}
		if m := (abi.Message{Role: abi.RoleUser, Name: name, Content: abi.TextContent(paragraph(r))}); !userless {
			if r.Intn(8) == 0 {
				m.Content = abi.Content{Parts: []abi.Part{{Type: "file", Name: "a.pdf", URL: "https://a/a.pdf"}, {Type: "text", Text: m.Content.Text}}}
			}
			add(m)
		}
		for range r.Intn(4) {
			switch r.Intn(6) {
			case 0, 1:
				open = randomCalls(r, add, open)
			case 2:
				add(abi.Message{Role: abi.RoleTool, ToolCallID: "nobody", Content: abi.TextContent(sentence(r, 4))})
			case 3:
				add(abi.Message{Role: abi.RoleAssistant, Content: abi.Content{Parts: []abi.Part{
					{Type: "thinking", Text: sentence(r, 6)}, {Type: "text", Text: paragraph(r)},
					{Type: "image", MIME: "image/png", Alt: sentence(r, 2), URL: "data:image/png;base64,AAAA"}}}})
			default:
				add(abi.Message{Role: abi.RoleAssistant, Content: abi.TextContent(paragraph(r))})
			}
		}
	}
	return out
}

func randomCalls(r *rand.Rand, add func(abi.Message), open []string) []string {
	m := abi.Message{Role: abi.RoleAssistant}
	if r.Intn(2) == 0 {
		m.Content = abi.TextContent(sentence(r, 4))
	}
	n := 1 + r.Intn(3)
	for i := range n {
		id := fmt.Sprintf("c%d", r.Intn(5)*10+i)
		m.ToolCalls = append(m.ToolCalls, abi.ToolCall{ID: id, Name: "get_order", Arguments: `{"order":"` + sentence(r, 1) + `"}`})
		open = append(open, id)
	}
	add(m)
	r.Shuffle(len(open), func(i, j int) { open[i], open[j] = open[j], open[i] })
	for len(open) > 0 && r.Intn(12) > 0 {
		add(abi.Message{Role: abi.RoleTool, ToolCallID: open[0], Name: "get_order", Error: r.Intn(9) == 0,
			Content: abi.TextContent(strings.Repeat(paragraph(r), 1+r.Intn(3)))})
		open = open[1:]
	}
	return open
}

// randomPlan makes a request over a thread with n messages.
func randomPlan(r *rand.Rand, thread string, s *Space) *abi.PlanRequest {
	req := &abi.PlanRequest{Thread: thread, Now: "2026-11-30T12:00:00Z", Explain: r.Intn(2) == 0}
	size := int64(20 + r.Intn(4000))
	if r.Intn(2) == 0 {
		req.Budget.History = &size
	} else {
		size += 500
		req.Budget = abi.BudgetRequest{Window: &size, Output: int64(r.Intn(200)), Margin: int64(r.Intn(100))}
	}
	switch r.Intn(3) {
	case 0:
		req.System = abi.TextOrCount{Text: sentence(r, 10)}
	case 1:
		req.System = abi.TextOrCount{Count: int64(r.Intn(100)), Counted: true}
	}
	if r.Intn(3) == 0 {
		req.Evidence.List = []abi.Evidence{{Text: sentence(r, 9)}, {Text: sentence(r, 5)}}
	}
	if r.Intn(3) == 0 {
		req.Input = append(req.Input, abi.Message{Role: abi.RoleUser, Content: abi.TextContent(sentence(r, 7))})
	}
	b := s.threads[thread].book
	if stored := b.Messages; r.Intn(6) == 0 {
		req.Input = append(req.Input, stored[r.Intn(len(stored))].Wire)
	}
	if open := b.OpenGroups(); r.Intn(3) == 0 && len(open) > 0 {
		g := b.Groups[open[r.Intn(len(open))]]
		for _, at := range g.Messages {
			for _, c := range b.Messages[at].Wire.ToolCalls {
				if !answered(b, &g, c.ID) {
					req.Input = append([]abi.Message{{Role: abi.RoleTool, ToolCallID: c.ID, Content: abi.TextContent(sentence(r, 3))}}, req.Input...)
				}
			}
		}
	}
	if r.Intn(10) == 0 {
		req.Input = append(req.Input, abi.Message{Role: abi.RoleDeveloper, Content: abi.TextContent(sentence(r, 3))})
	}
	if r.Intn(8) == 0 {
		req.Input = append(req.Input, abi.Message{Role: abi.RoleAssistant, ToolCalls: []abi.ToolCall{{ID: "new1", Name: "f"}, {ID: "new2", Name: "g"}}},
			abi.Message{Role: abi.RoleTool, ToolCallID: "new2"})
	}
	if r.Intn(2) == 0 {
		req.Question = sentence(r, 1+r.Intn(9))
	}
	req.Strategy = []string{"", abi.StrategyAuto, abi.StrategyFused, abi.StrategyTruncate}[r.Intn(4)]
	patch := fmt.Sprintf(`{"recent":{"turns":%d,"share":0.%d,"step_tokens":%d},"tokens":{"profile":%q}}`, r.Intn(12), r.Intn(10),
		100+r.Intn(2000), []string{"generic", "chars4"}[r.Intn(2)])
	if r.Intn(4) > 0 {
		req.Settings.Raw = []byte(patch)
	}
	return req
}

// answered reports whether the call with this id in group g has a result.
func answered(b *message.Book, g *message.Group, id string) bool {
	for _, at := range g.Messages {
		if b.Messages[at].Wire.ToolCallID == id {
			return true
		}
	}
	return false
}
