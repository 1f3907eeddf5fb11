package render

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/ctxplan/ctxplan/abi/wire"
)

// faults collects what a provider would refuse.
type faults []string

func (f *faults) add(format string, args ...any) { *f = append(*f, fmt.Sprintf(format, args...)) }

type object = map[string]any

// check is a request body as a provider's documentation describes it, judged.
func check(format string, body []byte) faults {
	var f faults
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var doc object
	if err := d.Decode(&doc); err != nil {
		f.add("no JSON object: %v", err)
		return f
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, body); err != nil || !bytes.Equal(compact.Bytes(), body) {
		f.add("JSON is not canonical")
	}
	if wire.CheckDepth(append([]byte(`{"out":{"plan":{"render":`), body...), wire.MaxDepth) != nil {
		f.add("JSON is nested too deeply for a response")
	}
	switch format {
	case FormatOpenAIChat:
		checkChat(&f, doc)
	case FormatOpenAIResponses:
		checkResponses(&f, doc)
	case FormatAnthropic:
		checkAnthropic(&f, doc)
	case FormatGemini:
		checkGemini(&f, doc)
	case FormatText:
		checkText(&f, doc)
	default:
		f.add("unknown format %s", format)
	}
	return f
}

var (
	namePattern = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	// Function names may begin with a letter or underscore and have dots, colons and dashes (FunctionDeclaration).
	geminiNamePattern = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$`)
	callIDPattern     = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,40}$`)
)

// keys reports members that are not allowed.
func (f *faults) keys(o object, where string, allowed ...string) {
	for k := range o {
		found := false
		for _, a := range allowed {
			found = found || a == k
		}
		if !found {
			f.add("%s: unknown member %s", where, k)
		}
	}
}

func (f *faults) list(v any, where string) []object {
	l, ok := v.([]any)
	if !ok {
		f.add("%s: not a list", where)
		return nil
	}
	var out []object
	for i, e := range l {
		o, ok := e.(object)
		if !ok {
			f.add("%s[%d]: not an object", where, i)
			o = object{}
		}
		out = append(out, o)
	}
	return out
}

// said reports a text that is missing or blank: "text content blocks must be non-empty", "… must contain non-whitespace
// text".
func (f *faults) said(v any, where string) string {
	s, ok := v.(string)
	if !ok {
		f.add("%s: not a text", where)
	} else if strings.TrimSpace(s) == "" {
		f.add("%s: blank text", where)
	}
	return s
}

func (f *faults) image(mime, data, where string, types ...string) {
	if _, err := base64.StdEncoding.DecodeString(data); err != nil || data == "" {
		f.add("%s: data is not base64", where)
	}
	for _, t := range types {
		if t == mime || strings.HasSuffix(t, "/") && strings.HasPrefix(mime, t) {
			return
		}
	}
	f.add("%s: media type %q is not taken", where, mime)
}

// address is a URL that a provider follows: https, or data in base64 of one of the types.
func (f *faults) address(v any, where string, types ...string) {
	s, _ := v.(string)
	if rest, ok := strings.CutPrefix(s, "data:"); ok {
		mime, data, _ := strings.Cut(rest, ";base64,")
		f.image(mime, data, where, types...)
		return
	}
	if !strings.HasPrefix(strings.ToLower(s), "https://") || strings.ContainsAny(s, " \n") {
		f.add("%s: URL %.40q is not taken", where, s)
	}
}

var webTypes = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}

