package engine

import (
	"fmt"
	"math/rand"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ctxplan/ctxplan/abi"
)

// dump is all that can be read of a space, as text.
func dump(t *testing.T, s *Space) string {
	t.Helper()
	var b strings.Builder
	add := func(bytes []byte, e *abi.Error) {
		if e != nil {
			b.WriteString(e.Code + e.Path)
		}
		b.Write(bytes)
		b.WriteByte('\n')
	}
	stats, e := s.Stats(nil)
	add(stats.AppendWire(nil), e)
	set, e := s.with(&abi.SettingsPatch{}, "")
	add(set.AppendWire(nil), e)
	list, e := s.Read(&abi.ReadRequest{Limit: 1000})
	add(list.AppendWire(nil), e)
	history := int64(3000)
	for _, th := range list.Threads {
		read, e := s.Read(&abi.ReadRequest{Thread: th.Thread, Limit: 1000})
		add(read.AppendWire(nil), e)
		for _, q := range []string{"", "heron lantern 4417 会议", "where is the invoice of Brannock"} {
			for _, patch := range []string{`{"models":{"embed":null}}`, `{"models":{"embed":null},"recent":{"turns":0}}`} {
				p, e := s.Plan(&abi.PlanRequest{Thread: th.Thread, Question: q, Explain: true, Budget: abi.BudgetRequest{History: &history},
					Scope: &abi.Scope{Threads: []string{"*"}}, Settings: abi.SettingsPatch{Raw: []byte(patch)}})
				if e != nil {
					add(nil, e)
					continue
				}
				add(p.AppendWire(nil), e)
			}
		}
	}
	n, e := s.Needs(&abi.NeedsRequest{Max: 1024})
	add(n.AppendWire(nil), e)
	d, e := s.Describe(nil)
	add(d.AppendWire(nil), e)
	return b.String()
}

// sameDump compares two dumps but for what tells that something was changed.
func sameDump(t *testing.T, name, got, want string) {
	t.Helper()
	got, want = unchanged.ReplaceAllString(got, ""), unchanged.ReplaceAllString(want, "")
	if got == want {
		return
	}
	i := 0
	for i < len(got) && i < len(want) && got[i] == want[i] {
		i++
	}
	from := max(0, i-300)
	t.Fatalf("%s: differs at\n%.500s\nfrom\n%.500s", name, got[from:], want[from:])
}

var unchanged = regexp.MustCompile(`,"edited":[0-9]+|"(revision|state_bytes)":[0-9]+,?`)

// spoken makes a thread in which each message has an id of its own.
func spoken(r *rand.Rand, turns int) []abi.Message {
	messages := randomThread(r, turns)
	for i := range messages {
		messages[i].ID = fmt.Sprintf("m%d", i+1)
	}
	return messages
}

// embedAll answers all open needs.
func embedAll(t *testing.T, s *Space) {
	t.Helper()
	for {
		open := needs(t, s)
		if len(open) == 0 {
			return
		}
		for _, n := range open {
			fulfil(t, s, answer(n))
		}
	}
}

const hashModel = `{"models":{"embed":{"model":"hash","dimension":16,"max_tokens":60}}}`

// marked puts a word that is nowhere else into every place of a message.
func marked(m abi.Message, word string) abi.Message {
	if len(m.Content.Parts) == 0 {
		m.Content.Text += " " + word
	} else {
		m.Content.Parts = append([]abi.Part{{Type: "text", Text: word}, {Type: "opaque", Provider: word, Data: word}}, m.Content.Parts...)
	}
	for i := range m.ToolCalls {
		m.ToolCalls[i].Arguments += word
	}
	m.Name, m.Labels, m.Meta, m.ACL = word, map[string]string{word: word}, []byte(`"`+word+`"`), []string{word}
	return m
}

