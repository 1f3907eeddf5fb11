package message

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/ctxplan/ctxplan/abi"
)

// script writes a thread in short: U user, A assistant, S system, A[c1,c2] with calls, T(c1) result. A leading minutes
// count, as in "200:U", is the pause before a message.
func script(s string) *Book {
	b := NewBook()
	minutes := 0
	for _, word := range strings.Fields(s) {
		if n, rest, ok := strings.Cut(word, ":"); ok {
			var pause int
			fmt.Sscan(n, &pause)
			minutes += pause
			word = rest
		}
		w := abi.Message{Content: abi.TextContent(word), Time: fmt.Sprintf("2026-01-%02dT%02d:%02d:00Z", 1+minutes/1440, minutes/60%24, minutes%60)}
		switch word[0] {
		case 'U':
			w.Role = abi.RoleUser
		case 'S':
			w.Role = abi.RoleSystem
		case 'A':
			w.Role = abi.RoleAssistant
			if _, calls, ok := strings.Cut(word, "["); ok {
				for _, id := range strings.Split(strings.TrimSuffix(calls, "]"), ",") {
					w.ToolCalls = append(w.ToolCalls, abi.ToolCall{ID: id, Name: "f"})
				}
			}
		case 'T':
			w.Role, w.ToolCallID = abi.RoleTool, strings.TrimSuffix(word[2:], ")")
		}
		b.Add(New(w, int64(len(b.Messages)+1)), 3*3600)
	}
	return b
}

// groups writes the groups of a book: messages by number, ? for each open call, ! for an orphan, / between turns.
func groups(b *Book) string {
	var turns []string
	for _, t := range b.Turns {
		var gs []string
		for _, g := range t.Groups {
			gr := b.Groups[g]
			var ms []string
			for _, at := range gr.Messages {
				ms = append(ms, fmt.Sprint(at))
			}
			s := strings.Join(ms, "+") + strings.Repeat("?", int(gr.Open))
			if gr.Orphan {
				s += "!"
			}
			gs = append(gs, s)
		}
		turns = append(turns, strings.Join(gs, " "))
	}
	return strings.Join(turns, " / ")
}

func TestGroupsAndTurns(t *testing.T) {
	for _, c := range []struct{ name, script, want string }{
		{"plain", "U A U A", " / 0 1 / 2 3"},
		{"greeting before the first user message", "A U A", "0 / 1 2"},
		{"system messages are in no turn", "S U S A", " / 1 3"},
		{"call and result", "U A[c1] T(c1) A", " / 0 1+2 3"},
		{"parallel results in another order", "U A[c1,c2] T(c2) T(c1) A", " / 0 1+2+3 4"},
		{"overlapping calls", "U A[c1] A[c2] T(c1) T(c2)", " / 0 1+2+3+4"},
		{"call that waits", "U A[c1,c2] T(c1)", " / 0 1+2?"},
		{"call that waits while the turn is past", "U A[c1] U A", " / 0 1? / 2 3"},
		{"late result", "U A[c1] U A T(c1) A", " / 0 1+4 / 2 3 5"},
		{"late result of the older of two equal ids", "U A[c1] U A[c1] T(c1) T(c1)", " / 0 1+5 / 2 3+4"},
		{"id used again in a later turn", "U A[c1] T(c1) U A[c1] T(c1)", " / 0 1+2 / 3 4+5"},
		{"result without a call", "U T(c9) A", " / 0 1! 2"},
		{"second result of one call", "U A[c1] T(c1) T(c1) A", " / 0 1+2 3! 4"},
		{"new calls do not join those of a past turn", "U A[c1] U A[c2] T(c2) T(c1)", " / 0 1+5 / 2 3+4"},
		{"plain message between call and result", "U A[c1] A T(c1)", " / 0 1+3 2"},
	} {
		if got := groups(script(c.script)); got != c.want {
			t.Errorf("%s: %s gives %q, want %q", c.name, c.script, got, c.want)
		}
	}
}