// The checkers themselves: each rule has a body that breaks it.
func TestCheckersSeeFaults(t *testing.T) {
	call := `{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]}`
	use := `{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"f","input":{}}]}`
	got := `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"x"}]}`
	hi := `{"role":"user","content":[{"type":"text","text":"hi"}]}`
	ghi := `{"role":"user","parts":[{"text":"hi"}]}`
	gcall := `{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]}`
	ggot := `{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"x"}}}]}`
	for _, c := range []struct{ name, format, body, want string }{
		{"space", FormatOpenAIChat, `{"messages": []}`, "canonical"},
		{"chat: member", FormatOpenAIChat, `{"messages":[],"model":"m"}`, "unknown member model"},
		{"chat: late system", FormatOpenAIChat, `{"messages":[{"role":"user","content":"a"},{"role":"system","content":"b"}]}`, "behind"},
		{"chat: first role", FormatOpenAIChat, `{"messages":[{"role":"assistant","content":"a"}]}`, "first message"},
		{"chat: blank", FormatOpenAIChat, `{"messages":[{"role":"user","content":" "}]}`, "blank"},
		{"chat: no content", FormatOpenAIChat, `{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":null}]}`, "neither"},
		{"chat: orphan", FormatOpenAIChat, `{"messages":[{"role":"user","content":"a"},{"role":"tool","tool_call_id":"c1","content":"x"}]}`, "without its call"},
		{"chat: open call in the middle", FormatOpenAIChat, `{"messages":[{"role":"user","content":"a"},` + call + `,{"role":"user","content":"b"}]}`, "must be followed"},
		{"chat: twice answered", FormatOpenAIChat, `{"messages":[{"role":"user","content":"a"},` + call + `,{"role":"tool","tool_call_id":"c1","content":"x"},{"role":"tool","tool_call_id":"c1","content":"x"}]}`, "without its call"},
		{"chat: same id", FormatOpenAIChat, `{"messages":[{"role":"user","content":"a"},` + call + `,{"role":"tool","tool_call_id":"c1","content":"x"},` + call + `]}`, "used twice"},
		{"chat: name", FormatOpenAIChat, `{"messages":[{"role":"user","name":"a b","content":"a"}]}`, "name"},
		{"chat: image of the assistant", FormatOpenAIChat, `{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"image_url","image_url":{"url":"https://a/b"}}]}]}`, "image_url"},
		{"responses: orphan", FormatOpenAIResponses, `{"input":[{"role":"user","content":[{"type":"input_text","text":"a"}]},{"type":"function_call_output","call_id":"c","output":"x"}]}`, "without its call"},
		{"responses: open call in the middle", FormatOpenAIResponses, `{"input":[{"role":"user","content":[{"type":"input_text","text":"a"}]},{"type":"function_call","call_id":"c","name":"f","arguments":""},{"role":"assistant","content":"b"}]}`, "No tool output"},
		{"responses: output text of a user", FormatOpenAIResponses, `{"input":[{"role":"user","content":[{"type":"output_text","text":"a"}]}]}`, "output_text"},
		{"responses: reasoning alone", FormatOpenAIResponses, `{"input":[{"role":"user","content":[{"type":"input_text","text":"a"}]},{"type":"reasoning","summary":[],"encrypted_content":"e"},{"role":"user","content":[{"type":"input_text","text":"a"}]}]}`, "required following item"},
		{"responses: blank instructions", FormatOpenAIResponses, `{"instructions":"","input":[]}`, "blank"},
		{"anthropic: roles", FormatAnthropic, `{"messages":[` + hi + `,` + hi + `]}`, "alternate"},
		{"anthropic: first role", FormatAnthropic, `{"messages":[{"role":"assistant","content":[{"type":"text","text":"a"}]}]}`, "first message"},
		{"anthropic: system role", FormatAnthropic, `{"messages":[{"role":"system","content":[{"type":"text","text":"a"}]}]}`, "role"},
		{"anthropic: no results", FormatAnthropic, `{"messages":[` + hi + `,` + use + `,` + hi + `]}`, "without tool_result"},
		{"anthropic: text before a result", FormatAnthropic, `{"messages":[` + hi + `,` + use + `,{"role":"user","content":[{"type":"text","text":"a"},{"type":"tool_result","tool_use_id":"c1","content":"x"}]}]}`, "come first"},
		{"anthropic: orphan", FormatAnthropic, `{"messages":[` + got + `]}`, "unexpected tool_use_id"},
		{"anthropic: same id", FormatAnthropic, `{"messages":[` + hi + `,` + use + `,` + got + `,` + use + `]}`, "unique"},
		{"anthropic: blank", FormatAnthropic, `{"messages":[{"role":"user","content":[{"type":"text","text":"\n"}]}]}`, "blank"},
		{"anthropic: empty error", FormatAnthropic, `{"messages":[` + hi + `,` + use + `,{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"","is_error":true}]}]}`, "blank"},
		{"anthropic: thinking last", FormatAnthropic, `{"messages":[` + hi + `,{"role":"assistant","content":[{"type":"thinking","thinking":"a","signature":"s"}]}]}`, "final block"},
		{"anthropic: no signature", FormatAnthropic, `{"messages":[` + hi + `,{"role":"assistant","content":[{"type":"thinking","thinking":"a","signature":""},{"type":"text","text":"b"}]}]}`, "signature"},
		{"anthropic: trailing space", FormatAnthropic, `{"messages":[` + hi + `,{"role":"assistant","content":[{"type":"text","text":"b "}]}]}`, "trailing"},
		{"anthropic: image of the assistant", FormatAnthropic, `{"messages":[` + hi + `,{"role":"assistant","content":[{"type":"image","source":{"type":"url","url":"https://a/b"}}]}]}`, "image"},
		{"gemini: roles", FormatGemini, `{"contents":[` + ghi + `,` + ghi + `]}`, "alternate"},
		{"gemini: assistant", FormatGemini, `{"contents":[{"role":"assistant","parts":[{"text":"a"}]}]}`, "role"},
		{"gemini: no response", FormatGemini, `{"contents":[` + ghi + `,` + gcall + `,` + ghi + `]}`, "function response turn"},
		{"gemini: orphan", FormatGemini, `{"contents":[` + ggot + `]}`, "immediately after a function call"},
		{"gemini: number", FormatGemini, `{"contents":[` + ghi + `,` + gcall + `,{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"x"}}},{"functionResponse":{"name":"f","response":{"output":"x"}}}]}]}`, "number of function response"},
		{"gemini: mixed", FormatGemini, `{"contents":[` + ghi + `,` + gcall + `,{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"x"}}},{"text":"x"}]}]}`, "only function responses"},
		{"gemini: name", FormatGemini, `{"contents":[` + ghi + `,{"role":"model","parts":[{"functionCall":{"name":"1 f","args":{}}}]}]}`, "name"},
		{"gemini: two data", FormatGemini, `{"contents":[{"role":"user","parts":[{"text":"a","inlineData":{}}]}]}`, "exactly one"},
		{"text: open tag", FormatText, `{"text":"<message role=\"user\">\nhi\n"}`, "not closed"},
		{"text: bare text", FormatText, `{"text":"hi\n"}`, "outside"},
		{"text: nested", FormatText, `{"text":"<recalled>\nold\n</recalled>\n<message role=\"user\">\n<recalled>\n</recalled>\n</message>\n"}`, "inside"},
	} {
		f := check(c.format, []byte(c.body))
		if !strings.Contains(strings.Join(f, "; "), c.want) {
			t.Errorf("%s: %q, want one with %q", c.name, []string(f), c.want)
		}
	}
}
