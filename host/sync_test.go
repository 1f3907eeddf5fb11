package host

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ctxplan/ctxplan/abi"
)

// syncMessages is how many messages the history has that is sent again.
const syncMessages = 2_000

// history is a list as an agent framework keeps it: no ids, user and assistant in turn, every fifth answer a tool's.
func history(n int) []abi.Message {
	v := newVocabulary(3)
	out := []abi.Message{{Role: abi.RoleSystem, Content: abi.TextContent("Answer in Finnish.")}}
	for i := 1; i < n; i++ {
		m := abi.Message{Role: abi.RoleUser, Content: abi.TextContent(v.text(benchWords))}
		switch i % 10 {
		case 2, 4, 8, 0:
			m.Role = abi.RoleAssistant
		case 5:
			m = abi.Message{Role: abi.RoleAssistant, ToolCalls: []abi.ToolCall{{ID: fmt.Sprint("c", i), Name: "get_order", Arguments: `{"order":"A123"}`}}}
		case 6:
			m.Role, m.ToolCallID = abi.RoleTool, fmt.Sprint("c", i-1)
		case 7:
			m.Content = abi.TextContent("yes")
		}
		out = append(out, m)
	}
	return out
}

func syncRequest(messages []abi.Message) []byte {
	req := abi.AppendRequest{Thread: "t", Mode: "sync", Messages: messages}
	return req.AppendWire(nil)
}

// BenchmarkSync reports the median, and for busy machines the least, of a sync of a history of 2,000 messages without ids: unchanged, as the window of its
// newest half, with another first message, and with one in the middle left out.
func BenchmarkSync(b *testing.B) {
	all := history(syncMessages)
	other := slices.Clone(all)
	other[0] = abi.Message{Role: abi.RoleSystem, Content: abi.TextContent("Answer in Finnish, and not at length.")}
	for _, c := range []struct {
		name     string
		messages []abi.Message
	}{
		{"unchanged", all},
		{"window", append(all[:1:1], all[len(all)/2:]...)},
		{"other head", other},
		{"one left out", slices.Delete(slices.Clone(all), 700, 701)},
	} {
		request := syncRequest(c.messages)
		for _, name := range []string{"native", "wasm"} {
			b.Run(c.name+"/"+name, func(b *testing.B) {
				s := space(b, benchRuntime(b, name), "sync")
				mustDo(b, s, abi.OpAppend, syncRequest(all))
				mustDo(b, s, abi.OpAppend, request)
				var times []time.Duration
				for b.Loop() {
					t := time.Now()
					mustDo(b, s, abi.OpAppend, request)
					times = append(times, time.Since(t))
				}
				slices.Sort(times)
				b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
				b.ReportMetric(float64(times[0].Microseconds())/1000, "least-ms")
				b.ReportMetric(float64(len(request))/1000, "kB")
			})
		}
	}
}

// A history that is sent again and again as a sync is stored once.
func TestSyncOfAHistory(t *testing.T) {
	all := history(300)
	onRoads(t, func(t *testing.T, opts []Option) {
		s := space(t, newRuntime(t, opts...), "sync")
		for n := 10; n <= len(all); n += 29 {
			head := max(1, n-60)
			request := syncRequest(append(all[:1:1], all[head:n]...))
			for range 2 {
				out, err := s.Do(background, abi.OpAppend, request)
				if err != nil || strings.HasPrefix(string(out), `{"error"`) {
					t.Fatalf("%v %s", err, out)
				}
			}
			out, err := s.Do(background, abi.OpStats, []byte(`{}`))
			if want := fmt.Sprintf(`"messages":%d,`, n); err != nil || !strings.Contains(string(out), want) {
				t.Fatalf("%d messages were sent: %v %s", n, err, out)
			}
		}
	})
}
