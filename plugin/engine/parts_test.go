package engine

import (
	"fmt"
	"math/rand"
	"reflect"
	"strings"
	"testing"

	"github.com/ctxplan/ctxplan/abi"
)

// What a provider gave goes through a space byte by byte: parts, arguments and meta come back as they were, from read and,
// where a message is sent, from a plan.
func TestBytesAreKept(t *testing.T) {
	arguments := "{\"a\": 1,\n \"a\":2, not json \u2028 é}"
	meta := []byte(`{ "b":1,"a" : [1.50,1e2] }`)
	parts := []abi.Part{
		{Type: "thinking", Text: "hm", Provider: "anthropic", Data: "sig+/=="},
		{Type: "opaque", Provider: "anthropic", Data: "EroBCk<>&\u2029", Tokens: 17},
		{Type: "text", Text: "Let me look \r\n\tat it."},
		{Type: "opaque", Provider: "openai", Data: "gAAAAA", Text: "a summary of the heron", Tokens: 3},
		{Type: "json", JSON: []byte(`{"x":1.0, "x":[ ]}`)},
		{Type: "image", MIME: "image/png", Bytes: 5, Alt: "a quay", URL: "data:image/png;base64,AAAA"},
		{Type: "file", Name: "a.pdf", MIME: "application/pdf", Text: "of the file"},
	}
	s := New()
	mustAppend(t, s, "t", abi.Message{ID: "u", Role: abi.RoleUser, Content: abi.TextContent("look")},
		abi.Message{ID: "a", Role: abi.RoleAssistant, Content: abi.Content{Parts: parts}, Meta: meta,
			ToolCalls: []abi.ToolCall{{ID: "c", Name: "f", Arguments: arguments}}},
		abi.Message{ID: "r", Role: abi.RoleTool, ToolCallID: "c", Content: abi.TextContent("seen")})
	m := readOne(t, s, "t", "a").Message
	if !reflect.DeepEqual(m.Content.Parts, parts) || m.ToolCalls[0].Arguments != arguments || string(m.Meta) != string(meta) {
		t.Fatalf("read %+v", m)
	}
	history := int64(5000)
	res, e := s.Plan(&abi.PlanRequest{Thread: "t", Budget: abi.BudgetRequest{History: &history}})
	if e != nil {
		t.Fatalf("%+v", e)
	}
	for _, it := range res.Plan.Items {
		if it.ID == "a" {
			if !reflect.DeepEqual(it.Parts, parts) || it.ToolCalls[0].Arguments != arguments || !it.Verbatim {
				t.Errorf("planned %+v", it)
			}
			return
		}
	}
	t.Error("the message is not in the plan")
}

// Data of an opaque part is never searched and never quoted; its text is.
func TestOpaquePartsAreNotSearched(t *testing.T) {
	s := New()
	mustAppend(t, s, "t",
		abi.Message{ID: "u", Role: abi.RoleUser, Content: abi.TextContent("hello")},
		abi.Message{ID: "a", Role: abi.RoleAssistant, Content: abi.Content{Parts: []abi.Part{{Type: "opaque", Provider: "quarry", Data: "lantern"}, {Type: "text", Text: "word"}}}},
		abi.Message{ID: "b", Role: abi.RoleAssistant, Content: abi.Content{Parts: []abi.Part{{Type: "opaque", Provider: "p", Data: "x", Text: "the heron"}}}})
	mustAppend(t, s, "t", abi.Message{ID: "u2", Role: abi.RoleUser, Content: abi.TextContent("and")})
	history := int64(500)
	found := func(q string) (ids []string) {
		res, e := s.Plan(&abi.PlanRequest{Thread: "t", Question: q, Strategy: abi.StrategyFused, Explain: true, Budget: abi.BudgetRequest{History: &history},
			Settings: abi.SettingsPatch{Raw: []byte(`{"recent":{"turns":0}}`)}})
		if e != nil {
			t.Fatalf("%+v", e)
		}
		for _, c := range res.Plan.Candidates {
			ids = append(ids, c.ID)
			for _, it := range res.Plan.Items {
				if it.ID == c.ID && it.Kind == abi.KindRetrieved && (strings.Contains(it.Text, "lantern") || strings.Contains(it.Text, "quarry")) {
					t.Errorf("quoted %q", it.Text)
				}
			}
		}
		return ids
	}
	for q, want := range map[string]string{"lantern": "", "quarry": "", "heron": "b", "word": "a"} {
		if got := strings.Join(found(q), " "); got != want {
			t.Errorf("%s: %q, want %q", q, got, want)
		}
	}
}

