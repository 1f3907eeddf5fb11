package engine

import (
	"strconv"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/plan"
	"github.com/ctxplan/ctxplan/plugin/render"
	"github.com/ctxplan/ctxplan/plugin/tokens"
)

func (p *planner) openAccount() *abi.Error {
	b := &p.req.Budget
	if (b.Window == nil) == (b.History == nil) {
		return failure(abi.CodeInvalidRequest, "budget", "a budget has either window or history")
	}
	if b.History != nil && (b.Output != 0 || b.Margin != 0) {
		return failure(abi.CodeInvalidRequest, "budget.history", "output and margin belong to a window")
	}
	for i := range p.req.Evidence.List {
		if p.req.Evidence.List[i].Text == "" {
			return failure(abi.CodeInvalidRequest, "evidence["+strconv.Itoa(i)+"].text", "evidence has a text")
		}
	}
	var ok bool
	if p.account, ok = plan.Open(b, p.systemTokens(), p.toolTokens(), p.evidenceTokens(), p.inputTokens()); !ok {
		return failure(abi.CodeInvalidRequest, "budget", "the history and what the request brings are above 2^53 - 1 tokens")
	}
	return nil
}

func (p *planner) systemTokens() int64 {
	if sys := &p.req.System; sys.Counted || sys.Text == "" {
		return sys.Count
	}
	return tokens.MessageOverhead + p.profile.Text(p.req.System.Text)
}

func (p *planner) toolTokens() int64 {
	if t := &p.req.Tools; t.Counted || len(t.JSON) == 0 || emptyList(t.JSON) {
		return t.Count
	}
	return tokens.ToolOverhead + p.profile.Text(string(p.req.Tools.JSON))
}

// emptyList reports whether a JSON value is an empty array or object.
func emptyList(json []byte) bool {
	for _, c := range json[1:] {
		if c > ' ' {
			return c == ']' || c == '}'
		}
	}
	return false
}

func (p *planner) evidenceTokens() int64 {
	ev := &p.req.Evidence
	if ev.Counted || len(ev.List) == 0 {
		return ev.Count
	}
	n := p.profile.Text(render.Frame(abi.KindEvidence))
	for i := range ev.List {
		n += p.evidencePrice(&ev.List[i])
	}
	return n
}

// evidencePrice is the price of one text of evidence with the newline that ends it.
func (p *planner) evidencePrice(e *abi.Evidence) int64 { return p.profile.Text(e.Text) + 1 }

func (p *planner) inputTokens() int64 {
	var n int64
	for _, m := range p.input {
		n += p.profile.Message(&m.Wire)
	}
	return n
}