func TestRunsAndSessions(t *testing.T) {
	b := script("U U A A[c1] T(c1) A 200:A U 181:U 179:U")
	var runs, sessions []int32
	for _, m := range b.Messages {
		runs, sessions = append(runs, m.Run), append(sessions, m.Session)
	}
	if got := fmt.Sprint(runs, sessions); got != "[0 0 1 2 3 4 5 6 7 7] [0 0 0 0 0 0 1 1 2 2]" {
		t.Errorf("runs and sessions %s", got)
	}
}

// Time is data: equal, falling and wild times change neither order nor groups. A small step back ends no session.
func TestTimeDecidesNoOrder(t *testing.T) {
	b := NewBook()
	for i, at := range []string{"2026-01-01T02:00:00Z", "2026-01-01T00:00:00Z", "2025-12-31T00:00:00Z", "1970-01-01T00:00:00Z", "9999-12-31T23:59:59Z", ""} {
		b.Add(New(abi.Message{Role: abi.RoleUser, Time: at, Content: abi.TextContent("x")}, int64(i+1)), 3*3600)
	}
	var sessions []int32
	for i, m := range b.Messages {
		if m.Seq != int64(i+1) || m.Turn != int32(i+1) {
			t.Errorf("message %d has seq %d in turn %d", i, m.Seq, m.Turn)
		}
		sessions = append(sessions, m.Session)
	}
	if got := fmt.Sprint(sessions); got != "[0 0 1 2 3 3]" {
		t.Errorf("sessions %s", got)
	}
}

// Every message is in exactly one group, every group but those of system messages in exactly one turn, and no result
// stands in a group without its call.
func TestBookInvariants(t *testing.T) {
	r := rand.New(rand.NewSource(6))
	for range 500 {
		var words []string
		for range r.Intn(40) {
			id := fmt.Sprintf("c%d", r.Intn(4))
			words = append(words, []string{"U", "A", "S", "A[" + id + "]", "A[" + id + ",x" + id + "]", "T(" + id + ")", "T(x" + id + ")", "T(" + id + ")"}[r.Intn(8)])
		}
		s := strings.Join(words, " ")
		b := script(s)
		seen := make([]int, len(b.Messages))
		inTurn := make([]int, len(b.Groups))
		for _, tu := range b.Turns {
			for _, g := range tu.Groups {
				inTurn[g]++
			}
		}
		for gi, g := range b.Groups {
			calls := map[string]int{}
			for _, at := range g.Messages {
				m := b.Messages[at]
				seen[at]++
				if m.Group != int32(gi) {
					t.Fatalf("%s: message %d is in group %d and says %d", s, at, gi, m.Group)
				}
				for _, c := range m.Wire.ToolCalls {
					calls[c.ID]++
				}
				if id := m.Wire.ToolCallID; id != "" && !g.Orphan {
					calls[id]--
					if calls[id] < 0 {
						t.Fatalf("%s: result %d without its call", s, at)
					}
				}
			}
			open := 0
			for _, n := range calls {
				open += n
			}
			if open != int(g.Open) && !g.Orphan {
				t.Fatalf("%s: group %d has %d open calls and says %d", s, gi, open, g.Open)
			}
			want := 1
			if b.Messages[g.Messages[0]].Standing() {
				want = 0
			}
			if inTurn[gi] != want {
				t.Fatalf("%s: group %d is in %d turns", s, gi, inTurn[gi])
			}
		}
		for at, n := range seen {
			if n != 1 {
				t.Fatalf("%s: message %d is in %d groups", s, at, n)
			}
		}
	}
}