// What was forgotten is as if it had never been said, numbers apart, and no byte of it is anywhere.
func TestForgetLeavesNothing(t *testing.T) {
	rounds := 120
	if testing.Short() {
		rounds = 20
	}
	for seed := range rounds {
		r := rand.New(rand.NewSource(int64(seed)))
		name := fmt.Sprintf("seed %d", seed)
		messages := spoken(r, 1+r.Intn(12))
		s, never := New(), New()
		if r.Intn(2) == 0 {
			mustConfigure(t, s, hashModel)
			mustConfigure(t, never, hashModel)
		}
		const word = "zqxv4417"
		var ids []string
		var all, rest []abi.Message
		for i, m := range messages {
			if r.Intn(4) == 0 {
				m = marked(m, word)
				ids = append(ids, m.ID)
				messages[i] = m
			} else {
				rest = append(rest, m)
			}
			all = append(all, m)
		}
		if len(rest) == 0 {
			continue
		}
		mustAppend(t, s, "t", all...)
		mustAppend(t, never, "t", rest...)
		embedAll(t, s)
		embedAll(t, never)
		before := dump(t, s)
		dry, e := s.Forget(&abi.ForgetRequest{Thread: "t", Messages: ids, DryRun: true})
		if len(ids) == 0 {
			if e == nil {
				t.Fatalf("%s: nothing to forget is no error", name)
			}
			continue
		}
		if e != nil || dump(t, s) != before {
			t.Fatalf("%s: a dry run: %+v", name, e)
		}
		receipt, e := s.Forget(&abi.ForgetRequest{Thread: "t", Messages: ids})
		if e != nil || int(receipt.Messages) != len(ids) || len(receipt.Removed) != len(ids) {
			t.Fatalf("%s: %+v %+v", name, receipt, e)
		}
		dry.DryRun, dry.Revision = false, receipt.Revision
		if a, b := string(dry.AppendWire(nil)), string(receipt.AppendWire(nil)); a != b {
			t.Fatalf("%s: the dry run said\n%s\nand it was\n%s", name, a, b)
		}
		after := dump(t, s)
		if strings.Contains(after, word) {
			t.Fatalf("%s: %s is still there", name, word)
		}
		again, e := s.Forget(&abi.ForgetRequest{Thread: "t", Messages: ids})
		if e != nil || again.Messages != 0 || again.Vectors != 0 || again.Outside.Log {
			t.Fatalf("%s: again %+v %+v", name, again, e)
		}
		sameDump(t, name+" again", dump(t, s), after)
		compareNumbered(t, name, s, never)
	}
}

// compareNumbered compares a space in which something was forgotten with one in which it never was: all but the numbers.
func compareNumbered(t *testing.T, name string, s, never *Space) {
	t.Helper()
	a, _ := s.Stats(nil)
	b, _ := never.Stats(nil)
	a.Revision, a.StateBytes, a.Calls, a.Usage = b.Revision, b.StateBytes, b.Calls, b.Usage
	sameDump(t, name+" stats", string(a.AppendWire(nil)), string(b.AppendWire(nil)))
	ra, _ := s.Read(&abi.ReadRequest{Thread: "t", Limit: 1000})
	rb, _ := never.Read(&abi.ReadRequest{Thread: "t", Limit: 1000})
	for i := range ra.Messages {
		ra.Messages[i].Seq = int64(i + 1)
	}
	sameDump(t, name+" read", string(ra.AppendWire(nil)), string(rb.AppendWire(nil)))
	history := int64(1 << 20)
	for _, q := range []string{"heron lantern 会议 invoice", "what did Brannock say about the order A123", "zqxv4417"} {
		req := &abi.PlanRequest{Thread: "t", Question: q, Explain: true, Budget: abi.BudgetRequest{History: &history}, Strategy: abi.StrategyFused,
			Settings: abi.SettingsPatch{Raw: []byte(`{"models":{"embed":null},"recent":{"turns":2}}`)}}
		pa, e := s.Plan(req)
		if e != nil {
			t.Fatalf("%s: %+v", name, e)
		}
		pb, _ := never.Plan(req)
		sameDump(t, name+" candidates for "+q, numberless(pa.Plan), numberless(pb.Plan))
	}
}

// numberless is a plan without the numbers of messages, and without what the numbers in headers cost.
func numberless(p *abi.Plan) string {
	q := *p
	q.Items, q.Candidates, q.Dropped = slices.Clone(p.Items), slices.Clone(p.Candidates), slices.Clone(p.Dropped)
	for i := range q.Items {
		q.Items[i].Seq = 0
		if q.Items[i].Header != "" {
			q.Items[i].Header, q.Items[i].Tokens = "", 0
		}
	}
	for i := range q.Candidates {
		q.Candidates[i].Seq = 0
	}
	for i := range q.Dropped {
		q.Dropped[i].Seq = 0
	}
	q.Coverage, q.Budget.Used, q.Budget.Total, q.Budget.Free, q.Prefix, q.Cache = abi.Coverage{}, abi.Used{}, 0, 0, nil, abi.Cache{}
	return string(q.AppendWire(nil))
}

