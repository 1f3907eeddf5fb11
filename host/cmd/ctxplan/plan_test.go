package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

func TestPlanText(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
	}{
		{"plan-budget.txt", []string{"--ask", "Where are the spare fuses now?", "--budget", "260"}},
		{"plan-window.txt", []string{"--ask", "保险丝在哪里？", "--window", "700", "--output", "150", "--margin", "30", "--system", "system.txt", "--tools", "tools.json",
			"--evidence", "evidence.json", "--strategy", "fused", "--now", "2026-03-10T08:00:00+01:00"}},
		{"plan-explain.txt", []string{"--ask", "When did the lamp flicker?", "--budget", "170", "--explain", "--config", "settings.json"}},
		{"plan-excerpt.txt", []string{"--ask", "When did the lamp flicker?", "--budget", "125", "--config", "settings.json"}},
		{"plan-live.txt", []string{"--budget", "2400"}},
		{"plan-numbers.txt", []string{"--window", "900", "--system", "70", "--tools", "80", "--evidence", "90", "--strategy", "truncate"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := native(t, "", "plan", append([]string{"--messages", "talk.jsonl"}, c.args...)...)
			if r.code != exitOK || r.err != "" {
				t.Fatalf("exit code %d: %s", r.code, r.err)
			}
			for line := range strings.Lines(r.out) {
				if n := columns(strings.TrimRight(line, "\n")); n > defaultWidth {
					t.Errorf("a line of %d columns: %q", n, line)
				}
			}
			golden(t, c.name, r.out)
		})
	}
}

