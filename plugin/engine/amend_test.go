package engine

import (
	"slices"
	"strings"
	"testing"

	"github.com/ctxplan/ctxplan/abi"
)

// talk is a thread with a call that has its result, one that has not, and one in an earlier turn that never got it.
func talk(t *testing.T) *Space {
	t.Helper()
	s := New()
	mustAppend(t, s, "t",
		abi.Message{ID: "s1", Role: abi.RoleSystem, Content: abi.TextContent("Answer in Finnish.")},
		abi.Message{ID: "u1", Role: abi.RoleUser, Time: "2026-05-22T10:00:00Z", Content: abi.TextContent("Where is order A123?")},
		abi.Message{ID: "a1", Role: abi.RoleAssistant, ToolCalls: []abi.ToolCall{{ID: "c1", Name: "get_order", Arguments: `{"order":"A123"}`}}},
		abi.Message{ID: "r1", Role: abi.RoleTool, ToolCallID: "c1", Content: abi.TextContent("sent on Tuesday")},
		abi.Message{ID: "a2", Role: abi.RoleAssistant, Content: abi.TextContent("Let me look."), ToolCalls: []abi.ToolCall{{ID: "c2", Name: "track", Arguments: "{}"}}},
		abi.Message{ID: "u2", Role: abi.RoleUser, Time: "2026-05-22T10:05:00Z", Content: abi.TextContent("And the lantern?")},
		abi.Message{ID: "a3", Role: abi.RoleAssistant, ACL: []string{"support"}, ToolCalls: []abi.ToolCall{{ID: "c3", Name: "find", Arguments: "{}"}, {ID: "c4", Name: "ask", Arguments: "{}"}}})
	return s
}

func readOne(t *testing.T, s *Space, thread, id string) abi.ReadMessage {
	t.Helper()
	out, e := s.Read(&abi.ReadRequest{Thread: thread, IDs: []string{id}})
	if e != nil {
		t.Fatalf("%s: %+v", id, e)
	}
	return out.Messages[0]
}

func amend(t *testing.T, s *Space, req *abi.AmendRequest) *abi.AmendResponse {
	t.Helper()
	before := s.revision
	out, e := s.Amend(req)
	if e != nil {
		t.Fatalf("%+v", e)
	}
	if out.Revision != before+1 || s.revision != out.Revision {
		t.Fatalf("revision %d after %d", out.Revision, before)
	}
	return out
}

