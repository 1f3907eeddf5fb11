package checktalk

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const folder = "../../testdata/conversations"

func load[T any](t *testing.T, name string, read func(*os.File) ([]T, error)) []T {
	t.Helper()
	f, err := os.Open(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := read(f)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return all
}

func move(t *testing.T) []Message {
	return load(t, "move.jsonl", func(f *os.File) ([]Message, error) { return ReadMessages(f) })
}

func asked(t *testing.T) []Question {
	return load(t, "questions.jsonl", func(f *os.File) ([]Question, error) { return ReadQuestions(f) })
}

func TestConversationIsSound(t *testing.T) {
	for _, f := range CheckConversation(move(t)) {
		t.Error(f)
	}
}

func TestQuestionsAreSound(t *testing.T) {
	for _, f := range CheckQuestions(move(t), asked(t)) {
		t.Error(f)
	}
}

// The demo would prove nothing if the answer to its question stood anywhere but in the two half-sentences.
func TestHalvesAreSaidOnce(t *testing.T) {
	messages, demo := move(t), asked(t)[0]
	for i, m := range messages {
		text := strings.ToLower(m.Text())
		for _, k := range m.ToolCalls {
			text += " " + strings.ToLower(k.Arguments)
		}
		told := strings.Contains(text, "kranich") && (strings.Contains(text, "bowl") || strings.Contains(text, "碗"))
		half := i+1 == demo.Evidence[0] || i+1 == demo.Evidence[1]
		if told != half {
			t.Errorf("line %d: tells of bowls in the box: %v, is evidence: %v", i+1, told, half)
		}
		if half && m.Role != RoleUser {
			t.Errorf("line %d: said by %s", i+1, m.Role)
		}
		if strings.Contains(text, "fifteen bowls") || strings.Contains(text, "15 bowls") || strings.Contains(text, "十五只碗") {
			t.Errorf("line %d gives the answer away", i+1)
		}
	}
}

func text(s string) *string { return &s }

func TestFaultsOfConversationsAreFound(t *testing.T) {
	// A turn with two calls in one batch, both answered; every case spoils its own copy of the conversation.
	batch := func(ms []Message) int {
		for i := range ms {
			if len(ms[i].ToolCalls) == 2 && ms[i+1].Role == RoleTool && ms[i+2].Role == RoleTool {
				return i
			}
		}
		t.Fatal("no batch of two")
		return 0
	}
	cases := []struct {
		name  string
		spoil func([]Message) []Message
		want  string
	}{
		{"two user messages alike", func(ms []Message) []Message { ms[2].Content = ms[0].Content; return ms }, "same content as line 1"},
		{"user without a name", func(ms []Message) []Message { ms[0].Name = ""; return ms }, "without a name"},
		{"time in UTC shorthand", func(ms []Message) []Message { ms[0].Time = "2026-03-02T06:52:00Z"; return ms }, "not RFC 3339"},
		{"time backwards across offsets", func(ms []Message) []Message { ms[1].Time = "2026-03-02T08:00:00+08:00"; return ms }, "backwards"},
		{"unknown role", func(ms []Message) []Message { ms[3].Role = "system"; return ms }, `role "system"`},
		{"message without anything", func(ms []Message) []Message { ms[1].Content = nil; return ms }, "neither content nor calls"},
		{"result moved behind the next question", func(ms []Message) []Message {
			b := batch(ms)
			lost := ms[b+2]
			lost.Time = ms[len(ms)-1].Time
			ms = append(ms[:b+2], ms[b+3:]...)
			return append(ms, lost)
		}, "another turn"},
		{"result before its call", func(ms []Message) []Message {
			b := batch(ms)
			early := ms[b+1]
			early.Time = ms[b].Time
			ms[b+1] = ms[b]
			ms[b] = early
			return ms
		}, "not called"},
		{"result given twice", func(ms []Message) []Message {
			b := batch(ms)
			ms[b+2].ToolCallID = ms[b+1].ToolCallID
			return ms
		}, "second result"},
		{"call id used twice", func(ms []Message) []Message {
			calls := ms[batch(ms)].ToolCalls
			calls[1].ID = calls[0].ID
			return ms
		}, "used twice"},
		{"arguments cut off", func(ms []Message) []Message { ms[batch(ms)].ToolCalls[0].Arguments = `{"from":`; return ms }, "not JSON"},
		{"second abandoned call", func(ms []Message) []Message {
			b := batch(ms)
			return append(ms[:b+1], ms[b+2:]...)
		}, "want exactly one"},
		{"half the conversation", func(ms []Message) []Message { return ms[:len(ms)/2] }, "turns, want"},
		{"English in the Chinese stretch", func(ms []Message) []Message {
			turns := 0
			for i := range ms {
				if ms[i].Role != RoleUser {
					continue
				}
				if turns++; turns%30 == 0 {
					ms[i].Content = text("Line of its own, said at " + ms[i].Time)
				}
			}
			return ms
		}, "turns in Chinese"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			faults := strings.Join(CheckConversation(c.spoil(move(t))), "\n")
			if !strings.Contains(faults, c.want) {
				t.Errorf("faults %q, want one with %q", faults, c.want)
			}
		})
	}
}

