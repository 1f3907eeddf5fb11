package engine

import (
	"slices"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/message"
	"github.com/ctxplan/ctxplan/plugin/plan"
	"github.com/ctxplan/ctxplan/plugin/rank"
)

// drop is a message that is not in the plan, and why.
type drop struct {
	t      *thread
	at     int32
	reason string
	of     string
	price  int64
}

func (p *planner) drop(t *thread, at int32, reason, of string, price int64) {
	p.dropped = append(p.dropped, drop{t, at, reason, of, price})
}

func (p *planner) dropRanked(i int32, reason, of string, price int64) {
	f := &p.ranking.fused[i]
	p.ranking.reasons[i] = reason
	if p.req.Explain || int64(i) < p.set.Retrieval.Candidates {
		p.drop(f.thread, f.at, reason, of, price)
	}
}

// warnID adds a message to the warning with this code.
func (p *planner) warnID(code, id string) {
	for i := range p.warned {
		if p.warned[i].Code == code {
			p.warned[i].IDs = append(p.warned[i].IDs, id)
			return
		}
	}
	p.warned = append(p.warned, abi.Warning{Code: code, IDs: []string{id}})
}

// finish builds the plan from what was placed.
func (p *planner) finish() *abi.Plan {
	out := &abi.Plan{Thread: p.req.Thread, Revision: p.revision(), Strategy: p.strategy, Items: p.items()}
	out.Budget = p.account.Ledger(p.used)
	out.Budget.Profile = p.set.Tokens.Profile
	out.Budget.FullHistory = p.t.full[p.profile]
	out.Coverage = plan.Cover(p.fates[:p.stored], fateGone)
	out.DroppedCounts = p.settle(&out.Coverage)
	out.Dropped = p.droppedList()
	p.mark(out)
	if p.req.Explain {
		out.Candidates = p.candidates()
	}
	out.Warnings = p.warned
	if p.noEvidence && (p.noWords || len(out.DroppedCounts) > 0) {
		// Where everything is in the plan there was nothing to find, unless the question has no words at all.
		out.Warnings = append([]abi.Warning{{Code: abi.WarnNoEvidence}}, out.Warnings...)
	}
	return out
}

// items lists everything in the order in which it is sent.
func (p *planner) items() []abi.Item {
	items := []abi.Item{}
	if s := &p.req.System; s.Text != "" && !s.Counted {
		items = append(items, abi.Item{Kind: abi.KindSystem, Role: abi.RoleSystem, Text: s.Text, Tokens: p.account.System,
			Trust: trustAuthority, Verbatim: true})
	}
	for i, f := range p.fates {
		if f == fateInstruction {
			items = append(items, p.messageItem(abi.KindInstruction, int32(i)))
		}
	}
	items = p.quoteItems(items, abi.KindPinned, &p.pinned)
	items = p.groupItems(items, abi.KindRecent, p.recentGroups)
	items = p.quoteItems(items, abi.KindRetrieved, &p.quotes)
	if ev := &p.req.Evidence; !ev.Counted {
		for i := range ev.List {
			items = append(items, abi.Item{Kind: abi.KindEvidence, Text: ev.List[i].Text, Tokens: p.evidencePrice(&ev.List[i]),
				Trust: trustAuthority, Verbatim: true})
		}
	}
	items = p.groupItems(items, abi.KindLive, p.liveGroups)
	for _, m := range p.input {
		if !p.sentWithCall(m) {
			items = append(items, p.inputItem(m))
		}
	}
	return items
}

// sentWithCall reports whether a message of the input answers a stored call, and so stands behind that.
func (p *planner) sentWithCall(m *message.Message) bool {
	return m.Wire.Role == abi.RoleTool && m.Call >= 0 && int(m.Call) < p.stored && m.Seq > int64(p.stored) && p.fates[m.Call] != fateInput
}

func (p *planner) inputItem(m *message.Message) abi.Item {
	it := wireItem(&m.Wire)
	it.Kind, it.Tokens, it.Verbatim, it.Trust = abi.KindInput, p.profile.Message(&m.Wire), true, trust(m)
	if m.Seq <= int64(p.stored) {
		it.Thread, it.Seq = p.t.id, m.Seq
	}
	return it
}

// groupItems lists the messages of groups, in the order of the thread.
func (p *planner) groupItems(items []abi.Item, kind string, groups []int32) []abi.Item {
	slices.Sort(groups)
	for n, g := range groups {
		if n%64 == 63 {
			p.s.tick()
		}
		for _, at := range p.t.book.Groups[g].Messages {
			if kindOf(p.fates[at]) == kind {
				items = append(items, p.messageItem(kind, at))
			} else if int(at) >= p.stored && p.sentWithCall(p.msg(at)) {
				items = append(items, p.inputItem(p.msg(at)))
			}
		}
	}
	return items
}

// messageItem is a message that is sent as a message.
func (p *planner) messageItem(kind string, at int32) abi.Item {
	m := p.msg(at)
	w := &m.Wire
	textual := p.mode(at) == modeText && kind != abi.KindInstruction
	if textual {
		w = textOnly(m)
	}
	it := wireItem(w)
	it.Kind, it.Thread, it.Seq, it.Trust = kind, p.t.id, m.Seq, trust(m)
	it.Verbatim, it.Tokens = !textual, p.price(at)
	it.Open = !textual && p.t.book.Groups[m.Group].Open > 0
	if e, ok := p.excerpts[at]; ok {
		it.Text, it.Parts = e.text, fixedParts(w.Content.Parts)
		it.Verbatim, it.Excerpt = false, &abi.Excerpt{Of: int64(len(m.Text)), Spans: e.spans}
	}
	p.warnHidden(m)
	return it
}

