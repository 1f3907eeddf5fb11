package engine

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/calendar"
	"github.com/ctxplan/ctxplan/plugin/message"
	"github.com/ctxplan/ctxplan/plugin/plan"
	"github.com/ctxplan/ctxplan/plugin/render"
	"github.com/ctxplan/ctxplan/plugin/tokens"
)

// Plan answers with a plan, or with the needs that have to be met first. It changes nothing.
func (s *Space) Plan(req *abi.PlanRequest) (*abi.PlanResponse, *abi.Error) {
	p, e := s.planner(req)
	if e != nil {
		return nil, e
	}
	if needs := p.needs(); len(needs) > 0 {
		return &abi.PlanResponse{Needs: needs}, nil
	}
	if e := p.claim(); e != nil {
		return nil, e
	}
	p.rank()
	p.readPrevious()
	p.placePins()
	p.placeLive()
	p.placeRecent()
	p.placeRetrieved()
	out := p.finish()
	if req.Render != "" {
		raw, e := render.Messages(req.Render, out.Items)
		if e != nil {
			return nil, fromWire(e)
		}
		out.Rendered = raw
	}
	return &abi.PlanResponse{Plan: out}, nil
}

// fate is where a message of the plan's thread went.
type fate uint8

const (
	fateNone fate = iota
	fateInstruction
	fatePinned
	fateRecent
	fateRetrieved
	fateLive
	// fateInput is a message that the input repeats.
	fateInput
	// fateGone is the place of a forgotten message. It is in neither plan nor coverage.
	fateGone
)

// mode is how a message of an incomplete group is sent.
type mode uint8

const (
	modeWhole mode = iota
	// modeText sends the text without the calls.
	modeText
	// modeOut leaves the message out.
	modeOut
)

// planner holds one plan in the making.
type planner struct {
	s       *Space
	req     *abi.PlanRequest
	set     abi.Settings
	profile tokens.Profile
	now     calendar.Time
	t       *thread
	// scope holds the threads that are searched, in the order in which they were made.
	scope    []*thread
	since    calendar.Time
	until    calendar.Time
	strategy string
	question string
	// input holds the messages of the input, without those that are stored and have a place in the thread; asked the groups of those that are, with the user message
	// of their turn.
	input []*message.Message
	asked []int32
	// stored is how many messages of t are stored; those behind are of the input, when that has calls or results.
	stored int
	// userInput says that the input brings a user message, so that the stored turns are all past.
	userInput bool
	account   plan.Account
	used      abi.Used

	fates []fate
	// excerpts of messages that are sent as messages, by number.
	excerpts map[int32]excerpt
	live     []unit
	pins     []int32
	// liveFloor is the least that the live turn needs.
	liveFloor int64
	// groups of the plan's thread by kind.
	recentGroups []int32
	// noRoom holds the groups of the live turn that did not fit.
	noRoom     []int32
	liveGroups []int32

	// keepRecent marks the recent messages of the last plan, keepQuoted is what it quoted; kept marks those of the ranking
	// that are quoted again.
	keepRecent map[int32]bool
	keepQuoted []place
	keepLimits []int64
	kept       map[int32]bool
	ranking    ranking
	quotes     quotes
	pinned     quotes
	dropped    []drop
	// noEvidence says that the search found nothing that is rare enough to count.
	noEvidence bool
	// noWords says that the question has no word to search by.
	noWords bool
	// reasons is why each message of the thread is not in the plan, once that is settled.
	reasons []reason
	warned  []abi.Warning
}

// excerpt of the body of a message.
type excerpt struct {
	text  string
	spans [][2]int64
	// price of the whole message with it.
	price int64
}

