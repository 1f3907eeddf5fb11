package render

import "slices"

// pairing finds the call that a result answers: the newest open one with its id, in whatever turn it is.
type pairing struct {
	open []openCall
}

type openCall struct {
	id   string
	at   int
	call int
}

func (p *pairing) add(at int, calls []call) {
	for i := range calls {
		p.open = append(p.open, openCall{calls[i].raw, at, i})
	}
}

// take closes the call and returns its message and its index there.
func (p *pairing) take(id string) (at, call int, ok bool) {
	for i := len(p.open) - 1; i >= 0; i-- {
		if o := p.open[i]; o.id == id {
			p.open = slices.Delete(p.open, i, i+1)
			return o.at, o.call, true
		}
	}
	return 0, 0, false
}

// waits reports whether a call of the message has no result.
func (m *exchange) waits() bool {
	for i := range m.calls {
		if !m.calls[i].answered {
			return true
		}
	}
	return false
}

// settle leaves calls without a result only at the end: those that a user message follows are left out, and everything
// from the first of the others on becomes one message. Then messages of which nothing is left go.
func (c *conversation) settle(d *dialect) {
	last := -1
	for i := range c.messages {
		if c.messages[i].user {
			last = i
		}
	}
	for i := range c.messages {
		m := &c.messages[i]
		if !m.waits() {
			continue
		}
		if i < last {
			m.dropOpen()
			continue
		}
		for j := i + 1; j < len(c.messages); j++ {
			m.join(&c.messages[j])
		}
		c.messages = c.messages[:i+1]
		break
	}
	kept := c.messages[:0]
	for i := range c.messages {
		if c.messages[i].user || c.messages[i].says() {
			kept = append(kept, c.messages[i])
		}
	}
	c.messages = kept
}

// dropOpen leaves out the calls that have no result.
func (m *exchange) dropOpen() {
	now := make([]int, len(m.calls))
	var calls []call
	for i := range m.calls {
		now[i] = len(calls)
		if m.calls[i].answered {
			calls = append(calls, m.calls[i])
		}
	}
	for i := range m.results {
		m.results[i].call = now[m.results[i].call]
	}
	m.calls = calls
}

// join adds what another message of the assistant says, calls and got.
func (m *exchange) join(o *exchange) {
	for i := range o.results {
		o.results[i].call += len(m.calls)
	}
	m.content = append(m.content, o.content...)
	m.calls = append(m.calls, o.calls...)
	m.results = append(m.results, o.results...)
	m.live = m.live || o.live
}

// byCall lists the results in the order of their calls.
func (m *exchange) byCall() []*result {
	out := make([]*result, 0, len(m.results))
	for i := range m.results {
		out = append(out, &m.results[i])
	}
	slices.SortStableFunc(out, func(a, b *result) int { return a.call - b.call })
	return out
}