func TestAmendRefuses(t *testing.T) {
	s := talk(t)
	mustConfigure(t, s, `{"limits":{"message_bytes":120,"messages":9}}`)
	before := dump(t, s)
	long := strings.Repeat("x", 121)
	for _, c := range []struct {
		name       string
		req        abi.AmendRequest
		code, path string
	}{
		{"nothing", abi.AmendRequest{Thread: "t"}, abi.CodeInvalidRequest, ""},
		{"two things", abi.AmendRequest{Thread: "t", Pin: []string{"u1"}, Unpin: []string{"u1"}}, abi.CodeInvalidRequest, ""},
		{"no thread", abi.AmendRequest{Pin: []string{"u1"}}, abi.CodeInvalidRequest, "thread"},
		{"another thread", abi.AmendRequest{Thread: "x", Pin: []string{"u1"}}, abi.CodeNotFound, "thread"},
		{"a now that is no time", abi.AmendRequest{Thread: "t", Pin: []string{"u1"}, Now: "now"}, abi.CodeInvalidRequest, "now"},
		{"edit of nothing", abi.AmendRequest{Thread: "t", Edit: &abi.Edit{ID: "x", Content: abi.TextContent("y")}}, abi.CodeNotFound, "edit.id"},
		{"edit to nothing", abi.AmendRequest{Thread: "t", Edit: &abi.Edit{ID: "u1"}}, abi.CodeInvalidRequest, "edit.content"},
		{"edit with calls of a user", abi.AmendRequest{Thread: "t", Edit: &abi.Edit{ID: "u1", Content: abi.TextContent("y"), ToolCalls: []abi.ToolCall{{ID: "c", Name: "f"}}}}, abi.CodeInvalidRequest, "edit.tool_calls"},
		{"edit above the limit", abi.AmendRequest{Thread: "t", Edit: &abi.Edit{ID: "u1", Content: abi.TextContent(long)}}, abi.CodeTooLarge, "edit"},
		{"pin of one that is not there", abi.AmendRequest{Thread: "t", Pin: []string{"u1", "x"}}, abi.CodeNotFound, "pin[1]"},
		{"unpin of one that is not there", abi.AmendRequest{Thread: "t", Unpin: []string{"#99"}}, abi.CodeNotFound, "unpin[0]"},
		{"label without labels", abi.AmendRequest{Thread: "t", Label: &abi.LabelEdit{IDs: []string{"u1"}}}, abi.CodeInvalidRequest, "label"},
		{"label of nothing", abi.AmendRequest{Thread: "t", Label: &abi.LabelEdit{Labels: map[string]string{"a": "b"}}}, abi.CodeInvalidRequest, "label"},
		{"label of one that is not there", abi.AmendRequest{Thread: "t", Label: &abi.LabelEdit{IDs: []string{"u1", "x"}, Labels: map[string]string{"a": "b"}}}, abi.CodeNotFound, "label.ids[1]"},
		{"label above the limit", abi.AmendRequest{Thread: "t", Label: &abi.LabelEdit{IDs: []string{"u1", "u2"}, Labels: map[string]string{"a": long}}}, abi.CodeTooLarge, "label.ids[0]"},
		{"close of a call that has its result", abi.AmendRequest{Thread: "t", CloseCall: &abi.CloseCall{ID: "c1", Result: "y"}}, abi.CodeNotFound, "close_call.id"},
		{"close of a call that is not there", abi.AmendRequest{Thread: "t", CloseCall: &abi.CloseCall{ID: "c9"}}, abi.CodeNotFound, "close_call.id"},
		{"fork within a thread", abi.AmendRequest{Thread: "t", Fork: &abi.Fork{From: "t", At: "u1", To: "f"}}, abi.CodeInvalidRequest, "thread"},
		{"fork from nowhere", abi.AmendRequest{Fork: &abi.Fork{From: "x", At: "u1", To: "f"}}, abi.CodeNotFound, "fork.from"},
		{"fork at nothing", abi.AmendRequest{Fork: &abi.Fork{From: "t", At: "x", To: "f"}}, abi.CodeNotFound, "fork.at"},
		{"fork to nowhere", abi.AmendRequest{Fork: &abi.Fork{From: "t", At: "u1"}}, abi.CodeInvalidRequest, "fork.to"},
		{"fork to a thread that is there", abi.AmendRequest{Fork: &abi.Fork{From: "t", At: "u1", To: "t"}}, abi.CodeConflict, "fork.to"},
		{"fork above the limit", abi.AmendRequest{Fork: &abi.Fork{From: "t", At: "r1", To: "f"}}, abi.CodeTooLarge, "fork"},
	} {
		_, e := s.Amend(&c.req)
		if e == nil || e.Code != c.code || e.Path != c.path {
			t.Errorf("%s: %+v", c.name, e)
		}
		if dump(t, s) != before {
			t.Fatalf("%s: the state has changed", c.name)
		}
	}
}