func TestFaultsOfQuestionsAreFound(t *testing.T) {
	cases := []struct {
		name  string
		spoil func([]Question, []Message) []Question
		want  string
	}{
		{"evidence beyond the end", func(qs []Question, ms []Message) []Question { qs[2].Evidence = []int{len(ms) + 1}; return qs }, "no line"},
		{"evidence at line 0", func(qs []Question, _ []Message) []Question { qs[2].Evidence = []int{0}; return qs }, "no line 0"},
		{"evidence out of order", func(qs []Question, _ []Message) []Question { qs[4].Evidence = []int{300, 2}; return qs }, "not ascending"},
		{"question in the words of its evidence", func(qs []Question, ms []Message) []Question {
			qs[2].Question = ms[qs[2].Evidence[0]-1].Text()
			return qs
		}, "echoes"},
		{"halves close together", func(qs []Question, _ []Message) []Question {
			qs[0].Evidence = []int{79, 328}
			qs[1].Evidence = []int{79, 328}
			return qs
		}, "apart"},
		{"first two on different matters", func(qs []Question, _ []Message) []Question { qs[1], qs[3] = qs[3], qs[1]; return qs }, "do not ask the same"},
		{"more English than Chinese", func(qs []Question, _ []Message) []Question { return append(qs, qs[0]) }, "want halves"},
		{"wrong language named", func(qs []Question, _ []Message) []Question { qs[5].Lang = "en"; return qs }, "language is not"},
		{"unknown type", func(qs []Question, _ []Message) []Question { qs[5].Type = "riddle"; return qs }, `type "riddle"`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			ms := move(t)
			faults := strings.Join(CheckQuestions(ms, c.spoil(asked(t), ms)), "\n")
			if !strings.Contains(faults, c.want) {
				t.Errorf("faults %q, want one with %q", faults, c.want)
			}
		})
	}
}

func TestReadingNamesTheLine(t *testing.T) {
	good := `{"role":"user","name":"W","time":"2026-03-02T07:52:00+01:00","content":"a"}`
	for name, line := range map[string]string{
		"unknown field":  `{"role":"user","nmae":"W"}`,
		"empty line":     ``,
		"two values":     good + good,
		"not an object":  `"user"`,
		"number as text": `{"role":"user","content":7}`,
	} {
		_, err := ReadMessages(strings.NewReader(good + "\n" + line + "\n"))
		if err == nil || !strings.HasPrefix(err.Error(), "line 2: ") {
			t.Errorf("%s: error %v, want one that names line 2", name, err)
		}
	}
}

func TestCommonRunKeepsWholeCharacters(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"", "abc", ""},
		{"The Box", "in the box!", "the box"},
		{"现在几只碗", "四只碗走了", "只碗"},
		{"中", "丮", ""}, // same first two bytes
	} {
		if got := commonRun(c.a, c.b); got != c.want {
			t.Errorf("commonRun(%q, %q) = %q, want %q", c.a, c.b, got, c.want)
		}
	}
}
