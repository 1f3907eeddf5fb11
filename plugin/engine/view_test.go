package engine

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/ctxplan/ctxplan/abi"
)

// acls that messages of random threads have.
var acls = [][]string{nil, nil, nil, {"a"}, {"b"}, {"a", "b"}, {"c"}, {"a\x00b"}}

// callers that ask.
var callers = [][]string{{}, {"a"}, {"b", "a"}, {"c", "x"}, {"a", "a"}, {"a\x00b"}, {"x"}}

// seen reports, the slow way, whether somebody with these names may see a message.
func seen(m abi.Message, names []string) bool {
	for _, a := range m.ACL {
		for _, n := range names {
			if a == n {
				return true
			}
		}
	}
	return len(m.ACL) == 0
}

// guarded makes threads whose messages have several acls.
func guarded(r *rand.Rand) map[string][]abi.Message {
	threads := map[string][]abi.Message{}
	for _, id := range []string{"t", "u", "v"} {
		messages := spoken(r, 1+r.Intn(9))
		for i := range messages {
			messages[i].ACL = acls[r.Intn(len(acls))]
			if id == "v" {
				messages[i].ACL = []string{"c"}
			}
			if r.Intn(3) == 0 {
				messages[i].Labels = map[string]string{"order": string(rune('A' + r.Intn(2)))}
			}
		}
		threads[id] = messages
	}
	return threads
}

func randomScope(r *rand.Rand) *abi.Scope {
	sc := &abi.Scope{}
	switch r.Intn(4) {
	case 0:
		sc.Threads = []string{"*"}
	case 1:
		sc.Threads = [][]string{{"t", "u"}, {"u"}, {"v", "t"}, {"nobody"}}[r.Intn(4)]
	}
	if r.Intn(4) == 0 {
		sc.Labels = map[string]string{"order": "A"}
	}
	if r.Intn(4) == 0 {
		sc.Since, sc.Until = "2026-01-01T12:00:00Z", "2026-03-01T00:00:00Z"
	}
	return sc
}

// planBytes plans with what the model answers, as bytes, without the revision.
func planBytes(t *testing.T, s *Space, req *abi.PlanRequest) string {
	t.Helper()
	asked := *req
	for range 4 {
		res, e := s.Plan(&asked)
		if e != nil {
			r := abi.ErrorResponse{Error: *e}
			return string(r.AppendWire(nil))
		}
		if res.Plan != nil {
			res.Plan.Revision = 0
			return string(res.AppendWire(nil))
		}
		asked.Results = slices.Clone(asked.Results)
		for _, n := range res.Needs {
			asked.Results = append(asked.Results, answer(n))
		}
	}
	t.Fatal("the plan has no end")
	return ""
}

// A plan with an acl is, byte for byte, the plan of a space to which what the caller must not see was never appended, and in
// which the threads were made in the order of their ids.
func TestWhatIsNotVisibleIsNotThere(t *testing.T) {
	rounds := 120
	if testing.Short() {
		rounds = 20
	}
	planned := 0
	for seed := range rounds {
		r := rand.New(rand.NewSource(int64(seed)))
		threads := guarded(r)
		s := New()
		model := r.Intn(2) == 0
		if model {
			mustConfigure(t, s, hashModel)
		}
		for _, id := range []string{"t", "v", "u"} {
			mustAppend(t, s, id, threads[id]...)
		}
		embedWith(t, s, model)
		for n, names := range callers {
			only := New()
			if model {
				mustConfigure(t, only, hashModel)
			}
			for _, id := range []string{"t", "u", "v"} {
				var visible []abi.Message
				for _, m := range threads[id] {
					if seen(m, names) {
						visible = append(visible, m)
					}
				}
				if len(visible) > 0 {
					mustAppend(t, only, id, visible...)
				}
			}
			embedWith(t, only, model)
			for range 3 {
				req := randomPlan(r, "t", s)
				if only.threads["t"] == nil && req.Thread == "t" {
					continue
				}
				req.Scope = randomScope(r)
				want := planBytes(t, only, req)
				req.Scope.ACL = abi.Names{List: names, Given: true}
				got := planBytes(t, s, req)
				sameDump(t, fmt.Sprintf("seed %d caller %d", seed, n), got, want)
				if again := planBytes(t, s, req); again != got {
					t.Fatalf("seed %d caller %d: two plans differ", seed, n)
				}
				planned++
			}
		}
	}
	if planned < rounds*10 {
		t.Fatalf("only %d plans were compared", planned)
	}
}

// embedWith answers all open needs when there is a model.
func embedWith(t *testing.T, s *Space, model bool) {
	t.Helper()
	if model {
		embedAll(t, s)
	}
}