func TestEdit(t *testing.T) {
	s := talk(t)
	out := amend(t, s, &abi.AmendRequest{Thread: "t", Edit: &abi.Edit{ID: "u1", Content: abi.TextContent("Where is order B456?")}})
	if len(out.Messages) != 1 || out.Messages[0] != (abi.Appended{ID: "u1", Seq: 2, Status: statusReplaced}) {
		t.Fatalf("%+v", out)
	}
	if m := readOne(t, s, "t", "u1"); m.Seq != 2 || m.Edited != 1 || m.Message.Time == "" || m.Message.Content.Text != "Where is order B456?" {
		t.Fatalf("%+v", m)
	}
	out = amend(t, s, &abi.AmendRequest{Thread: "t", Edit: &abi.Edit{ID: "u1", Content: abi.TextContent("Where is order B456?")}})
	if out.Messages[0].Status != statusDuplicate || readOne(t, s, "t", "u1").Edited != 1 {
		t.Fatalf("an edit that changes nothing: %+v", out)
	}
	// Other calls: the result that is there belongs to none of them, and the group is open again.
	amend(t, s, &abi.AmendRequest{Thread: "t", Edit: &abi.Edit{ID: "a1", ToolCalls: []abi.ToolCall{{ID: "c9", Name: "get_order"}}}})
	if !readOne(t, s, "t", "a1").Open || readOne(t, s, "t", "r1").Open {
		t.Fatal("the call that was put in has no result")
	}
	amend(t, s, &abi.AmendRequest{Thread: "t", Edit: &abi.Edit{ID: "a1", Content: abi.TextContent("Looking."), ToolCalls: []abi.ToolCall{{ID: "c1", Name: "get_order"}}}})
	if m := readOne(t, s, "t", "a1"); m.Open || m.Message.Content.Text != "Looking." || m.Edited != 2 {
		t.Fatalf("%+v", m)
	}
	// A text alone leaves the calls.
	amend(t, s, &abi.AmendRequest{Thread: "t", Edit: &abi.Edit{ID: "a1", Content: abi.TextContent("One moment.")}})
	if m := readOne(t, s, "t", "a1"); len(m.Message.ToolCalls) != 1 {
		t.Fatalf("%+v", m)
	}
	p, _ := planFrom(t, s, "t", "support")
	if strings.Contains(string(p.AppendWire(nil)), "A123") {
		t.Error("the plan holds what was there before the edit")
	}
}

func TestPinAndUnpin(t *testing.T) {
	s := New()
	for i := range 40 {
		mustAppend(t, s, "t", abi.Message{ID: string(rune('A' + i)), Role: abi.RoleUser, Content: abi.TextContent(strings.Repeat("stone ", 20) + string(rune('A'+i)))})
	}
	pinned := func() (ids []string) {
		history := int64(300)
		res, e := s.Plan(&abi.PlanRequest{Thread: "t", Question: "nothing", Budget: abi.BudgetRequest{History: &history}})
		if e != nil {
			t.Fatalf("%+v", e)
		}
		for _, it := range res.Plan.Items {
			if it.Kind == abi.KindPinned {
				ids = append(ids, it.ID)
			}
		}
		return ids
	}
	if got := pinned(); got != nil {
		t.Fatalf("%v", got)
	}
	out := amend(t, s, &abi.AmendRequest{Thread: "t", Pin: []string{"C", "A", "C"}})
	if got := pinned(); !slices.Equal(got, []string{"A", "C"}) || len(out.Messages) != 3 {
		t.Fatalf("%v %+v", got, out)
	}
	if m := readOne(t, s, "t", "A"); !m.Message.Pin || m.Edited != 0 {
		t.Fatalf("%+v", m)
	}
	amend(t, s, &abi.AmendRequest{Thread: "t", Unpin: []string{"A", "B"}})
	if got := pinned(); !slices.Equal(got, []string{"C"}) {
		t.Fatalf("%v", got)
	}
}

