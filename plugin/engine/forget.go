package engine

import (
	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/calendar"
	"github.com/ctxplan/ctxplan/plugin/message"
)

// listed is how many entries of a list stand in a response.
const listed = 1000

// mostNames bounds the names of threads in a receipt; beside them and its lists the frame has no room for more.
const mostNames = 8 << 20

// Forget removes messages and threads with everything that was derived from them, and answers with a receipt.
func (s *Space) Forget(req *abi.ForgetRequest) (*abi.ForgetResponse, *abi.Error) {
	if e := checkNow(req.Now); e != nil {
		return nil, e
	}
	marked, e := s.mark(req)
	if e != nil {
		return nil, e
	}
	out := &abi.ForgetResponse{DryRun: req.DryRun, Removed: []abi.Removed{}}
	for _, t := range s.order {
		c := marked[t]
		if t.gone || c == nil {
			continue
		}
		s.receipt(out, t, c)
	}
	closed := map[string]bool{}
	var names int64
	for _, id := range req.Threads {
		if s.threads[id] != nil && !closed[id] {
			closed[id] = true
			names += escaped(id)
			out.Threads = append(out.Threads, id)
		}
	}
	if names > mostNames {
		return nil, tooLarge("threads", "the receipt would be larger than a frame", names, mostNames)
	}
	something := out.Messages > 0 || len(out.Threads) > 0
	out.Outside.Log, out.Outside.Snapshots, out.Outside.Plans = something, something, something
	if req.DryRun {
		out.Revision = s.revision
		return out, nil
	}
	for _, t := range append([]*thread(nil), s.order...) {
		if c := marked[t]; c != nil {
			s.change(t, c)
		}
	}
	for _, id := range out.Threads {
		s.close(s.threads[id])
	}
	s.revision++
	if something {
		s.forgotten = s.revision
		s.views = nil
	}
	out.Revision = s.revision
	return out, nil
}

// mark finds the messages that a request names, as tombstones by thread. It changes nothing.
func (s *Space) mark(req *abi.ForgetRequest) (map[*thread]changes, *abi.Error) {
	marked := map[*thread]changes{}
	ranged := req.Since != "" || req.Until != ""
	if len(req.Messages) == 0 && !ranged && len(req.Threads) == 0 {
		return nil, failure(abi.CodeInvalidRequest, "", "there are messages, a time or threads to be forgotten")
	}
	for _, id := range req.Threads {
		if t := s.threads[id]; t != nil {
			marked[t] = changes{}
			for at, m := range t.book.Messages {
				if !m.Gone {
					marked[t][int32(at)] = message.Tombstone(m.Seq)
				}
			}
		}
	}
	if len(req.Messages) == 0 && !ranged {
		if req.Thread != "" {
			return nil, failure(abi.CodeInvalidRequest, "thread", "a whole thread is forgotten by its place in threads")
		}
		return marked, nil
	}
	if e := checkThread(req.Thread, "thread"); e != nil {
		return nil, e
	}
	var since, until calendar.Time
	for _, b := range [...]struct {
		text, path string
		time       *calendar.Time
	}{{req.Since, "since", &since}, {req.Until, "until", &until}} {
		if b.text == "" {
			continue
		}
		var ok bool
		if *b.time, ok = calendar.Parse(b.text); !ok {
			return nil, failure(abi.CodeInvalidRequest, b.path, "a time is RFC 3339 with an offset")
		}
	}
	t := s.threads[req.Thread]
	if t == nil {
		return marked, nil
	}
	c := marked[t]
	if c == nil {
		c = changes{}
	}
	for _, id := range req.Messages {
		if at := t.find(id); at >= 0 {
			c[at] = message.Tombstone(t.book.Messages[at].Seq)
		}
	}
	for at, m := range t.book.Messages {
		if ranged && m.Time.Valid && within(m.Time, since, until) {
			c[int32(at)] = message.Tombstone(m.Seq)
		}
	}
	if len(c) > 0 {
		marked[t] = c
	}
	return marked, nil
}

// within reports whether since ≤ t < until, each of which may be no time.
func within(t, since, until calendar.Time) bool {
	return (!since.Valid || !t.Before(since)) && (!until.Valid || t.Before(until))
}

// receipt counts what goes with the messages of a thread.
func (s *Space) receipt(out *abi.ForgetResponse, t *thread, c changes) {
	for at, m := range t.book.Messages {
		if at%64 == 63 {
			s.tick()
		}
		if _, ok := c[int32(at)]; !ok {
			continue
		}
		out.Messages++
		if len(out.Removed) < listed {
			out.Removed = append(out.Removed, abi.Removed{Thread: t.id, ID: m.Wire.ID, Seq: m.Seq})
		}
		for _, piece := range t.vectors[at].pieces {
			if !piece.Empty() {
				out.Vectors++
			}
		}
		if len(out.Outside.Needs) >= listed || !hasWords(m.Text) || m.Standing() {
			continue
		}
		for i := range s.models {
			for _, n := range s.passagesOf(t, at, &s.models[i]) {
				if len(out.Outside.Needs) < listed {
					out.Outside.Needs = append(out.Outside.Needs, n.ID)
				}
			}
		}
	}
}

// close takes a thread out of the space. Its place stays, so that the ids of needs of other threads stay true.
func (s *Space) close(t *thread) {
	delete(s.threads, t.id)
	place := t.place
	*t = *newThread("", place)
	t.gone = true
}