// planFrom asks as somebody with these names.
func planFrom(t *testing.T, s *Space, thread string, names ...string) (*abi.Plan, *abi.Error) {
	t.Helper()
	history := int64(2000)
	res, e := s.Plan(&abi.PlanRequest{Thread: thread, Question: "lantern", Explain: true, Budget: abi.BudgetRequest{History: &history},
		Settings: abi.SettingsPatch{Raw: []byte(`{"models":{"embed":null}}`)},
		Scope:    &abi.Scope{ACL: abi.Names{List: names, Given: true}}})
	if e != nil {
		return nil, e
	}
	return res.Plan, nil
}

// The revision that a caller with an acl is told changes with what the caller sees, and with nothing else.
func TestRevisionOfAView(t *testing.T) {
	s := New()
	mustAppend(t, s, "t", abi.Message{ID: "m1", Role: abi.RoleUser, Content: abi.TextContent("the lantern")},
		abi.Message{ID: "s1", Role: abi.RoleUser, Content: abi.TextContent("a secret"), ACL: []string{"a"}})
	token := func() int64 {
		p, e := planFrom(t, s, "t", "b")
		if e != nil {
			t.Fatalf("%+v", e)
		}
		return p.Revision
	}
	last := token()
	for _, c := range []struct {
		name    string
		do      func() *abi.Error
		changes bool
	}{
		{"nothing", func() *abi.Error { return nil }, false},
		{"a hidden message", func() *abi.Error {
			mustAppend(t, s, "t", abi.Message{ID: "s2", Role: abi.RoleAssistant, Content: abi.TextContent("another secret"), ACL: []string{"a"}})
			return nil
		}, false},
		{"a hidden message edited", func() *abi.Error {
			_, e := s.Amend(&abi.AmendRequest{Thread: "t", Edit: &abi.Edit{ID: "s2", Content: abi.TextContent("a third")}})
			return e
		}, false},
		{"a hidden message pinned", func() *abi.Error {
			_, e := s.Amend(&abi.AmendRequest{Thread: "t", Pin: []string{"s2"}})
			return e
		}, false},
		{"another thread", func() *abi.Error {
			mustAppend(t, s, "u", abi.Message{Role: abi.RoleUser, Content: abi.TextContent("elsewhere")})
			return nil
		}, false},
		{"a hidden message forgotten", func() *abi.Error {
			_, e := s.Forget(&abi.ForgetRequest{Thread: "t", Messages: []string{"s1"}})
			return e
		}, false},
		{"a visible message", func() *abi.Error {
			mustAppend(t, s, "t", abi.Message{ID: "m2", Role: abi.RoleUser, Content: abi.TextContent("hello")})
			return nil
		}, true},
		{"a visible message edited", func() *abi.Error {
			_, e := s.Amend(&abi.AmendRequest{Thread: "t", Edit: &abi.Edit{ID: "m2", Content: abi.TextContent("good bye")}})
			return e
		}, true},
		{"a visible message pinned", func() *abi.Error {
			_, e := s.Amend(&abi.AmendRequest{Thread: "t", Pin: []string{"m1"}})
			return e
		}, true},
		{"a visible message labelled", func() *abi.Error {
			_, e := s.Amend(&abi.AmendRequest{Thread: "t", Label: &abi.LabelEdit{IDs: []string{"m1"}, Labels: map[string]string{"k": "v"}}})
			return e
		}, true},
		{"a visible message forgotten", func() *abi.Error {
			_, e := s.Forget(&abi.ForgetRequest{Thread: "t", Messages: []string{"m1"}})
			return e
		}, true},
	} {
		if e := c.do(); e != nil {
			t.Fatalf("%s: %+v", c.name, e)
		}
		now := token()
		if (now != last) != c.changes || now < 0 || now > abi.MaxInteger {
			t.Errorf("%s: from %d to %d", c.name, last, now)
		}
		last = now
	}
}

// Pins and vectors that come after a view was made are in the next plan.
func TestViewsAreRenewed(t *testing.T) {
	s := New()
	mustConfigure(t, s, hashModel)
	for i := range 30 {
		mustAppend(t, s, "t", abi.Message{ID: fmt.Sprint("m", i), Role: abi.RoleUser, Content: abi.TextContent(fmt.Sprint("the heron lantern number ", i))})
	}
	mustAppend(t, s, "t", abi.Message{Role: abi.RoleUser, Content: abi.TextContent("secret"), ACL: []string{"z"}})
	history := int64(200)
	req := &abi.PlanRequest{Thread: "t", Question: "heron number", Explain: true, Budget: abi.BudgetRequest{History: &history},
		Settings: abi.SettingsPatch{Raw: []byte(`{"recent":{"turns":1}}`)}, Scope: &abi.Scope{ACL: abi.Names{List: []string{"a"}, Given: true}}}
	if out := planBytes(t, s, req); strings.Contains(out, `"pinned"`) && strings.Contains(out, `"kind":"pinned"`) || strings.Contains(out, "cosine") {
		t.Fatal(out)
	}
	if _, e := s.Amend(&abi.AmendRequest{Thread: "t", Pin: []string{"m3"}}); e != nil {
		t.Fatalf("%+v", e)
	}
	if out := planBytes(t, s, req); !strings.Contains(out, `{"kind":"pinned","id":"m3"`) {
		t.Errorf("the pin is not there: %s", out)
	}
	embedAll(t, s)
	if out := planBytes(t, s, req); !strings.Contains(out, "cosine") {
		t.Errorf("the vectors are not there: %s", out)
	}
}