func TestCheck(t *testing.T) {
	text := abi.TextContent("x")
	for _, c := range []struct {
		name string
		m    abi.Message
		path string
	}{
		{"plain", abi.Message{Role: "user", Content: text}, ""},
		{"calls without content", abi.Message{Role: "assistant", ToolCalls: []abi.ToolCall{{ID: "c", Name: "f"}}}, ""},
		{"empty result", abi.Message{Role: "tool", ToolCallID: "c"}, ""},
		{"nothing", abi.Message{Role: "assistant"}, "m.content"},
		{"time without offset", abi.Message{Role: "user", Content: text, Time: "2026-01-01T00:00:00"}, "m.time"},
		{"result without call id", abi.Message{Role: "tool", Content: text}, "m.tool_call_id"},
		{"call id on a user message", abi.Message{Role: "user", Content: text, ToolCallID: "c"}, "m.tool_call_id"},
		{"calls of a user", abi.Message{Role: "user", Content: text, ToolCalls: []abi.ToolCall{{ID: "c", Name: "f"}}}, "m.tool_calls"},
		{"call without id", abi.Message{Role: "assistant", ToolCalls: []abi.ToolCall{{Name: "f"}}}, "m.tool_calls[0].id"},
		{"call without name", abi.Message{Role: "assistant", ToolCalls: []abi.ToolCall{{ID: "c"}}}, "m.tool_calls[0].name"},
		{"two calls with one id", abi.Message{Role: "assistant", ToolCalls: []abi.ToolCall{{ID: "c", Name: "f"}, {ID: "c", Name: "g"}}}, "m.tool_calls[1].id"},
		{"json part without a value", abi.Message{Role: "tool", ToolCallID: "c", Content: abi.Content{Parts: []abi.Part{{Type: "json"}}}}, "m.content[0].json"},
		{"image with a text", abi.Message{Role: "user", Content: abi.Content{Parts: []abi.Part{{Type: "text", Text: "x"}, {Type: "image", Text: "x"}}}}, "m.content[1].text"},
		{"text with a URL", abi.Message{Role: "user", Content: abi.Content{Parts: []abi.Part{{Type: "text", Text: "x", URL: "u"}}}}, "m.content[0]"},
	} {
		e := Check(&c.m, "m")
		switch {
		case e == nil && c.path != "":
			t.Errorf("%s is accepted", c.name)
		case e != nil && (e.Path != c.path || e.Code != abi.CodeInvalidRequest):
			t.Errorf("%s: %+v, want path %s", c.name, e, c.path)
		}
	}
}

func TestEqual(t *testing.T) {
	a := abi.Message{Role: "user", ID: "1", Time: "2026-01-01T00:00:00Z", Content: abi.TextContent("x")}
	b := abi.Message{Role: "user", ID: "2", Pin: true, Content: abi.Content{Parts: []abi.Part{{Type: "text", Text: "x"}}}}
	if !Equal(&a, &b) {
		t.Error("ids, times, pins and the form of the text make a difference")
	}
	for name, c := range map[string]abi.Message{
		"text": {Role: "user", Content: abi.TextContent("y")}, "role": {Role: "assistant", Content: abi.TextContent("x")},
		"name": {Role: "user", Name: "Ana", Content: abi.TextContent("x")}, "empty": {Role: "user"},
		"image": {Role: "user", Content: abi.Content{Parts: []abi.Part{{Type: "text", Text: "x"}, {Type: "image"}}}},
	} {
		if Equal(&a, &c) {
			t.Errorf("another %s makes no difference", name)
		}
	}
}

func TestTexts(t *testing.T) {
	m := New(abi.Message{Role: "assistant", Content: abi.Content{Parts: []abi.Part{{Type: "thinking", Text: "secret"}, {Type: "text", Text: "a"},
		{Type: "image", Alt: "a chart", URL: "data:x"}, {Type: "json", JSON: []byte(`{"k":1}`)}, {Type: "file", Name: "n.txt", Text: "body"}}},
		ToolCalls: []abi.ToolCall{{ID: "c", Name: "f", Arguments: `{"q":2}`}}}, 1)
	if m.Text != "a\n{\"k\":1}\nbody" {
		t.Errorf("text %q", m.Text)
	}
	if got := m.IndexText(); got != "a\n{\"k\":1}\nbody\na chart\nn.txt\nf {\"q\":2}" {
		t.Errorf("index text %q", got)
	}
}