// A message that broke off may be replaced in any mode; one that did not, only where the mode says so.
func TestPartial(t *testing.T) {
	for _, c := range []struct {
		name         string
		stored, sent bool // partial
		text, mode   string
		status, code string
		then         bool
	}{
		{"finished in add", true, false, "Hello there", "", statusReplaced, "", false},
		{"finished in upsert", true, false, "Hello there", modeUpsert, statusReplaced, "", false},
		{"finished in sync", true, false, "Hello there", modeSync, statusReplaced, "", false},
		{"longer and still broken off", true, true, "Hello th", "", statusReplaced, "", true},
		{"the same and broken off", true, true, "Hel", "", statusDuplicate, "", true},
		{"the same and whole", true, false, "Hel", "", statusReplaced, "", false},
		{"other words of a whole one in add", false, false, "Hello", "", "", abi.CodeConflict, false},
		{"other words of a whole one in upsert", false, false, "Hello", modeUpsert, statusReplaced, "", false},
		{"broken off after it was whole, in add", false, true, "He", "", "", abi.CodeConflict, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := New()
			mustAppend(t, s, "t", abi.Message{ID: "m", Role: abi.RoleAssistant, Partial: c.stored, Content: abi.TextContent("Hel")})
			out, e := s.Append(&abi.AppendRequest{Thread: "t", Mode: c.mode, Messages: []abi.Message{{ID: "m", Role: abi.RoleAssistant, Partial: c.sent, Content: abi.TextContent(c.text)}}})
			if c.code != "" {
				if e == nil || e.Code != c.code {
					t.Fatalf("%+v %+v", out, e)
				}
				return
			}
			if e != nil || out.Messages[0].Status != c.status || out.Messages[0].Seq != 1 {
				t.Fatalf("%+v %+v", out, e)
			}
			if m := readOne(t, s, "t", "m"); m.Message.Partial != c.then || m.Message.Content.Text != c.text {
				t.Fatalf("%+v", m)
			}
		})
	}
}

func TestPartsThatAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		m    abi.Message
		path string
	}{
		"meta of 4,097 bytes":         {abi.Message{Role: abi.RoleUser, Content: abi.TextContent("x"), Meta: []byte(`"` + strings.Repeat("m", 4095) + `"`)}, "messages[0].meta"},
		"an acl with an empty name":   {abi.Message{Role: abi.RoleUser, Content: abi.TextContent("x"), ACL: []string{"a", ""}}, "messages[0].acl[1]"},
		"an opaque part without data": {abi.Message{Role: abi.RoleUser, Content: abi.Content{Parts: []abi.Part{{Type: "opaque", Provider: "p"}}}}, "messages[0].content[0]"},
		"an opaque part of nobody":    {abi.Message{Role: abi.RoleUser, Content: abi.Content{Parts: []abi.Part{{Type: "opaque", Data: "d"}}}}, "messages[0].content[0]"},
		"a text part with data":       {abi.Message{Role: abi.RoleUser, Content: abi.Content{Parts: []abi.Part{{Type: "text", Text: "x", Data: "d"}}}}, "messages[0].content[0]"},
		"a text part with tokens":     {abi.Message{Role: abi.RoleUser, Content: abi.Content{Parts: []abi.Part{{Type: "text", Text: "x", Tokens: 3}}}}, "messages[0].content[0]"},
	} {
		s := New()
		_, e := s.Append(&abi.AppendRequest{Thread: "t", Messages: []abi.Message{c.m}})
		if e == nil || e.Code != abi.CodeInvalidRequest || e.Path != c.path || len(s.threads) != 0 {
			t.Errorf("%s: %+v", name, e)
		}
	}
	s := New()
	mustAppend(t, s, "t", abi.Message{ID: "m", Role: abi.RoleUser, Content: abi.TextContent("x"), Meta: []byte(`"` + strings.Repeat("m", 4094) + `"`)})
	if n := len(readOne(t, s, "t", "m").Message.Meta); n != abi.MetaBytes {
		t.Errorf("%d bytes of meta", n)
	}
}

