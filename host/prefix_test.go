package host

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/ctxplan/ctxplan/abi"
)

// Settings of the benchmark: what all ways may send, in tokens, and how many turns a window of turns holds.
const (
	prefixBudget = 4000
	prefixTurns  = 8
	prefixCalls  = 20
	prefixFirst  = 200 // turns of the long conversation, from this one on
	prefixCount  = 40
)

// sentPiece is one piece of what is sent, with its bytes and what it costs.
type sentPiece struct {
	bytes  string
	tokens int64
}

// sender gives what is sent for the conversation that a space holds, and the input behind it.
type sender struct {
	name string
	send func(b *testing.B, s *Space, input []abi.Message) []sentPiece
}

func prefixSenders() []*sender {
	ours := func(strategy string, keep bool) func(*testing.B, *Space, []abi.Message) []sentPiece {
		var previous []string
		return func(b *testing.B, s *Space, input []abi.Message) []sentPiece {
			budget := int64(prefixBudget)
			q := abi.PlanRequest{Thread: "t", Input: input, Budget: abi.BudgetRequest{History: &budget}, Strategy: strategy}
			if keep {
				q.Previous = previous
			}
			p := mustPlan(b, s, &q)
			previous = p.Prefix
			return pieces(p.Items)
		}
	}
	return []*sender{
		{"plan-with-previous", ours(abi.StrategyAuto, true)},
		{"plan", ours(abi.StrategyAuto, false)},
		{"last-tokens", ours(abi.StrategyTruncate, false)},
		{"last-turns", func(b *testing.B, s *Space, input []abi.Message) []sentPiece { return lastTurns(mustAll(b, s, input)) }},
	}
}

// pieces are the items as they are sent: a message is the same whether its turn is live or not.
func pieces(items []abi.Item) []sentPiece {
	var out []sentPiece
	for _, it := range items {
		tokens := it.Tokens
		it.Kind, it.Why, it.Trust, it.Tokens, it.Open = "", nil, "", 0, false
		// Once stored, a message of the input has an id and a number, which are not sent.
		if it.Header == "" {
			it.ID, it.Thread, it.Seq = "", "", 0
		}
		out = append(out, sentPiece{string(it.AppendWire(nil)), tokens})
	}
	return out
}

// mustAll gives the whole conversation as items.
func mustAll(b *testing.B, s *Space, input []abi.Message) []abi.Item {
	all := int64(1 << 30)
	return mustPlan(b, s, &abi.PlanRequest{Thread: "t", Input: input, Budget: abi.BudgetRequest{History: &all}}).Items
}

// lastTurns keeps the newest turns as they are.
func lastTurns(items []abi.Item) []sentPiece {
	from, turns := len(items), 0
	for from > 0 && turns < prefixTurns+1 { // and the one that is going on
		from--
		if items[from].Role == abi.RoleUser {
			turns++
		}
	}
	return pieces(items[from:])
}

func mustPlan(b *testing.B, s *Space, q *abi.PlanRequest) *abi.Plan {
	b.Helper()
	r, err := s.Plan(context.Background(), q)
	if err != nil {
		b.Fatal(err)
	}
	return r
}

// cacheMeter compares each request with the one before.
type cacheMeter struct {
	last            []sentPiece
	calls, rewrites int
	sent, cached    int64
}

func (m *cacheMeter) take(now []sentPiece) {
	if m.last != nil {
		m.calls++
		same := 0
		for same < min(len(now), len(m.last)) && now[same].bytes == m.last[same].bytes {
			m.cached += now[same].tokens
			same++
		}
		if same < len(m.last) {
			m.rewrites++
		}
		for _, x := range now {
			m.sent += x.tokens
		}
	}
	m.last = now
}

func (m *cacheMeter) report(b *testing.B) {
	calls := float64(m.calls)
	b.ReportMetric(float64(m.sent)/calls, "sent-tokens/call")
	b.ReportMetric(float64(m.cached)/calls, "cached-tokens/call")
	b.ReportMetric(float64(m.sent-m.cached)/calls, "new-tokens/call")
	b.ReportMetric(float64(m.rewrites), "rewrites")
}

// BenchmarkPrefix reports how much of a request a provider's prompt cache can have from the one before: the tokens of its
// pieces from the first on that are byte-equal. A plan may send prefixBudget tokens; last-tokens sends the newest messages
// that fit into the same, last-turns the newest turns as they are, whatever they cost. A rewrite is a call whose request
// does not begin with all of the one before.
func BenchmarkPrefix(b *testing.B) {
	talk := moveMessages(b)
	for _, sender := range prefixSenders() {
		b.Run("turn-of-20-calls/"+sender.name, func(b *testing.B) {
			for b.Loop() {
				var m cacheMeter
				callingTurn(b, newRuntime(b, Native()), talk, func(s *Space) { m.take(sender.send(b, s, nil)) })
				m.report(b)
			}
		})
	}
	for _, sender := range prefixSenders() {
		b.Run("forty-turns/"+sender.name, func(b *testing.B) {
			for b.Loop() {
				var m cacheMeter
				turnByTurn(b, newRuntime(b, Native()), talk, func(s *Space, input []abi.Message) { m.take(sender.send(b, s, input)) })
				m.report(b)
			}
		})
	}
}

// callingTurn asks something at the end of a conversation, and lets the model call a tool again and again.
func callingTurn(b *testing.B, r *Runtime, talk []abi.Message, call func(*Space)) {
	s := space(b, r, "calls")
	add := func(messages ...abi.Message) {
		if _, err := s.Append(context.Background(), &abi.AppendRequest{Thread: "t", Messages: messages}); err != nil {
			b.Fatal(err)
		}
	}
	add(talk...)
	add(abi.Message{Role: abi.RoleUser, Content: abi.TextContent("Which invoices of the movers and of the painter are still open? Look into the folder.")})
	v := newVocabulary(3)
	call(s)
	for i := range prefixCalls {
		id := fmt.Sprint("call_", i)
		add(abi.Message{Role: abi.RoleAssistant, ToolCalls: []abi.ToolCall{{ID: id, Name: "open_file", Arguments: fmt.Sprintf(`{"page":%d}`, i)}}},
			abi.Message{Role: abi.RoleTool, ToolCallID: id, Content: abi.TextContent(v.text(60))})
		call(s)
	}
}

// turnByTurn says a conversation again from its turn prefixFirst on: a plan for each user message, then the turn is
// stored.
func turnByTurn(b *testing.B, r *Runtime, talk []abi.Message, call func(*Space, []abi.Message)) {
	s := space(b, r, "turns")
	add := func(messages []abi.Message) {
		if _, err := s.Append(context.Background(), &abi.AppendRequest{Thread: "t", Messages: messages}); err != nil {
			b.Fatal(err)
		}
	}
	var begins []int
	for i := range talk {
		if talk[i].Role == abi.RoleUser {
			begins = append(begins, i)
		}
	}
	add(talk[:begins[prefixFirst]])
	for n := prefixFirst; n < prefixFirst+prefixCount; n++ {
		call(s, talk[begins[n]:begins[n]+1])
		add(talk[begins[n]:begins[n+1]])
	}
}

func moveMessages(b *testing.B) []abi.Message {
	data, err := os.ReadFile("../testdata/conversations/move.jsonl")
	if err != nil {
		b.Fatal(err)
	}
	var q abi.AppendRequest
	if err := unmarshal([]byte(`{"thread":"t","messages":[`+strings.ReplaceAll(strings.TrimSpace(string(data)), "\n", ",")+`]}`), &q); err != nil {
		b.Fatal(err)
	}
	return q.Messages
}