// planner resolves a request: settings, threads, question and account.
func (s *Space) planner(req *abi.PlanRequest) (*planner, *abi.Error) {
	if e := checkThread(req.Thread, "thread"); e != nil {
		return nil, e
	}
	if e := checkNow(req.Now); e != nil {
		return nil, e
	}
	set, e := s.with(&req.Settings, "settings")
	if e != nil {
		return nil, e
	}
	if gap(&set) != gap(&s.settings) {
		return nil, failure(abi.CodeInvalidRequest, "settings.retrieval.session_gap", "the pause that ends a session is set by configure")
	}
	for i := range req.Results {
		if e := checkResult(&req.Results[i], "results["+strconv.Itoa(i)+"]"); e != nil {
			return nil, e
		}
	}
	p := &planner{s: s, req: req, set: set, strategy: req.Strategy, excerpts: map[int32]excerpt{}, kept: map[int32]bool{}}
	p.t = p.see(s.threads[req.Thread])
	if p.strategy == "" {
		p.strategy = abi.StrategyAuto
	}
	p.profile, _ = tokens.Lookup(set.Tokens.Profile)
	p.now, _ = calendar.Parse(req.Now)
	if p.t == nil {
		p.t = newThread(req.Thread, -1)
	}
	p.stored = len(p.t.book.Messages)
	p.fates = make([]fate, p.stored)
	if p.t.book.Count < len(p.fates) {
		for at, m := range p.t.book.Messages {
			if m.Gone {
				p.fates[at] = fateGone
			}
		}
	}
	if e := p.resolveScope(); e != nil {
		return nil, e
	}
	if e := p.resolveInput(); e != nil {
		return nil, e
	}
	if e := p.joinInput(); e != nil {
		return nil, e
	}
	p.resolveQuestion()
	return p, p.openAccount()
}

func (p *planner) resolveScope() *abi.Error {
	sc := p.req.Scope
	if sc == nil {
		p.scope = []*thread{p.t}
		return nil
	}
	if p.since, p.until = (calendar.Time{}), (calendar.Time{}); sc.Since != "" {
		var ok bool
		if p.since, ok = calendar.Parse(sc.Since); !ok {
			return failure(abi.CodeInvalidRequest, "scope.since", "a time is RFC 3339 with an offset")
		}
	}
	if sc.Until != "" {
		var ok bool
		if p.until, ok = calendar.Parse(sc.Until); !ok {
			return failure(abi.CodeInvalidRequest, "scope.until", "a time is RFC 3339 with an offset")
		}
	}
	if len(sc.Threads) == 0 {
		p.scope = []*thread{p.t}
		return nil
	}
	wanted := map[string]bool{}
	for i, id := range sc.Threads {
		if id == "*" && len(sc.Threads) == 1 {
			for _, t := range p.s.order {
				p.search(t)
			}
			p.orderScope()
			return nil
		}
		if t := p.see(p.s.threads[id]); id != p.req.Thread && (t == nil || t.book.Count == 0) {
			return failure(abi.CodeNotFound, "scope.threads["+strconv.Itoa(i)+"]", "there is no such thread")
		}
		wanted[id] = true
	}
	for _, t := range p.s.order {
		if wanted[t.id] {
			p.search(t)
		}
	}
	p.orderScope()
	return nil
}

// orderScope puts the threads in an order that tells nothing of what is not visible.
func (p *planner) orderScope() {
	if p.req.Scope.ACL.Given {
		slices.SortFunc(p.scope, func(a, b *thread) int { return strings.Compare(a.id, b.id) })
	}
}

// search adds a thread to those that are searched, as far as it is there for this request.
func (p *planner) search(t *thread) {
	if t.gone {
		return
	}
	if t.id == p.t.id {
		p.scope = append(p.scope, p.t)
	} else if t = p.see(t); t.book.Count > 0 {
		p.scope = append(p.scope, t)
	}
}

// resolveQuestion takes the question of the request, else the newest user text.
func (p *planner) resolveQuestion() {
	if p.question = p.req.Question; p.question != "" {
		return
	}
	for i := len(p.input) - 1; i >= 0; i-- {
		if p.input[i].Wire.Role == abi.RoleUser && p.input[i].Text != "" {
			p.question = p.input[i].Text
			return
		}
	}
	for i := len(p.t.book.Turns) - 1; i > 0; i-- {
		if m := p.t.book.Messages[p.t.book.Turns[i].User]; m.Text != "" {
			p.question = m.Text
			return
		}
	}
}

// room is what is left of the history.
func (p *planner) room() int64 {
	return p.account.History - p.used.Instructions - p.used.Pinned - p.used.Recent - p.used.Retrieved
}

func (p *planner) msg(at int32) *message.Message { return p.t.book.Messages[at] }

func (p *planner) whole(at int32) int64 { return p.t.costs[at].full[p.profile] }
