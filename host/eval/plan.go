package eval

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/abi/wire"
	"github.com/ctxplan/ctxplan/host"
)

// Options say how plans are asked for.
type Options struct {
	// Budget is the history of a plan: tokens for all that is recalled, headers included.
	Budget int64
	// Profile counts the tokens.
	Profile string
	// Strategy of the plan.
	Strategy string
	// RecentTurns stay in the plan whether or not they are evidence.
	RecentTurns int
}

// Report is what came out for one set or one row of haystacks.
type Report struct {
	Tally Tally
	// Plans are the times of all plans, in order of the questions.
	Plans []time.Duration
	// Append is the time of all appends, Messages how many messages went in.
	Append   time.Duration
	Messages int
}

// thread is the one thread of each space.
const thread = "talk"

// Asked is a conversation and the questions about it.
type Asked struct {
	Conversation *Conversation
	Questions    []Question
}

// ByConversation sorts the questions of a set by conversation, in the order of the set.
func (s *Set) ByConversation(questions []Question) []Asked {
	var out []Asked
	for i := range s.Conversations {
		a := Asked{Conversation: &s.Conversations[i]}
		for _, q := range questions {
			if q.Conversation == a.Conversation.ID {
				a.Questions = append(a.Questions, q)
			}
		}
		if len(a.Questions) > 0 {
			out = append(out, a)
		}
	}
	return out
}

// Run gives a conversation to a space of its own, asks for a plan for each of its questions, and adds what came out to
// the report. Only turns that are in a plan word for word count.
func (r *Report) Run(ctx context.Context, rt *host.Runtime, a Asked, o Options) error {
	space, err := rt.Space(ctx, a.Conversation.ID)
	if err != nil {
		return err
	}
	defer space.Close(ctx)
	if err := r.fill(ctx, space, a.Conversation); err != nil {
		return fmt.Errorf("conversation %s: %w", a.Conversation.ID, err)
	}
	for i := range a.Questions {
		q := &a.Questions[i]
		start := time.Now()
		plan, err := space.Plan(ctx, o.request(q))
		if err != nil {
			return fmt.Errorf("question %s: %w", q.ID, err)
		}
		r.Plans = append(r.Plans, time.Since(start))
		in := map[string]bool{}
		for _, item := range plan.Items {
			if item.Verbatim {
				in[item.ID] = true
			}
		}
		u := plan.Budget.Used
		r.Tally.Add(q, func(turn string) bool { return in[turn] }, int(u.Retrieved+u.Recent+u.Pinned+u.Instructions))
	}
	return nil
}

// batch is how many messages are appended in one call.
const batch = 500

func (r *Report) fill(ctx context.Context, space *host.Space, c *Conversation) error {
	var messages []abi.Message
	flush := func() error {
		if len(messages) == 0 {
			return nil
		}
		start := time.Now()
		_, err := space.Append(ctx, &abi.AppendRequest{Thread: thread, Messages: messages})
		r.Append += time.Since(start)
		r.Messages += len(messages)
		messages = messages[:0]
		return err
	}
	for i := range c.Sessions {
		s := &c.Sessions[i]
		for j := range s.Turns {
			t := &s.Turns[j]
			if t.Text == "" {
				continue
			}
			m := abi.Message{ID: t.ID, Role: roleOf(t.Role), Time: s.When(j), Content: abi.TextContent(t.Text)}
			if t.Named() {
				m.Name = t.Speaker
			}
			messages = append(messages, m)
			if len(messages) == batch {
				if err := flush(); err != nil {
					return err
				}
			}
		}
	}
	return flush()
}

// Named says whether the speaker has a name better than a role.
func (t *Turn) Named() bool {
	switch t.Speaker {
	case "", t.Role, "AI", "user", "assistant":
		return false
	}
	return true
}

func (o *Options) request(q *Question) *abi.PlanRequest {
	settings := `{"recent":{"turns":` + strconv.Itoa(o.RecentTurns) + `},"tokens":{"profile":` + strconv.Quote(o.Profile) + `}}`
	budget := o.Budget
	return &abi.PlanRequest{
		Thread:   thread,
		Input:    []abi.Message{{Role: abi.RoleUser, Content: abi.TextContent(q.Text)}},
		Budget:   abi.BudgetRequest{History: &budget},
		Strategy: o.Strategy,
		Settings: abi.SettingsPatch{Raw: wire.Raw(settings)},
	}
}

// Quantile is the time that a share of the plans does not exceed; 0 without plans.
func (r *Report) Quantile(share float64) time.Duration {
	if len(r.Plans) == 0 {
		return 0
	}
	sorted := slices.Clone(r.Plans)
	slices.Sort(sorted)
	return sorted[min(int(share*float64(len(sorted))), len(sorted)-1)]
}

// roleOf is the role of a turn. Sets also have thoughts, calls and results without ids; what is not the user's is the
// assistant's here.
func roleOf(role string) string {
	if role == abi.RoleUser {
		return role
	}
	return abi.RoleAssistant
}
