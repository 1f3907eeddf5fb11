package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/ctxplan/ctxplan/abi"
)

// The body is the member rendered of the engine's response, byte for byte.
func TestPlanAsARequestBody(t *testing.T) {
	lines, err := os.ReadFile("testdata/talk.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	requests := `{"op":"append","in":{"thread":"main","messages":[` + strings.ReplaceAll(strings.TrimSpace(string(lines)), "\n", ",") + "]}}\n"
	for _, format := range bodies {
		requests += `{"op":"plan","in":{"thread":"main","input":[{"role":"user","content":"Where are the spare fuses now?"}],` +
			`"budget":{"window":900,"output":150},"render":"` + format + `"}}` + "\n"
	}
	answers := strings.Split(native(t, requests, "abi").out, "\n")
	for i, format := range bodies {
		var want struct {
			Plan struct{ Rendered json.RawMessage }
		}
		if err := json.Unmarshal([]byte(answers[i+1]), &want); err != nil {
			t.Fatal(err)
		}
		r := native(t, "", "plan", "--messages", "talk.jsonl", "--ask", "Where are the spare fuses now?", "--window", "900", "--output", "150", "--format", format)
		if r.code != exitOK || r.err != "" || len(want.Plan.Rendered) < 100 || r.out != string(want.Plan.Rendered)+"\n" {
			t.Errorf("%s: exit code %d, %s\n%s\nwant %s", format, r.code, r.err, r.out, want.Plan.Rendered)
		}
	}
}

// A body has no place for a warning, and a pipe has a second end.
func TestWarningsOfABodyAreSaid(t *testing.T) {
	r := native(t, "", "plan", "--messages", "talk.jsonl", "--ask", "zyzzyva", "--budget", "300", "--strategy", "fused", "--format", "openai.chat")
	if r.code != exitOK || !strings.HasPrefix(r.out, `{"messages":[`) || !strings.HasPrefix(r.err, "ctxplan: no_evidence: nothing that was searched") {
		t.Errorf("exit code %d, errors %q\n%s", r.code, r.err, r.out)
	}
}

func TestPlanForSomebody(t *testing.T) {
	talk := write(t, "talk", `{"role":"user","content":"The lift code is 4711.","acl":["staff"]}
{"role":"user","content":"The lift is slow.","labels":{"house":"7"}}
{"role":"user","content":"The lift is loud."}
{"role":"assistant","content":"Noted."}
{"role":"user","content":"Good night."}
`)
	for _, c := range []struct {
		name string
		args []string
		in   []string
		out  []string
	}{
		{"everybody", nil, []string{"4711", "slow", "loud"}, nil},
		{"one of the staff", []string{"--acl", "guest,staff"}, []string{"4711", "slow", "loud"}, nil},
		{"a guest", []string{"--acl", "guest"}, []string{"slow", "loud"}, []string{"4711"}},
		{"nobody", []string{"--acl="}, []string{"slow", "loud"}, []string{"4711"}},
		{"a label", []string{"--labels", "house=7"}, []string{"slow"}, []string{"4711", "loud"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			args := append([]string{"--messages", talk, "--ask", "How is the lift?", "--budget", "300", "--strategy", "fused", "--format", "openai.chat",
				"--config", write(t, "settings", `{"recent":{"turns":0}}`)}, c.args...)
			r := native(t, "", "plan", args...)
			if r.code != exitOK {
				t.Fatalf("exit code %d, %s", r.code, r.err)
			}
			for _, word := range c.in {
				if !strings.Contains(r.out, word) {
					t.Errorf("%q is not in\n%s", word, r.out)
				}
			}
			for _, word := range c.out {
				if strings.Contains(r.out, word) {
					t.Errorf("%q is in\n%s", word, r.out)
				}
			}
		})
	}
}

// The formats are those of the engine, of which text has another meaning here.
func TestFormatsAreThoseOfTheEngine(t *testing.T) {
	r := native(t, `{"op":"render","in":{"format":"none","revision":0,"items":[]}}`, "abi")
	var e abi.ErrorResponse
	if err := json.Unmarshal([]byte(r.out), &e); err != nil {
		t.Fatal(err)
	}
	if want := "expected one of " + strings.Join(bodies, ", ") + ", text"; e.Error.Message != want {
		t.Errorf("the engine says %q, want %q", e.Error.Message, want)
	}
	for _, name := range bodies {
		if !strings.Contains(formats, name) {
			t.Errorf("wrong usage does not name %s", name)
		}
	}
}