// The output json is what the engine answers, byte for byte, in whatever form
// the messages come.
func TestPlanJSON(t *testing.T) {
	args := []string{"--ask", "Where are the spare fuses now?", "--window", "500", "--output", "100", "--format", "json"}
	lines, err := os.ReadFile("testdata/talk.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	list := "[\n" + strings.Join(strings.Split(strings.TrimSpace(string(lines)), "\n"), ",\n") + "\n]\n"
	appended := `{"op":"append","in":{"thread":"main","messages":` + strings.ReplaceAll(list, "\n", "") + `}}`
	asked := `{"op":"plan","in":{"thread":"main","input":[{"role":"user","content":"Where are the spare fuses now?"}],"budget":{"window":500,"output":100}}}`
	_, want, _ := strings.Cut(native(t, appended+"\n"+asked+"\n", "abi").out, "\n")
	if !json.Valid([]byte(want)) || !strings.HasPrefix(want, `{"plan":`) {
		t.Fatalf("the filter gave %q", want)
	}
	for name, got := range map[string]result{
		"lines":               native(t, "", "plan", append([]string{"--messages", "talk.jsonl"}, args...)...),
		"list":                native(t, "", "plan", append([]string{"--messages", write(t, "list", list)}, args...)...),
		"standard input":      native(t, string(lines), "plan", append([]string{"--messages", "-"}, args...)...),
		"list on the input":   native(t, list, "plan", append([]string{"--messages", "-"}, args...)...),
		"empty lines between": native(t, strings.ReplaceAll(string(lines), "\n", "\r\n\n"), "plan", append([]string{"--messages", "-"}, args...)...),
		"byte order mark":     native(t, "\ufeff"+string(lines), "plan", append([]string{"--messages", "-"}, args...)...),
	} {
		if got.code != exitOK || got.out != want || got.err != "" {
			t.Errorf("%s: exit code %d, %s\n%s", name, got.code, got.err, got.out)
		}
	}
	if module := os.Getenv("CTXPLAN_WASM"); module != "" {
		got := ctxplan(t, "", append([]string{"plan", "--wasm", module, "--messages", "talk.jsonl"}, args...)...)
		if got.code != exitOK || got.out != want {
			t.Errorf("the module: exit code %d, %s\n%s", got.code, got.err, got.out)
		}
	}
}

func TestPlanFails(t *testing.T) {
	const ok = `{"role":"user","content":"Hello."}` + "\n"
	for _, c := range []struct {
		name, messages string
		args           []string
		says           string
	}{
		{"broken line", ok + "\n" + ok + `{"role":"user","content":"abc` + "\n" + ok, nil, "messages:4: content: unexpected end of the document (invalid_request)"},
		{"line that is no object", ok + "hello\n", nil, "messages:2: expected an object (invalid_request)"},
		{"unknown field", ok + `{"role":"user","content":"x","user_id":"7"}`, nil, "messages:2: user_id: unknown field (unknown_field)"},
		{"two messages in a line", ok + `{"role":"user","content":"x"} {"role":"user","content":"y"}`, nil, "messages:2: text after the document (invalid_request)"},
		{"message that closes the list", ok + `{"role":"user","content":"x"}],"mode":"add","x":[` + "\n", nil, "text after the document (invalid_request)"},
		{"unknown role", ok + ok + `{"role":"narrator","content":"x"}`, nil, "messages:3: role: expected one of system, developer, user, assistant, tool (invalid_request)"},
		{"what only the engine sees", ok + ok + `{"role":"user","content":""}` + "\n" + ok, nil, "messages:3: content: a message has content or tool calls (invalid_request)"},
		{"bad time", ok + `{"role":"user","content":"x","time":"yesterday"}`, nil, "messages:2: time: a time is RFC 3339 with an offset"},
		{"conflict", `{"id":"a","role":"user","content":"x"}` + "\n\n" + `{"id":"a","role":"user","content":"y"}`, nil, "messages:3: id: a message of this request has the same id and other content (conflict)"},
		{"nothing", " \n\n", nil, "messages: there is no message"},
		{"empty list", "[]", nil, "messages: there is no message"},
		{"list that does not end", "[\n" + ok + ",\n" + ok, nil, "messages:4: unexpected end of the array (invalid_request)"},
		{"list with a comma too many", "[\n" + ok + ",\n]", nil, "messages:4: expected a message (invalid_request)"},
		{"list without a comma", "[\n" + ok + ok + "]", nil, "messages:2: text after the document (invalid_request)"},
		{"list that begins with a comma", "[," + ok + "]", nil, "messages:1: expected a message (invalid_request)"},
		{"list in which a text does not end", "[" + ok + `,{"role":"user","content":"x]`, nil, "messages:2: unexpected end of the array (invalid_request)"},
		{"list of a list", "[[" + ok + "]]", nil, "messages:1: expected an object, found an array (invalid_request)"},
		{"text behind a list", "[\n" + ok + "]\n\nmore", nil, "messages:5: text after the array (invalid_request)"},
		{"broken message of a list", "[\n" + ok + ",\n" + `{"role":"user",` + "\n" + `"content":7}` + "]", nil, "messages:4: content: expected a string, null or an array of parts (invalid_request)"},
		{"line that is not UTF-8", ok + `{"role":"user","content":"` + "\xff\"}", nil, "messages:2: content: invalid UTF-8 in a string (invalid_request)"},
		{"budget too small", ok + `{"id":"late","role":"user","content":"What then?"}`, []string{"--budget", "3"}, "plan: budget_too_small at budget: "},
		{"budget too small, its numbers", ok + `{"id":"late","role":"user","content":"What then?"}`, []string{"--budget", "3"}, "(need 7, have 3, for late)"},
		{"strategy", ok, []string{"--strategy", "all"}, "plan: invalid_request at strategy: expected one of auto, fused, truncate"},
		{"now", ok, []string{"--now", "today"}, "append: invalid_request at now: "},
		{"no such file", ok, []string{"--config", "none.json"}, "none.json"},
		{"settings that do not exist", ok, []string{"--config", write(t, "settings", `{"recent":{"turn":1}}`)}, "settings: recent.turn: unknown field (unknown_field)"},
		{"settings out of range", ok, []string{"--config", write(t, "settings", `{"recent":{"share":2}}`)}, "settings: recent.share: expected a number from 0 to 1 (invalid_request)"},
		{"settings that are no object", ok, []string{"--config", write(t, "settings", `[]`)}, "settings: expected an object of settings (invalid_request)"},
		{"settings of null", ok, []string{"--config", write(t, "settings", `null`)}, "settings: expected an object of settings (invalid_request)"},
		{"tools that are no JSON", ok, []string{"--tools", write(t, "tools", `[{"name":}]`)}, "tools: [0].name: "},
		{"tools that are text", ok, []string{"--tools", write(t, "tools", `"none"`)}, "tools: expected an array, an object or a number of tokens (invalid_request)"},
		{"evidence without a text", ok, []string{"--evidence", write(t, "facts.json", `[{"text":"a"},{"texts":"b"}]`)}, "facts.json: [1].texts: unknown field (unknown_field)"},
		{"system that is not UTF-8", ok, []string{"--system", write(t, "system", "one\ntwo \xff")}, "system:2: the text is not UTF-8 (invalid_request)"},
		{"system below zero", ok, []string{"--system", "-1"}, "plan: invalid_request at system: "},
		{"message above the limit", ok + `{"role":"user","content":"` + strings.Repeat("x", 1<<20) + `"}`, nil, "messages:2: the message is larger than limits.message_bytes (have 1,048,580, limit 1,048,576) (too_large)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			args := []string{"--messages", write(t, "messages", c.messages)}
			if len(c.args) == 0 || c.args[0] != "--budget" {
				args = append(args, "--budget", "300")
			}
			r := native(t, "", "plan", append(args, c.args...)...)
			if r.code != exitFailed || r.out != "" || !strings.Contains(r.err, c.says) || strings.Count(r.err, "\n") != 1 {
				t.Errorf("exit code %d, output %q, errors:\n%swant: %s", r.code, r.out, r.err, c.says)
			}
		})
	}
}