func TestLabel(t *testing.T) {
	s := New()
	for _, id := range []string{"m1", "m2", "m3", "m4"} {
		mustAppend(t, s, "t", abi.Message{ID: id, Role: abi.RoleUser, Name: id, Content: abi.TextContent("lantern " + id)})
	}
	if n := s.threads["t"].book.Messages[3].Session; n != 0 {
		t.Fatalf("session %d", n)
	}
	amend(t, s, &abi.AmendRequest{Thread: "t", Label: &abi.LabelEdit{IDs: []string{"m3", "m4", "m3"}, Labels: map[string]string{"session": "two", "order": "A"}}})
	if ms := s.threads["t"].book.Messages; ms[1].Session != 0 || ms[2].Session != 1 || ms[3].Session != 1 {
		t.Fatalf("sessions %d %d %d", ms[1].Session, ms[2].Session, ms[3].Session)
	}
	if m := readOne(t, s, "t", "m3"); m.Edited != 0 || m.Message.Labels["order"] != "A" {
		t.Fatalf("%+v", m)
	}
	history := int64(500)
	res, e := s.Plan(&abi.PlanRequest{Thread: "t", Question: "lantern", Strategy: abi.StrategyFused, Explain: true, Budget: abi.BudgetRequest{History: &history},
		Settings: abi.SettingsPatch{Raw: []byte(`{"recent":{"turns":0}}`)}, Scope: &abi.Scope{Labels: map[string]string{"order": "A"}}})
	if e != nil {
		t.Fatalf("%+v", e)
	}
	out := map[string]string{}
	for _, d := range res.Plan.Dropped {
		out[d.ID] = d.Reason
	}
	if len(out) != 2 || out["m1"] != abi.DroppedOutOfScope || out["m2"] != abi.DroppedOutOfScope {
		t.Fatalf("%v", out)
	}
	amend(t, s, &abi.AmendRequest{Thread: "t", Label: &abi.LabelEdit{IDs: []string{"m3", "m4"}, Labels: map[string]string{"session": ""}}})
	if ms := s.threads["t"].book.Messages; ms[3].Session != 0 || len(ms[3].Wire.Labels) != 1 {
		t.Fatalf("session %d, labels %v", ms[3].Session, ms[3].Wire.Labels)
	}
}

func TestCloseCall(t *testing.T) {
	s := talk(t)
	out := amend(t, s, &abi.AmendRequest{Thread: "t", CloseCall: &abi.CloseCall{ID: "c2", Result: "The call was abandoned.", Error: true}})
	if len(out.Messages) != 1 || out.Messages[0] != (abi.Appended{ID: "#8", Seq: 8, Status: statusAdded}) {
		t.Fatalf("%+v", out)
	}
	m := readOne(t, s, "t", "#8")
	if w := m.Message; w.Role != abi.RoleTool || w.Name != "track" || w.ToolCallID != "c2" || !w.Error || m.Turn != 1 || m.Open || len(w.ACL) != 0 {
		t.Fatalf("%+v", m)
	}
	if readOne(t, s, "t", "a2").Open {
		t.Error("the group of the call is still open")
	}
	// The result of a call that not everybody may see is as hidden as the call.
	amend(t, s, &abi.AmendRequest{Thread: "t", CloseCall: &abi.CloseCall{ID: "c3", Result: "behind the boiler"}})
	if m := readOne(t, s, "t", "#9"); !slices.Equal(m.Message.ACL, []string{"support"}) || !m.Open {
		t.Fatalf("%+v", m)
	}
	if p, _ := planFrom(t, s, "t"); strings.Contains(string(p.AppendWire(nil)), "boiler") {
		t.Error("everybody sees the result")
	}
	amend(t, s, &abi.AmendRequest{Thread: "t", CloseCall: &abi.CloseCall{ID: "c4"}})
	if readOne(t, s, "t", "a3").Open {
		t.Error("the live group is still open")
	}
	if _, e := s.Amend(&abi.AmendRequest{Thread: "t", CloseCall: &abi.CloseCall{ID: "c4"}}); e == nil || e.Code != abi.CodeNotFound {
		t.Errorf("closed twice: %+v", e)
	}
}

