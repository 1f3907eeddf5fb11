package render

import (
	"bytes"
	"encoding/json"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/ctxplan/ctxplan/abi"
)

// Each rendering of random plans passes the provider's checker, holds every text unchanged and in order, and has nothing in
// the system place that is not of the system.
func TestRandomPlans(t *testing.T) {
	rounds := 1500
	if testing.Short() {
		rounds = 200
	}
	for seed := range rounds {
		p := &plans{r: rand.New(rand.NewSource(int64(seed))), hostile: hostileTexts}
		p.random()
		for _, format := range Formats {
			if f := judge(format, p.items); len(f) > 0 {
				body, _ := Messages(format, p.items)
				items, _ := json.MarshalIndent(p.items, "", " ")
				t.Fatalf("seed %d, %s: %s\n%s\n%s", seed, format, strings.Join(f, "\n"), body, items)
			}
		}
	}
}

// What a caller sends back as a plan may be in any order; the request is legal all the same, and nothing is lost.
func TestAnyOrder(t *testing.T) {
	for seed := range 300 {
		p := &plans{r: rand.New(rand.NewSource(int64(seed))), hostile: hostileTexts}
		p.random()
		p.r.Shuffle(len(p.items), func(i, j int) { p.items[i], p.items[j] = p.items[j], p.items[i] })
		for _, format := range Formats {
			body, e := Messages(format, p.items)
			if e != nil {
				t.Fatalf("seed %d, %s: %v", seed, format, e)
			}
			f := check(format, body)
			system, _, _, rest := spoken(format, body)
			checkSystem(&f, format, p.items, system)
			checkTexts(&f, format, p.items, append(system, rest...))
			if len(f) > 0 {
				t.Fatalf("seed %d, %s: %s\n%s", seed, format, strings.Join(f, "\n"), body)
			}
		}
	}
}

// FuzzMessages mixes any texts into random plans.
func FuzzMessages(f *testing.F) {
	for i, s := range hostileTexts {
		f.Add(int64(i), s, hostileTexts[len(hostileTexts)-1-i])
	}
	f.Fuzz(func(t *testing.T, seed int64, a, b string) {
		a, b = strings.ToValidUTF8(a, "?"), strings.ToValidUTF8(b, "?")
		p := &plans{r: rand.New(rand.NewSource(seed)), hostile: []string{a, b}}
		p.random()
		for _, format := range Formats {
			if f := judge(format, p.items); len(f) > 0 {
				t.Fatalf("%s: %s", format, strings.Join(f, "\n"))
			}
		}
	})
}

// judge says what is wrong with the rendering of items.
func judge(format string, items []abi.Item) faults {
	body, e := Messages(format, items)
	if e != nil {
		return faults{e.Error()}
	}
	f := check(format, body)
	if again, _ := Messages(format, items); !bytes.Equal(body, again) {
		f.add("two renderings differ")
	}
	system, user, assistant, rest := spoken(format, body)
	checkSystem(&f, format, items, system)
	checkTexts(&f, format, items, append(slices.Clone(system), rest...))
	checkOrder(&f, items, abi.RoleUser, user)
	checkOrder(&f, items, abi.RoleAssistant, assistant)
	checkQuotes(&f, items, rest)
	checkCalls(&f, format, items, body)
	return f
}

// spoken lists the texts of a body by where they stand; rest are all but those of the system.
func spoken(format string, body []byte) (system, user, assistant, rest []string) {
	var doc object
	if json.Unmarshal(body, &doc) != nil {
		return
	}
	if format == FormatText {
		text, _ := doc["text"].(string)
		return nil, []string{text}, []string{text}, []string{text}
	}
	system = strs(doc["instructions"], doc["system"], doc["system_instruction"])
	for _, list := range []string{"messages", "input", "contents"} {
		l, _ := doc[list].([]any)
		for _, m := range l {
			o, _ := m.(object)
			texts := strs(m)
			if o["role"] == "system" || o["role"] == "developer" {
				system = append(system, texts...)
				continue
			}
			rest = append(rest, texts...)
			switch o["role"] {
			case "user":
				user = append(user, texts...)
			case "assistant", "model":
				assistant = append(assistant, texts...)
			}
		}
	}
	return system, user, assistant, rest
}

// strs lists the texts among JSON values, in the order of arrays.
func strs(values ...any) []string {
	var out []string
	for _, v := range values {
		switch v := v.(type) {
		case string:
			out = append(out, v)
		case []any:
			out = append(out, strs(v...)...)
		case object:
			for _, k := range []string{"content", "parts", "text", "output", "thinking", "input", "args", "arguments", "error",
				"functionResponse", "functionCall", "response", "function", "tool_calls", "t"} {
				out = append(out, strs(v[k])...)
			}
		}
	}
	return out
}

func systemItem(it *abi.Item) bool {
	return (it.Role == abi.RoleSystem || it.Role == abi.RoleDeveloper) && !quotedItem(it)
}

func quotedItem(it *abi.Item) bool {
	return it.Kind == abi.KindPinned || it.Kind == abi.KindRetrieved || it.Kind == abi.KindEvidence
}