// More messages than fit into one request go in as several, and errors still
// name the right line.
func TestPlanLongInput(t *testing.T) {
	var b strings.Builder
	for range 2500 {
		b.WriteString(`{"role":"user","content":"` + strings.Repeat("pier ", 150) + `"}` + "\n")
	}
	long := b.String()
	r := native(t, long, "plan", "--messages", "-", "--ask", "What of the pier?", "--budget", "900", "--format", "json")
	if r.code != exitOK || r.err != "" || !strings.Contains(r.out, `"revision":3,`) && !strings.Contains(r.out, `"revision":2,`) {
		t.Errorf("exit code %d, %s\n%.300s", r.code, r.err, r.out)
	}
	r = native(t, long+`{"role":"user","content":""}`, "plan", "--messages", "-", "--budget", "900")
	if r.code != exitFailed || !strings.HasPrefix(r.err, "ctxplan: standard input:2501: content: ") {
		t.Errorf("exit code %d, %s", r.code, r.err)
	}
}

func TestPlanSaysWhatWasRepaired(t *testing.T) {
	r := native(t, `{"role":"user","content":"fine"}`+"\n"+`{"role":"user","content":"a\ud800b"}`, "plan", "--messages", "-", "--budget", "100")
	if r.code != exitOK || r.err != "ctxplan: standard input:2: content: half of a surrogate pair was replaced by U+FFFD\n" {
		t.Errorf("exit code %d, %s", r.code, r.err)
	}
}

// A model is configured and there is none: the plan is made without it and says
// so.
func TestPlanWithoutItsModel(t *testing.T) {
	config := write(t, "settings", `{"models":{"embed":{"model":"m","dimension":3}}}`)
	r := native(t, "", "plan", "--messages", "talk.jsonl", "--ask", "fuses", "--budget", "200", "--config", config)
	if r.code != exitOK || r.err != "" || !strings.Contains(r.out, "degraded: without the list dense (error)") {
		t.Errorf("exit code %d, %s\n%s", r.code, r.err, r.out)
	}
}

// Text of a message can't move the cursor or turn the line around.
func TestPlanIsSafeOnATerminal(t *testing.T) {
	r := native(t, `{"role":"user","name":"a\u001b[2Jb","content":"red \u001b[31m and \u202e back \u0007 \u009b"}`, "plan", "--messages", "-", "--budget", "100")
	if r.code != exitOK || strings.ContainsAny(r.out, "\x1b\x07\u202e\u009b") || !strings.Contains(r.out, "red ␛[31m and <U+202E> back ␇ <U+009B>") {
		t.Errorf("exit code %d, %s\n%q", r.code, r.err, r.out)
	}
}