// fixedParts are the parts of a content that an excerpt of its texts does not replace.
func fixedParts(parts []abi.Part) []abi.Part {
	var fixed []abi.Part
	for i := range parts {
		if t := parts[i].Type; t == "image" || t == "thinking" || t == "opaque" && parts[i].Text == "" || t == "file" && parts[i].Text == "" {
			fixed = append(fixed, parts[i])
		}
	}
	return fixed
}

func wireItem(w *abi.Message) abi.Item {
	return abi.Item{ID: w.ID, Role: w.Role, Name: w.Name, Time: w.Time, Text: w.Content.Text, Parts: w.Content.Parts,
		ToolCalls: w.ToolCalls, ToolCallID: w.ToolCallID, Error: w.Error}
}

// quoteItems lists the entries of a block.
func (p *planner) quoteItems(items []abi.Item, kind string, q *quotes) []abi.Item {
	for i := range q.entries {
		e := &q.entries[i]
		it := abi.Item{Kind: kind, ID: e.m.Wire.ID, Thread: e.t.id, Seq: e.m.Seq, Role: e.m.Wire.Role, Name: e.m.Wire.Name,
			Time: e.m.Wire.Time, Header: q.header(i), Text: e.text, Tokens: q.price(e, q.before(i)), Trust: trust(e.m),
			Verbatim: !e.cut && e.verbatim}
		if e.cut {
			it.Excerpt = &abi.Excerpt{Of: int64(e.of), Spans: e.spans}
		}
		switch {
		case e.rank >= 0:
			why := p.why(e.rank)
			it.Why = &why
		case e.rank == keptRank:
			it.Why = &abi.Why{Lists: map[string]int64{}}
		}
		p.warnHidden(e.m)
		items = append(items, it)
	}
	return items
}

const (
	trustAuthority = "authority"
	trustTool      = "tool"
	trustUser      = "user"
	trustAssistant = "assistant"
)

func trust(m *message.Message) string {
	switch m.Wire.Role {
	case abi.RoleUser:
		return trustUser
	case abi.RoleAssistant:
		return trustAssistant
	case abi.RoleTool:
		return trustTool
	}
	return trustAuthority
}

func (p *planner) warnHidden(m *message.Message) {
	if m.Hidden {
		p.warnID(abi.WarnHiddenChars, m.Wire.ID)
	}
}

// droppedList lists what was dropped, in the order of threads and messages.
func (p *planner) droppedList() []abi.Dropped {
	out := make([]abi.Dropped, 0, len(p.dropped))
	slices.SortStableFunc(p.dropped, func(a, b drop) int {
		if a.t != b.t {
			return compareThreads(a.t, b.t)
		}
		return int(a.at - b.at)
	})
	for i, d := range p.dropped {
		if d.t == p.t && p.fates[d.at] != fateNone {
			continue // a pinned message that had no room word for word and was found by its words
		}
		if i > 0 && p.dropped[i-1].t == d.t && p.dropped[i-1].at == d.at {
			continue // a pinned message that was also a candidate
		}
		m := d.t.book.Messages[d.at]
		x := abi.Dropped{ID: m.Wire.ID, Thread: d.t.id, Seq: m.Seq, Reason: p.reasonFor(d.t, d.at, d.reason), Tokens: d.price}
		if x.Reason == abi.DroppedDuplicateOf {
			x.Of = d.of
		}
		out = append(out, x)
	}
	return out
}

// reasonFor is the one reason of a message, where several steps had one.
func (p *planner) reasonFor(t *thread, at int32, name string) string {
	if t == p.t && p.reasons[at] != 0 {
		return abi.Reasons[p.reasons[at]-1]
	}
	return name
}

// candidates is the whole fused ranking.
func (p *planner) candidates() []abi.Candidate {
	r := &p.ranking
	out := make([]abi.Candidate, len(r.fused))
	for i := range r.fused {
		f := &r.fused[i]
		m := f.msg()
		if i%64 == 63 {
			p.s.tick()
		}
		reason := r.reasons[i]
		if reason != "" {
			reason = p.reasonFor(f.thread, f.at, reason)
		}
		out[i] = abi.Candidate{ID: m.Wire.ID, Thread: f.thread.id, Seq: m.Seq, Kind: r.kinds[i], Reason: reason,
			Tokens: f.thread.costs[f.at].quote[p.profile], Why: p.why(int32(i))}
	}
	return out
}

// why shows how entry i of the fused ranking was found.
func (p *planner) why(i int32) abi.Why {
	r := &p.ranking
	f := &r.fused[i]
	w := abi.Why{Lists: map[string]int64{}, Fused: int64(i) + 1, Score: f.score / (rank.Unit / 1_000_000), Parts: map[string]int64{}}
	if f.lexical > 0 {
		w.Lists[listLexical] = int64(f.lexical)
		h := &r.found.Hits[f.lexical-1]
		for _, part := range [...]struct {
			name  string
			value float64
		}{{"run", h.Run}, {"context", h.Context}, {"sentence", h.Sentence}, {"session", h.Session}, {"boost", h.Boost}} {
			w.Parts[part.name] = millionths(part.value)
		}
	}
	if f.dense > 0 {
		w.Lists[listDense] = int64(f.dense)
		w.Parts["cosine"] = r.dense[f.dense-1].cosine
	}
	return w
}

func millionths(x float64) int64 { return int64(x * 1_000_000) }
