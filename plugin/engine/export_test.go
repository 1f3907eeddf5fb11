package engine

import (
	"bytes"
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"testing"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/abi/wire"
	"github.com/ctxplan/ctxplan/plugin/message"
)

// Whatever a forgotten message brought, in whatever field, is in no byte of an export or snapshot; what stayed is.
func TestForgottenIsInNoExport(t *testing.T) {
	for seed := range 20 {
		r := rand.New(rand.NewSource(int64(seed)))
		s := New()
		mustConfigure(t, s, `{"models":{"embed":{"model":"hash","dimension":16,"max_tokens":20}}}`)
		var kept, gone []string
		for n := range 30 {
			token := func(field string) string { return fmt.Sprintf("tok%sq%dq", field, n) }
			id := token("id")
			m := abi.Message{ID: id, Role: abi.RoleAssistant, Name: token("name"), Content: abi.Content{Parts: []abi.Part{
				{Type: "text", Text: token("text")}, {Type: "opaque", Provider: token("provider"), Data: token("data")},
				{Type: "image", Alt: token("alt"), URL: token("url")}, {Type: "json", JSON: wire.Raw(`{"` + token("json") + "\":\n1}")}}},
				ToolCalls: []abi.ToolCall{{ID: token("call"), Name: token("tool"), Arguments: token("arguments")}},
				Labels:    map[string]string{token("label"): token("value")}, ACL: []string{token("acl")}, Meta: wire.Raw(`"` + token("meta") + `"`)}
			thread := fmt.Sprintf("t%d", r.Intn(3))
			if _, e := s.Append(&abi.AppendRequest{Thread: thread, Messages: []abi.Message{m}}); e != nil {
				t.Fatal(e)
			}
			for _, need := range needs(t, s) {
				fulfil(t, s, answer(need))
			}
			if n%7 == 3 {
				if _, e := s.Amend(&abi.AmendRequest{Thread: thread, Label: &abi.LabelEdit{IDs: []string{id}, Labels: map[string]string{"more": token("more")}}}); e != nil {
					t.Fatal(e)
				}
			}
			if r.Intn(2) == 0 {
				gone = append(gone, fmt.Sprintf("q%dq", n))
				if _, e := s.Forget(&abi.ForgetRequest{Thread: thread, Messages: []string{id}}); e != nil {
					t.Fatal(e)
				}
			} else {
				kept = append(kept, fmt.Sprintf("q%dq", n))
			}
		}
		for _, kind := range []string{abi.PageExport, abi.PageSnapshot} {
			data := stream(t, s, kind, 1000)
			for _, token := range gone {
				if bytes.Contains(data, []byte(token)) {
					t.Errorf("seed %d: the %s holds %s, which was forgotten", seed, kind, token)
				}
			}
			for _, token := range kept {
				if !bytes.Contains(data, []byte(token)) {
					t.Errorf("seed %d: the %s does not hold %s", seed, kind, token)
				}
			}
		}
	}
}

// Every field of the state is either written by export or made anew from what is. Who adds one decides which, here and in
// export.go and restore.go.
func TestEveryFieldOfTheStateIsKnownToExport(t *testing.T) {
	for _, c := range []struct {
		of      any
		written []string
		derived []string
	}{
		{Space{}, []string{"settings", "order", "revision", "calls", "usage", "forgotten", "models"},
			[]string{"threads", "messages", "textBytes", "vectors", "vectorBytes", "views", "exporting", "restoring", "searcher", "tick"}},
		{thread{}, []string{"id", "place", "book", "vectors", "gone"}, []string{"named", "costs", "index", "full", "textBytes"}},
		{embedded{}, []string{"model", "pieces"}, nil},
		{message.Message{}, []string{"Wire", "Seq", "Edited", "Gone"}, []string{"Time", "Text", "Hidden", "Group", "Turn", "Run", "Session", "Call", "CallIndex"}},
	} {
		typ := reflect.TypeOf(c.of)
		known := append(c.written, c.derived...)
		for i := range typ.NumField() {
			name := typ.Field(i).Name
			if !slices.Contains(known, name) {
				t.Errorf("%s.%s is new: is it in an export?", typ, name)
			}
			known = slices.DeleteFunc(known, func(s string) bool { return s == name })
		}
		if len(known) > 0 {
			t.Errorf("%s has no fields %v any more", typ, known)
		}
	}
}

// A full space can be read, exported, restored, forgotten from, and then takes messages again.
func TestFullSpaceComesBack(t *testing.T) {
	s := New()
	mustConfigure(t, s, `{"limits":{"state_bytes":40000}}`)
	r := rand.New(rand.NewSource(1))
	say := func(s *Space) *abi.Error {
		_, e := s.Append(&abi.AppendRequest{Thread: "t", Messages: []abi.Message{{Role: abi.RoleUser, Content: abi.TextContent(paragraph(r))}}})
		return e
	}
	var e *abi.Error
	for e == nil {
		e = say(s)
	}
	if e.Code != abi.CodeTooLarge {
		t.Fatal(e)
	}
	// The limit is lowered below what is there.
	mustConfigure(t, s, `{"limits":{"state_bytes":1000,"messages":3}}`)
	for _, kind := range []string{abi.PageExport, abi.PageSnapshot} {
		back, e := restore(stream(t, s, kind, 1000), 777)
		if e != nil {
			t.Fatal(e)
		}
		same(t, kind, s, back)
		if e := say(back); e == nil || e.Code != abi.CodeTooLarge {
			t.Errorf("%s: it takes more: %+v", kind, e)
		}
		if _, e := back.Forget(&abi.ForgetRequest{Threads: []string{"t"}}); e != nil {
			t.Fatal(e)
		}
		mustConfigure(t, back, `{"limits":null}`)
		if e := say(back); e != nil {
			t.Errorf("%s: after forgetting: %+v", kind, e)
		}
	}
}