// Of two open calls with the same id the newest one is closed, and then the other.
func TestCloseCallOfAnIDUsedTwice(t *testing.T) {
	s := New()
	mustAppend(t, s, "t",
		abi.Message{Role: abi.RoleUser, Content: abi.TextContent("one")},
		abi.Message{ID: "old", Role: abi.RoleAssistant, ToolCalls: []abi.ToolCall{{ID: "c", Name: "first"}}},
		abi.Message{Role: abi.RoleUser, Content: abi.TextContent("two")},
		abi.Message{ID: "new", Role: abi.RoleAssistant, ToolCalls: []abi.ToolCall{{ID: "c", Name: "second"}}})
	for _, name := range []string{"second", "first"} {
		out := amend(t, s, &abi.AmendRequest{Thread: "t", CloseCall: &abi.CloseCall{ID: "c"}})
		if m := readOne(t, s, "t", out.Messages[0].ID); m.Message.Name != name {
			t.Errorf("closed %q, want %q", m.Message.Name, name)
		}
	}
	if readOne(t, s, "t", "old").Open || readOne(t, s, "t", "new").Open {
		t.Error("a call is still open")
	}
}

// A fork has the beginning of its thread, as it is, and from then on both live by themselves.
func TestFork(t *testing.T) {
	s := talk(t)
	mustConfigure(t, s, hashModel)
	embedAll(t, s)
	if _, e := s.Forget(&abi.ForgetRequest{Thread: "t", Messages: []string{"r1"}}); e != nil {
		t.Fatalf("%+v", e)
	}
	out := amend(t, s, &abi.AmendRequest{Fork: &abi.Fork{From: "t", At: "a2", To: "f"}})
	if out.Thread != "f" || len(out.Messages) != 1 || out.Messages[0] != (abi.Appended{ID: "a2", Seq: 5, Status: statusAdded}) {
		t.Fatalf("%+v", out)
	}
	a, _ := s.Read(&abi.ReadRequest{Thread: "t"})
	b, _ := s.Read(&abi.ReadRequest{Thread: "f"})
	a.Messages, a.Next = a.Messages[:4], 0
	if x, y := string(a.AppendWire(nil)), string(b.AppendWire(nil)); x != y {
		t.Fatalf("the fork\n%s\nis not the beginning of\n%s", y, x)
	}
	stats, _ := s.Stats(nil)
	if stats.Messages != 10 || stats.Threads != 2 || stats.OpenNeeds != 0 {
		t.Fatalf("%+v", stats)
	}
	before := said(t, s, "t")
	amend(t, s, &abi.AmendRequest{Thread: "f", Edit: &abi.Edit{ID: "u1", Content: abi.TextContent("branch")}})
	amend(t, s, &abi.AmendRequest{Thread: "f", Pin: []string{"a2"}})
	amend(t, s, &abi.AmendRequest{Thread: "f", Label: &abi.LabelEdit{IDs: []string{"s1"}, Labels: map[string]string{"k": "v"}}})
	mustAppend(t, s, "f", abi.Message{Role: abi.RoleUser, Content: abi.TextContent("only here")})
	if got := said(t, s, "t"); got != before || readOne(t, s, "t", "a2").Message.Pin || readOne(t, s, "t", "s1").Message.Labels != nil {
		t.Errorf("what was done to the fork changed the thread: %q", got)
	}
	branch := said(t, s, "f")
	if branch != "Answer in Finnish.s1 branchu1 a1 Let me look.a2 only here#6" {
		t.Errorf("%q", branch)
	}
	if _, e := s.Forget(&abi.ForgetRequest{Threads: []string{"t"}}); e != nil {
		t.Fatalf("%+v", e)
	}
	if got := said(t, s, "f"); got != branch {
		t.Errorf("what was done to the thread changed the fork: %q", got)
	}
	if _, e := s.Forget(&abi.ForgetRequest{Threads: []string{"f"}}); e != nil {
		t.Fatalf("%+v", e)
	}
	if stats, _ := s.Stats(nil); stats.Messages != 0 || stats.TextBytes != 0 || stats.Vectors != 0 || stats.VectorBytes != 0 || stats.StateBytes != 0 {
		t.Errorf("%+v", stats)
	}
}
