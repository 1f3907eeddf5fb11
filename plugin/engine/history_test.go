package engine

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/abi/wire"
)

type encoder interface{ AppendWire(dst []byte) []byte }

func runOp[Q any, PQ interface {
	*Q
	wire.Value
}, R encoder](in []byte, op func(PQ) (R, *abi.Error)) ([]byte, *abi.Error) {
	var q Q
	d := wire.Decoder{Strict: true}
	if err := d.Decode(in, PQ(&q)); err != nil {
		return nil, fromWire(err.(*wire.Error))
	}
	out, e := op(PQ(&q))
	if e != nil {
		return nil, e
	}
	return out.AppendWire(nil), nil
}

// run is a Runner.
func run(s *Space, op string, in []byte) ([]byte, *abi.Error) {
	switch op {
	case abi.OpConfigure:
		return runOp(in, s.Configure)
	case abi.OpAppend:
		return runOp(in, s.Append)
	case abi.OpFulfil:
		return runOp(in, s.Fulfil)
	case abi.OpAmend:
		return runOp(in, s.Amend)
	case abi.OpForget:
		return runOp(in, s.Forget)
	case abi.OpPlan:
		return runOp(in, s.Plan)
	case abi.OpNeeds:
		return runOp(in, s.Needs)
	case abi.OpRead:
		return runOp(in, s.Read)
	case abi.OpStats:
		return runOp(in, s.Stats)
	}
	panic(op)
}

// history is a space, and the records of what made it.
type history struct {
	r       *rand.Rand
	s       *Space
	records []abi.Record
	refused int
	secrets int
}

// do runs an op that changes the space and keeps its record.
func (h *history) do(op string, q encoder) {
	in := q.AppendWire(nil)
	before := h.s.revision
	out, e := run(h.s, op, in)
	if e != nil {
		h.refused++
		return
	}
	if h.s.revision > before {
		h.records = append(h.records, abi.Record{Seq: h.s.revision, Engine: abi.EngineVersion, Op: op, In: in, Out: out})
	}
}

// log writes the records from the given one on as lines.
func (h *history) log(from int, engine string) []byte {
	var b []byte
	for _, r := range h.records[from:] {
		if engine != "" {
			r.Engine = engine
		}
		b = append(r.AppendWire(b), '\n')
	}
	return b
}

const threeThreads = 3

// step does something at random.
func (h *history) step() {
	r := h.r
	name := fmt.Sprintf("t%d", r.Intn(threeThreads))
	t := h.s.threads[name]
	if t == nil || t.book.Count == 0 {
		h.do(abi.OpAppend, &abi.AppendRequest{Thread: name, Messages: h.messages(1 + r.Intn(6))})
		return
	}
	pick := func() string {
		for {
			if m := t.book.Messages[r.Intn(len(t.book.Messages))]; !m.Gone {
				return m.Wire.ID
			}
		}
	}
	switch r.Intn(14) {
	case 0, 1:
		h.do(abi.OpAppend, &abi.AppendRequest{Thread: name, Messages: h.messages(1 + r.Intn(3))})
	case 2:
		m := h.messages(1)
		m[0].ID = pick()
		h.do(abi.OpAppend, &abi.AppendRequest{Thread: name, Mode: "upsert", Messages: m})
	case 3:
		var list []abi.Message
		for _, m := range t.book.Messages {
			if w := m.Wire; !m.Gone && r.Intn(9) > 0 {
				if r.Intn(2) == 0 || w.ID[0] == '#' {
					w.ID = ""
				}
				list = append(list, w)
			}
		}
		h.do(abi.OpAppend, &abi.AppendRequest{Thread: name, Mode: "sync", Prune: r.Intn(2) == 0, Messages: append(list, h.messages(1)...)})
	case 4:
		h.do(abi.OpAmend, &abi.AmendRequest{Thread: name, Edit: &abi.Edit{ID: pick(), Content: abi.TextContent(paragraph(r))}})
	case 5:
		h.do(abi.OpAmend, &abi.AmendRequest{Thread: name, Pin: []string{pick(), pick()}})
	case 6:
		h.do(abi.OpAmend, &abi.AmendRequest{Thread: name, Label: &abi.LabelEdit{IDs: []string{pick()},
			Labels: map[string]string{[]string{"session", "order"}[r.Intn(2)]: sentence(r, 1)}}})
	case 7:
		h.do(abi.OpAmend, &abi.AmendRequest{Thread: name, CloseCall: &abi.CloseCall{ID: fmt.Sprintf("c%d", r.Intn(5)*10), Result: "abandoned"}})
	case 8:
		to := fmt.Sprintf("t%d", r.Intn(threeThreads*2))
		h.do(abi.OpAmend, &abi.AmendRequest{Fork: &abi.Fork{From: name, At: pick(), To: to}})
	case 9:
		h.do(abi.OpForget, &abi.ForgetRequest{Thread: name, Messages: []string{pick(), pick()}, DryRun: r.Intn(4) == 0})
	case 10:
		if r.Intn(3) == 0 {
			h.do(abi.OpForget, &abi.ForgetRequest{Threads: []string{name}})
		} else {
			h.do(abi.OpForget, &abi.ForgetRequest{Thread: name, Since: "2026-01-01T02:00:00Z", Until: "2026-01-01T08:00:00Z"})
		}
	case 11:
		patch := []string{`{"retrieval":{"session_gap":"1h"}}`, `{"retrieval":{"session_gap":null},"recent":{"share":0.25}}`,
			`{"models":{"embed":{"model":"hash","dimension":16,"max_tokens":20}}}`,
			`{"models":{"embed":{"model":"hash","dimension":16,"max_tokens":40,"query_prefix":"q: "}},"limits":{"messages":5000}}`}[r.Intn(4)]
		h.do(abi.OpConfigure, &abi.ConfigureRequest{Settings: abi.SettingsPatch{Raw: []byte(patch)}})
	default:
		h.work()
	}
}