// A thread in which the caller sees nothing is answered like one that is not there, in every place.
func TestThreadWithNothingVisible(t *testing.T) {
	s := New()
	mustAppend(t, s, "t", abi.Message{ID: "m1", Role: abi.RoleUser, Content: abi.TextContent("the lantern")})
	mustAppend(t, s, "hidden", abi.Message{ID: "s1", Role: abi.RoleUser, Content: abi.TextContent("a secret lantern"), ACL: []string{"a"}})
	history := int64(500)
	ask := func(thread, scope string) string {
		req := &abi.PlanRequest{Thread: thread, Question: "lantern", Explain: true, Budget: abi.BudgetRequest{History: &history},
			Scope: &abi.Scope{ACL: abi.Names{Given: true}}}
		if scope != "" {
			req.Scope.Threads = []string{scope}
		}
		res, e := s.Plan(req)
		if e != nil {
			r := abi.ErrorResponse{Error: *e}
			return string(r.AppendWire(nil))
		}
		return strings.ReplaceAll(string(res.AppendWire(nil)), `"hidden"`, `"nobody"`)
	}
	for _, c := range [][2]string{{"t", "hidden"}, {"hidden", ""}, {"hidden", "hidden"}, {"hidden", "*"}} {
		other := [2]string{strings.ReplaceAll(c[0], "hidden", "nobody"), strings.ReplaceAll(c[1], "hidden", "nobody")}
		if got, want := ask(c[0], c[1]), ask(other[0], other[1]); got != want {
			t.Errorf("%v:\n%s\n%v:\n%s", c, got, other, want)
		}
	}
}

// The ids that the engine gave tell a caller with an acl no numbers, and stay what they are while hidden messages come.
func TestIDsInAView(t *testing.T) {
	s := New()
	for i := range 6 {
		m := abi.Message{Role: abi.RoleUser, Content: abi.TextContent(fmt.Sprint("lantern ", i))}
		if i%2 == 0 {
			m.ACL = []string{"a"}
		}
		mustAppend(t, s, "t", m)
	}
	ids := func() (ids []string, seqs []int64) {
		p, e := planFrom(t, s, "t", "b")
		if e != nil {
			t.Fatalf("%+v", e)
		}
		for _, it := range p.Items {
			if strings.Contains(it.ID, "#") || strings.Contains(it.Header, "#6") {
				t.Errorf("%+v", it)
			}
			ids, seqs = append(ids, it.ID), append(seqs, it.Seq)
		}
		return ids, seqs
	}
	first, seqs := ids()
	if len(first) != 3 || !slices.Equal(seqs, []int64{1, 2, 3}) {
		t.Fatalf("%v %v", first, seqs)
	}
	mustAppend(t, s, "t", abi.Message{Role: abi.RoleUser, Content: abi.TextContent("lantern"), ACL: []string{"a"}})
	if again, _ := ids(); !slices.Equal(first, again) {
		t.Errorf("%v, then %v", first, again)
	}
}

// Views are a cache with bounds.
func TestViewsAreBounded(t *testing.T) {
	s := New()
	for i := range 30 {
		mustAppend(t, s, "t", abi.Message{Role: abi.RoleUser, Content: abi.TextContent(fmt.Sprint("lantern ", i))})
	}
	for i := range 3 * mostViews {
		if _, e := planFrom(t, s, "t", fmt.Sprint("caller ", i)); e != nil {
			t.Fatalf("%+v", e)
		}
		if len(s.views) > mostViews {
			t.Fatalf("%d views", len(s.views))
		}
	}
	for range 3000 {
		mustAppend(t, s, "t", abi.Message{Role: abi.RoleUser, Content: abi.TextContent("x")})
	}
	for i := range 5 {
		if _, e := planFrom(t, s, "t", fmt.Sprint("another ", i)); e != nil {
			t.Fatalf("%+v", e)
		}
		kept := 0
		for _, v := range s.views {
			kept += len(v.t.book.Messages)
		}
		if kept > leastViewed || kept < 3000 {
			t.Fatalf("%d messages in views", kept)
		}
	}
}