// An edited message is as if it had been said like that.
func TestEditIsAsSaidSo(t *testing.T) {
	rounds := 120
	if testing.Short() {
		rounds = 20
	}
	for seed := range rounds {
		r := rand.New(rand.NewSource(int64(seed)))
		name := fmt.Sprintf("seed %d", seed)
		messages := spoken(r, 1+r.Intn(12))
		s, so := New(), New()
		if r.Intn(2) == 0 {
			mustConfigure(t, s, hashModel)
			mustConfigure(t, so, hashModel)
		}
		mustAppend(t, s, "t", messages...)
		embedAll(t, s)
		var upserts []abi.Message
		for i := range messages {
			if r.Intn(4) > 0 {
				continue
			}
			m := &messages[i]
			m.Content = abi.TextContent(paragraph(r))
			if r.Intn(2) == 0 {
				upserts = append(upserts, *m)
				continue
			}
			if _, e := s.Amend(&abi.AmendRequest{Thread: "t", Edit: &abi.Edit{ID: m.ID, Content: m.Content}}); e != nil {
				t.Fatalf("%s: %+v", name, e)
			}
		}
		if len(upserts) > 0 {
			if _, e := s.Append(&abi.AppendRequest{Thread: "t", Mode: modeUpsert, Messages: upserts}); e != nil {
				t.Fatalf("%s: %+v", name, e)
			}
		}
		mustAppend(t, so, "t", messages...)
		embedAll(t, s)
		embedAll(t, so)
		s.calls, s.usage = so.calls, so.usage
		sameDump(t, name, dump(t, s), dump(t, so))
	}
}

// The threads and the times that a request names are forgotten, and nothing else.
func TestForgetThreadsAndTimes(t *testing.T) {
	build := func() *Space {
		s := New()
		for _, th := range []string{"t", "u", "v"} {
			mustAppend(t, s, th,
				abi.Message{ID: "m1", Role: abi.RoleUser, Time: "2026-03-01T10:00:00+08:00", Content: abi.TextContent("one of " + th)},
				abi.Message{ID: "m2", Role: abi.RoleUser, Time: "2026-03-02T10:00:00+08:00", Content: abi.TextContent("two of " + th)},
				abi.Message{ID: "m3", Role: abi.RoleUser, Content: abi.TextContent("three of " + th)},
				abi.Message{ID: "m4", Role: abi.RoleUser, Time: "2026-03-03T02:00:00Z", Content: abi.TextContent("four of " + th)})
		}
		return s
	}
	for _, c := range []struct {
		name    string
		req     abi.ForgetRequest
		removed string
		threads string
		t       string
	}{
		{"from a time on", abi.ForgetRequest{Thread: "t", Since: "2026-03-02T02:00:00Z"}, "t/m2 t/m4", "", "one of tm1 three of tm3"},
		{"before a time", abi.ForgetRequest{Thread: "t", Until: "2026-03-02T02:00:00Z"}, "t/m1", "", "two of tm2 three of tm3 four of tm4"},
		{"between times", abi.ForgetRequest{Thread: "t", Since: "2026-03-02T00:00:00Z", Until: "2026-03-03T10:00:00+08:00"}, "t/m2", "", "one of tm1 three of tm3 four of tm4"},
		{"a time and a message", abi.ForgetRequest{Thread: "t", Messages: []string{"m3", "m2", "m3"}, Since: "2026-03-03T00:00:00Z"}, "t/m2 t/m3 t/m4", "", "one of tm1"},
		{"nothing like it", abi.ForgetRequest{Thread: "t", Messages: []string{"m9", "#1", ""}}, "", "", "one of tm1 two of tm2 three of tm3 four of tm4"},
		{"a thread that is not there", abi.ForgetRequest{Thread: "w", Messages: []string{"m1"}, Threads: []string{"x"}}, "", "", "one of tm1 two of tm2 three of tm3 four of tm4"},
		{"a whole thread", abi.ForgetRequest{Threads: []string{"u", "u"}}, "u/m1 u/m2 u/m3 u/m4", "u", "one of tm1 two of tm2 three of tm3 four of tm4"},
		{"a thread and a message of another", abi.ForgetRequest{Threads: []string{"v"}, Thread: "t", Messages: []string{"m1"}}, "t/m1 v/m1 v/m2 v/m3 v/m4", "v", "two of tm2 three of tm3 four of tm4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := build()
			out, e := s.Forget(&c.req)
			if e != nil {
				t.Fatalf("%+v", e)
			}
			var removed []string
			for _, m := range out.Removed {
				removed = append(removed, m.Thread+"/"+m.ID)
			}
			if got := strings.Join(removed, " "); got != c.removed || int(out.Messages) != len(removed) {
				t.Errorf("removed %q (%d), want %q", got, out.Messages, c.removed)
			}
			if got := strings.Join(out.Threads, " "); got != c.threads {
				t.Errorf("threads %q, want %q", got, c.threads)
			}
			if got := said(t, s, "t"); got != c.t {
				t.Errorf("left is %q, want %q", got, c.t)
			}
			if any := c.removed != ""; out.Outside.Log != any || out.Outside.Snapshots != any || out.Outside.Plans != any {
				t.Errorf("outside %+v", out.Outside)
			}
			stats, _ := s.Stats(nil)
			if int(stats.Messages) != 12-len(removed) {
				t.Errorf("%d messages are left", stats.Messages)
			}
		})
	}
}