// A space at its soft limit refuses what makes it larger, answers everything else, and takes in messages again when some
// were forgotten.
func TestFullSpace(t *testing.T) {
	s := New()
	mustConfigure(t, s, `{"limits":{"state_bytes":60000},`+hashModel[1:])
	r := rand.New(rand.NewSource(1))
	n := 0
	for ; ; n++ {
		_, e := s.Append(&abi.AppendRequest{Thread: "t", Messages: []abi.Message{{ID: fmt.Sprint("m", n), Role: abi.RoleUser, Content: abi.TextContent(sentence(r, 40))}}})
		if e != nil {
			if e.Code != abi.CodeTooLarge || *e.Details.Limit != 60000 || *e.Details.Have <= 60000 {
				t.Fatalf("%+v", e)
			}
			break
		}
	}
	before := dump(t, s)
	long := abi.TextContent(strings.Repeat("stone ", 12000))
	grow := map[string]func() *abi.Error{
		"append": func() *abi.Error {
			_, e := s.Append(&abi.AppendRequest{Thread: "t", Messages: []abi.Message{{Role: abi.RoleUser, Content: long}}})
			return e
		},
		"upsert": func() *abi.Error {
			_, e := s.Append(&abi.AppendRequest{Thread: "t", Mode: modeUpsert, Messages: []abi.Message{{ID: "m1", Role: abi.RoleUser, Content: long}}})
			return e
		},
		"edit": func() *abi.Error {
			_, e := s.Amend(&abi.AmendRequest{Thread: "t", Edit: &abi.Edit{ID: "m1", Content: long}})
			return e
		},
		"label": func() *abi.Error {
			var ids []string
			for i := range n {
				ids = append(ids, fmt.Sprint("m", i))
			}
			_, e := s.Amend(&abi.AmendRequest{Thread: "t", Label: &abi.LabelEdit{IDs: ids, Labels: map[string]string{"k": strings.Repeat("v", 2000)}}})
			return e
		},
		"fork": func() *abi.Error {
			_, e := s.Amend(&abi.AmendRequest{Fork: &abi.Fork{From: "t", At: fmt.Sprint("m", n-1), To: "f"}})
			return e
		},
		"fulfil": func() *abi.Error {
			var results []abi.Result
			for _, need := range needs(t, s) {
				for range 10 {
					results = append(results, answer(need))
				}
			}
			_, e := s.Fulfil(&abi.FulfilRequest{Results: results})
			return e
		},
	}
	for name, do := range grow {
		if e := do(); e == nil || e.Code != abi.CodeTooLarge {
			t.Errorf("%s: %+v", name, e)
		}
		if dump(t, s) != before {
			t.Fatalf("%s changed the state", name)
		}
	}
	amend(t, s, &abi.AmendRequest{Thread: "t", Pin: []string{"m3"}})
	amend(t, s, &abi.AmendRequest{Thread: "t", Edit: &abi.Edit{ID: "m2", Content: abi.TextContent("short")}})
	if out := mustAppend(t, s, "t", abi.Message{ID: "m2", Role: abi.RoleUser, Content: abi.TextContent("short")}); out.Messages[0].Status != statusDuplicate {
		t.Errorf("%+v", out)
	}
	if p, e := planFrom(t, s, "t"); e != nil || len(p.Items) == 0 {
		t.Errorf("%+v", e)
	}
	if _, e := s.Forget(&abi.ForgetRequest{Thread: "t", Messages: []string{"m0", "m1", "m4", "m5"}}); e != nil {
		t.Fatalf("%+v", e)
	}
	mustAppend(t, s, "t", abi.Message{Role: abi.RoleUser, Content: abi.TextContent(sentence(r, 40))})
	out, e := s.Append(&abi.AppendRequest{Thread: "t", Mode: modeSync, Prune: true})
	if e != nil || int(out.AbsentCount) != n-3 {
		t.Fatalf("%+v %+v", out, e)
	}
	if stats, _ := s.Stats(nil); stats.Messages != 0 || stats.TextBytes != 0 {
		t.Errorf("%+v", stats)
	}
}