// checkSystem: the system place holds the texts of the instructions, byte-equal and in order, and nothing else.
func checkSystem(f *faults, format string, items []abi.Item, system []string) {
	if format == FormatText {
		return
	}
	var want []string
	for i := range items {
		if it := &items[i]; systemItem(it) && strings.TrimSpace(it.Text) != "" {
			want = append(want, it.Text)
		}
	}
	if !slices.Equal(want, system) {
		f.add("the system place holds %q, want %q", system, want)
	}
}

// textsOf are the texts of an item that must be sent.
func textsOf(it *abi.Item) []string {
	out := []string{it.Text}
	for i := range it.Parts {
		p := &it.Parts[i]
		switch p.Type {
		case "text", "file":
			out = append(out, p.Text)
		case "json":
			out = append(out, string(p.JSON))
		}
	}
	return slices.DeleteFunc(out, func(s string) bool { return strings.TrimSpace(s) == "" })
}

// checkTexts: every text is there, unchanged. Of the very last one Anthropic takes no white space at its end.
func checkTexts(f *faults, format string, items []abi.Item, texts []string) {
	joined := strings.Join(texts, "\x01")
	for i := range items {
		for _, s := range textsOf(&items[i]) {
			s = strings.ToValidUTF8(s, "\uFFFD")
			trimmed := strings.TrimRightFunc(s, unicode.IsSpace)
			last := format == FormatAnthropic && strings.HasSuffix(joined, trimmed)
			if !strings.Contains(joined, s) && !last {
				f.add("the text %q of item %d is missing", s, i)
			}
		}
	}
}

// checkOrder: what users said stands in the order of the items, and what assistants said too.
func checkOrder(f *faults, items []abi.Item, role string, texts []string) {
	joined := strings.Join(texts, "\x01")
	at := 0
	for i := range items {
		it := &items[i]
		if it.Role != role || quotedItem(it) || len(textsOf(it)) == 0 {
			continue
		}
		s := strings.TrimRightFunc(textsOf(it)[0], unicode.IsSpace)
		n := strings.Index(joined[at:], s)
		if n < 0 {
			f.add("%s: %q of item %d is not where it belongs", role, s, i)
			return
		}
		at += n + len(s)
	}
}

// checkQuotes: each kind of quoted items has one block, with all its texts, and the tags occur nowhere else.
func checkQuotes(f *faults, items []abi.Item, texts []string) {
	tags := map[string]string{abi.KindPinned: tagPinned, abi.KindRetrieved: tagRecalled, abi.KindEvidence: tagEvidence}
	joined := strings.Join(texts, "\x01")
	for kind, tag := range tags {
		var want []string
		for i := range items {
			if items[i].Kind == kind {
				want = append(want, items[i].Header+items[i].Text+"\n")
			}
		}
		if len(want) == 0 {
			continue
		}
		block, found := "", 0
		for _, suffix := range suffixesIn(joined, tag) {
			open, shut := "<"+tag+suffix, "</"+tag+suffix+">\n"
			_, rest, ok := strings.Cut(joined, open)
			if !ok || strings.Count(joined, open) != 1 || strings.Count(joined, shut) != 1 {
				continue
			}
			if _, body, ok := strings.Cut(rest, ">\n"); ok && strings.Contains(body, shut) {
				block, _, _ = strings.Cut(body, shut)
				if block == strings.Join(want, "") {
					found++
				}
			}
		}
		if found != 1 {
			f.add("%d blocks of %s items hold %q", found, kind, want)
		}
	}
}

// suffixesIn lists the suffixes of a tag in a text, and none.
func suffixesIn(s, tag string) []string {
	out := []string{""}
	for {
		_, rest, ok := strings.Cut(s, "<"+tag+"-")
		if !ok {
			return out
		}
		if x := "-" + rest[:min(len(rest), suffixLetters)]; !slices.Contains(out, x) {
			out = append(out, x)
		}
		s = rest
	}
}

// checkCalls: calls that have a result are sent, those without are when no user message follows.
func checkCalls(f *faults, format string, items []abi.Item, body []byte) {
	type open struct {
		id string
		at int
	}
	var waiting []open
	sent, results, lastUser := 0, 0, -1
	for i := range items {
		it := &items[i]
		if quotedItem(it) {
			continue
		}
		if it.Role == abi.RoleUser {
			lastUser = i
		}
		for _, c := range it.ToolCalls {
			waiting = append(waiting, open{c.ID, i})
		}
		for j := len(waiting) - 1; j >= 0 && it.Role == abi.RoleTool; j-- {
			if waiting[j].id == it.ToolCallID {
				waiting = slices.Delete(waiting, j, j+1)
				sent++
				results++
				break
			}
		}
	}
	for _, w := range waiting {
		if w.at > lastUser {
			sent++
		}
	}
	var calls, responses string
	switch format {
	case FormatOpenAIChat:
		calls, responses = `"type":"function","function":`, `"role":"tool"`
	case FormatOpenAIResponses:
		calls, responses = `{"type":"function_call",`, `{"type":"function_call_output",`
	case FormatAnthropic:
		calls, responses = `{"type":"tool_use",`, `{"type":"tool_result",`
	case FormatGemini:
		calls, responses = `{"functionCall":`, `{"functionResponse":`
	default:
		return
	}
	if n, m := strings.Count(string(body), calls), strings.Count(string(body), responses); n != sent || m != results {
		f.add("%d calls and %d results, want %d and %d", n, m, sent, results)
	}
}