// A thread that was forgotten may be made anew, numbered from one, and the needs of the old one are strangers to it.
func TestForgottenThreadBeginsAnew(t *testing.T) {
	s := New()
	mustConfigure(t, s, hashModel)
	mustAppend(t, s, "t", abi.Message{Role: abi.RoleUser, Content: abi.TextContent("the door code is 4417")})
	mustAppend(t, s, "u", abi.Message{Role: abi.RoleUser, Content: abi.TextContent("lunch")})
	old := needs(t, s)
	if _, e := s.Forget(&abi.ForgetRequest{Threads: []string{"t"}}); e != nil {
		t.Fatalf("%+v", e)
	}
	if _, e := s.Read(&abi.ReadRequest{Thread: "t"}); e == nil || e.Code != abi.CodeNotFound {
		t.Fatalf("%+v", e)
	}
	out := mustAppend(t, s, "t", abi.Message{Role: abi.RoleUser, Content: abi.TextContent("the door code is 4417")})
	if out.Messages[0].Seq != 1 {
		t.Fatalf("%+v", out)
	}
	got := fulfil(t, s, answer(old[0]), answer(old[1]))
	if got[0].Status != resultRefused || got[0].Reason != abi.RefusedUnknownNeed || got[1].Status != resultAccepted {
		t.Fatalf("%+v", got)
	}
	if list, _ := s.Read(&abi.ReadRequest{}); len(list.Threads) != 2 || list.Threads[0].Thread != "u" {
		t.Fatalf("%+v", list)
	}
}

func TestForgetRefuses(t *testing.T) {
	s := New()
	mustAppend(t, s, "t", letters("a1 b2")...)
	before := dump(t, s)
	for name, c := range map[string]struct {
		req  abi.ForgetRequest
		path string
	}{
		"nothing":                         {abi.ForgetRequest{}, ""},
		"a thread alone":                  {abi.ForgetRequest{Thread: "t"}, ""},
		"messages of no thread":           {abi.ForgetRequest{Messages: []string{"1"}}, "thread"},
		"a time of no thread":             {abi.ForgetRequest{Since: "2026-01-01T00:00:00Z"}, "thread"},
		"a time without an offset":        {abi.ForgetRequest{Thread: "t", Until: "2026-01-01T00:00:00"}, "until"},
		"a since that is no time":         {abi.ForgetRequest{Thread: "t", Messages: []string{"1"}, Since: "yesterday"}, "since"},
		"a thread beside whole threads":   {abi.ForgetRequest{Thread: "t", Threads: []string{"t"}}, "thread"},
		"a bad time of a thread not here": {abi.ForgetRequest{Thread: "w", Since: "x"}, "since"},
		"a now that is no time":           {abi.ForgetRequest{Threads: []string{"t"}, Now: "now"}, "now"},
	} {
		if _, e := s.Forget(&c.req); e == nil || e.Code != abi.CodeInvalidRequest || e.Path != c.path {
			t.Errorf("%s: %+v", name, e)
		}
		if dump(t, s) != before {
			t.Fatalf("%s: the state has changed", name)
		}
	}
}

// The receipt of many threads with long names would not fit into a frame; nothing is forgotten then.
func TestReceiptFitsAFrame(t *testing.T) {
	s := New()
	var ids []string
	for i := range 2_800 {
		id := strings.Repeat("\x01", 500) + fmt.Sprint(i)
		ids = append(ids, id)
		mustAppend(t, s, id, abi.Message{ID: strings.Repeat("\x02", 500), Role: abi.RoleUser, Content: abi.TextContent("x")})
	}
	_, e := s.Forget(&abi.ForgetRequest{Threads: ids})
	if e == nil || e.Code != abi.CodeTooLarge || len(s.threads) != len(ids) {
		t.Fatalf("%+v", e)
	}
	ids = ids[:2_780]
	out, e := s.Forget(&abi.ForgetRequest{Threads: ids})
	if e != nil || len(out.Threads) != len(ids) || len(out.Removed) != listed || int(out.Messages) != len(ids) {
		t.Fatalf("%+v", e)
	}
	if n := len(out.AppendWire(nil)); n > abi.FrameLimit {
		t.Fatalf("the receipt has %d bytes", n)
	}
}