// messages are random ones, some with what is hard to keep: line breaks in raw JSON, acls, labels, opaque parts.
func (h *history) messages(turns int) []abi.Message {
	ms := randomThread(h.r, turns)
	for i := range ms {
		m := &ms[i]
		if m.ID != "" {
			m.ID += fmt.Sprintf("-%d", h.r.Intn(1000))
		}
		switch h.r.Intn(8) {
		case 0:
			m.Meta = wire.Raw("{\"a\":\n [1, 2.50]\r\n}")
		case 1:
			m.ACL = []string{"support"}
		case 2:
			m.Labels = map[string]string{"order": "A123"}
		case 3:
			m.Partial = true
		case 4:
			if m.Role == abi.RoleAssistant && len(m.ToolCalls) == 0 {
				m.Content = abi.Content{Parts: []abi.Part{{Type: "opaque", Provider: "p", Data: "sig\u2028\x7f", Tokens: 9},
					{Type: "json", JSON: wire.Raw("[1,\n2]")}}}
			}
		}
	}
	return ms
}

// work answers some needs: with vectors, a failure or a refusal.
func (h *history) work() {
	out, e := h.s.Needs(&abi.NeedsRequest{Max: int64(1 + h.r.Intn(20))})
	if e != nil || len(out.Needs) == 0 {
		return
	}
	req := &abi.FulfilRequest{}
	for _, n := range out.Needs {
		res := answer(n)
		switch h.r.Intn(8) {
		case 0:
			continue
		case 1:
			res = abi.Result{Need: n.ID, Status: abi.StatusRefused}
		case 2:
			res = abi.Result{Need: n.ID, Status: abi.StatusError, Message: "busy", Usage: &abi.Usage{Input: 3}}
		case 3:
			res.Vectors.F32 = res.Vectors.F32[4:]
		}
		req.Results = append(req.Results, res)
	}
	if len(req.Results) > 0 {
		h.do(abi.OpFulfil, req)
	}
}

func randomHistory(seed int64, steps int) *history {
	h := &history{r: rand.New(rand.NewSource(seed)), s: New()}
	for range steps {
		h.step()
	}
	return h
}

// stream puts the pages of an export or snapshot together.
func stream(t testing.TB, s *Space, kind string, limit int64) []byte {
	t.Helper()
	var all []byte
	for from := int64(0); ; {
		page, data, e := s.page(kind, from, limit, s.revision)
		if e != nil {
			t.Fatalf("%s from %d: %+v", kind, from, e)
		}
		if int64(len(data)) != *page.Bytes || page.From != from || page.Next != 0 && page.Next != from+*page.Bytes {
			t.Fatalf("%s: page %+v of %d bytes", kind, page, len(data))
		}
		all = append(all, data...)
		if page.Next == 0 {
			return all
		}
		from = page.Next
	}
}

// restore makes a space of a stream, in pages of the given size.
func restore(data []byte, size int) (*Space, *abi.Error) {
	s := New()
	for from := 0; ; {
		end := min(from+size, len(data))
		page := &abi.Page{From: int64(from), Next: int64(end)}
		if end == len(data) {
			page.Next = 0
		}
		out, e := s.Restore(page, data[from:end], run)
		if e != nil {
			return s, e
		}
		if out.Done {
			return s, nil
		}
		from = end
	}
}

// same compares all that can be asked of two spaces.
func same(t *testing.T, name string, a, b *Space) {
	t.Helper()
	ask := func(op string, q encoder) {
		in := q.AppendWire(nil)
		x, e1 := run(a, op, in)
		y, e2 := run(b, op, in)
		if e1 != nil || e2 != nil {
			x, y = (&abi.ErrorResponse{Error: *orNone(e1)}).AppendWire(nil), (&abi.ErrorResponse{Error: *orNone(e2)}).AppendWire(nil)
		}
		if string(x) != string(y) {
			t.Fatalf("%s: %s %s\n first: %s\nsecond: %s", name, op, in, firstDifference(x, y), firstDifference(y, x))
		}
	}
	ask(abi.OpStats, &abi.StatsRequest{})
	ask(abi.OpRead, &abi.ReadRequest{})
	ask(abi.OpNeeds, &abi.NeedsRequest{Max: 1000})
	for id := range a.threads {
		ask(abi.OpRead, &abi.ReadRequest{Thread: id, Limit: 1000})
		r := rand.New(rand.NewSource(int64(len(id))))
		for range 3 {
			q := randomPlan(r, id, a)
			q.Explain = true
			ask(abi.OpPlan, q)
			q.Scope = &abi.Scope{Threads: []string{"*"}}
			q.Scope.ACL.Given, q.Scope.ACL.List = r.Intn(2) == 0, []string{"support"}
			ask(abi.OpPlan, q)
		}
	}
	for _, kind := range []string{abi.PageExport, abi.PageSnapshot} {
		if x, y := stream(t, a, kind, 1<<20), stream(t, b, kind, 1<<20); string(x) != string(y) {
			t.Fatalf("%s: %s\n first: %s\nsecond: %s", name, kind, firstDifference(x, y), firstDifference(y, x))
		}
	}
}

func orNone(e *abi.Error) *abi.Error {
	if e == nil {
		return &abi.Error{Code: "none"}
	}
	return e
}

func firstDifference(a, b []byte) string {
	at := 0
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	return fmt.Sprintf("%d: %s", at, strings.ToValidUTF8(string(a[max(0, at-80):min(len(a), at+120)]), "?"))
}
