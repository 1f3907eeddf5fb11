package engine

import (
	"slices"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/calendar"
	"github.com/ctxplan/ctxplan/plugin/message"
	"github.com/ctxplan/ctxplan/plugin/render"
	"github.com/ctxplan/ctxplan/plugin/tokens"
)

// quotes is a block of quoted messages in the order of threads and messages, with a day line before the first of a day.
type quotes struct {
	profile tokens.Profile
	// threads says that items of several threads stand together, so that headers name them.
	threads bool
	entries []quote
	// fixed is how many entries stand first, in an order of their own.
	fixed int
	// frame is the price of the block without entries; total that of the block, 0 while it is empty.
	frame, total int64
}

// quote is one quoted message.
type quote struct {
	t  *thread
	at int32
	m  *message.Message
	// text that is quoted: the words, or an excerpt.
	text  string
	spans [][2]int64
	of    int
	cut   bool
	// limit is the most that an excerpt might cost, in tokens.
	limit int64
	// verbatim says that text is the whole text of the message, and that there is nothing else to it.
	verbatim bool
	// body is the price of the text.
	body int64
	// line is the header without the day line.
	line string
	// rank is the index of the message in the fused ranking, -1 for a pinned message.
	rank int32
}

// block is an empty block of a kind.
func (p *planner) block(kind string) quotes {
	return quotes{profile: p.profile, frame: p.profile.Text(render.Frame(kind))}
}

// price of an entry that comes after one of the time before.
func (q *quotes) price(e *quote, before calendar.Time) int64 {
	return q.profile.Text(render.DayLine(before, e.m.Time)+e.line+"\n") + e.body
}

// before is the time of the newest dated entry before place i.
func (q *quotes) before(i int) calendar.Time {
	for i--; i >= 0; i-- {
		if q.entries[i].m.Time.Valid {
			return q.entries[i].m.Time
		}
	}
	return calendar.Time{}
}

// place is where an entry of a message belongs.
func (q *quotes) place(t *thread, at int32) int {
	i, _ := slices.BinarySearchFunc(q.entries[q.fixed:], at, func(e quote, at int32) int {
		if e.t != t {
			return compareThreads(e.t, t)
		}
		return int(e.at - at)
	})
	return q.fixed + i
}

// costLast is what the block would cost more with the entry as the last of the fixed ones, while there are no others.
func (q *quotes) costLast(e *quote) int64 {
	n := q.price(e, q.before(len(q.entries)))
	if len(q.entries) == 0 {
		n += q.frame
	}
	return n
}

// addFixed puts an entry behind the fixed ones.
func (q *quotes) addFixed(e quote) {
	q.total += q.costLast(&e)
	q.entries = append(q.entries, e)
	q.fixed = len(q.entries)
}

// cost is what the block would cost more with the entry.
func (q *quotes) cost(e *quote) int64 {
	i := q.place(e.t, e.at)
	before := q.before(i)
	n := q.price(e, before)
	if len(q.entries) == 0 {
		n += q.frame
	}
	// A dated entry changes the day line of the next dated one; those without a time in between are not concerned.
	for ; i < len(q.entries) && e.m.Time.Valid; i++ {
		if next := &q.entries[i]; next.m.Time.Valid {
			n += q.price(next, e.m.Time) - q.price(next, before)
			break
		}
	}
	return n
}

// add puts an entry into the block.
func (q *quotes) add(e quote) {
	q.total += q.cost(&e)
	q.entries = slices.Insert(q.entries, q.place(e.t, e.at), e)
}

// header of the entry at place i, day line included.
func (q *quotes) header(i int) string {
	e := &q.entries[i]
	return render.DayLine(q.before(i), e.m.Time) + e.line
}

// pinRank stands for the rank of what is quoted without having been found.
const pinRank = -1

// keptRank stands for the rank of what the last plan quoted and this search did not find.
const keptRank = -2

// quote makes an entry of a whole message.
func (p *planner) quote(t *thread, at int32, threads bool, rank int32) quote {
	m := t.book.Messages[at]
	name, caption := "", ""
	if threads {
		name = t.id
	}
	if m.Wire.Role == "tool" {
		caption = t.caption(m)
	}
	q := quote{t: t, at: at, m: m, text: render.Quoted(m), body: t.costs[at].quote[p.profile],
		line: render.Header(m, name, caption), rank: rank}
	q.verbatim = q.text == m.Text && fixedParts(m.Wire.Content.Parts) == nil
	if len(m.Wire.ToolCalls) > 0 && p.abandoned(t, at) {
		q.text = render.QuotedText(m)
		q.body = p.profile.Text(q.text)
	}
	return q
}

// pinPrice is the price of a pinned message that is quoted, by itself: never more than in a block with others.
func (p *planner) pinPrice(at int32) int64 {
	block := p.block(abi.KindPinned)
	e := p.quote(p.t, at, false, pinRank)
	return block.cost(&e)
}
