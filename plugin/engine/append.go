package engine

import (
	"slices"
	"strconv"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/lexical"
	"github.com/ctxplan/ctxplan/plugin/message"
	"github.com/ctxplan/ctxplan/plugin/render"
	"github.com/ctxplan/ctxplan/plugin/tokens"
)

// Append adds messages at the end of a thread, or brings a thread up to date with what the caller has: all of it or
// nothing.
func (s *Space) Append(req *abi.AppendRequest) (*abi.AppendResponse, *abi.Error) {
	if e := checkThread(req.Thread, "thread"); e != nil {
		return nil, e
	}
	if e := checkNow(req.Now); e != nil {
		return nil, e
	}
	if req.Prune && req.Mode != modeSync {
		return nil, failure(abi.CodeInvalidRequest, "prune", "prune belongs to mode sync")
	}
	if len(req.Messages) == 0 && req.Mode != modeSync {
		return nil, failure(abi.CodeInvalidRequest, "messages", "there is at least one message")
	}
	j, e := s.judge(req)
	if e != nil {
		return nil, e
	}
	return s.appendJudged(req, j), nil
}

// appendJudged does what was judged. It can't fail.
func (s *Space) appendJudged(req *abi.AppendRequest, j *judgement) *abi.AppendResponse {
	t := s.open(req.Thread)
	c := changes{}
	for i, at := range j.at {
		if j.out[i].Status == statusReplaced && at >= 0 {
			w := req.Messages[i]
			w.ID = j.out[i].ID
			c[at] = edited(t.book.Messages[at], message.New(w, j.out[i].Seq))
		}
	}
	out := &abi.AppendResponse{Thread: req.Thread, Messages: j.out, AbsentCount: int64(len(j.absent))}
	for n, at := range j.absent {
		if n < listed {
			out.Absent = append(out.Absent, t.book.Messages[at].Wire.ID)
		}
		if req.Prune {
			c[at] = message.Tombstone(int64(at) + 1)
		}
	}
	s.change(t, c)
	g := gap(&s.settings)
	for i := range req.Messages {
		if j.out[i].Status != statusAdded {
			continue
		}
		req.Messages[i].ID = j.out[i].ID
		s.add(t, message.New(req.Messages[i], j.out[i].Seq), g)
		s.messages++
		if i%4 == 3 {
			s.tick()
		}
	}
	s.revision++
	if req.Prune && len(j.absent) > 0 {
		s.forgotten = s.revision
	}
	s.views = nil
	out.Revision = s.revision
	return out
}

// Modes of append.
const (
	modeAdd    = "add"
	modeUpsert = "upsert"
	modeSync   = "sync"
)

// What becomes of an appended message.
const (
	statusAdded     = "added"
	statusDuplicate = "duplicate"
)

// judgement is what is to become of the messages of a request.
type judgement struct {
	out []abi.Appended
	// at is the stored message that each one is or replaces, -1 for those that are new or repeat one of the request.
	at []int32
	// absent lists the stored messages that a sync does not hold.
	absent []int32
}

// judge says what becomes of each message and changes nothing.
func (s *Space) judge(req *abi.AppendRequest) (*judgement, *abi.Error) {
	t := s.threads[req.Thread]
	if t == nil {
		t = newThread("", -1)
	}
	j := &judgement{out: make([]abi.Appended, len(req.Messages)), at: make([]int32, len(req.Messages))}
	for i := range req.Messages {
		m := &req.Messages[i]
		path := "messages[" + strconv.Itoa(i) + "]"
		if e := message.Check(m, path); e != nil {
			return nil, fromWire(e)
		}
		if n := message.Bytes(m); n > s.settings.Limits.MessageBytes {
			return nil, tooLarge(path, "the message is larger than limits.message_bytes", n, s.settings.Limits.MessageBytes)
		}
		j.at[i] = -1
		if m.ID != "" {
			j.at[i] = t.find(m.ID)
		}
	}
	if req.Mode == modeSync {
		j.absent = s.matchContent(t, req.Messages, j.at)
	}
	if e := s.judgeEach(t, req, j); e != nil {
		return nil, e
	}
	return j, s.judgeSize(t, req, j)
}

// judgeEach gives each message its status, id and number.
func (s *Space) judgeEach(t *thread, req *abi.AppendRequest, j *judgement) *abi.Error {
	next := int64(len(t.book.Messages)) + 1
	fresh := make(map[string]int, len(req.Messages))
	for i := range req.Messages {
		m := &req.Messages[i]
		path := "messages[" + strconv.Itoa(i) + "].id"
		if first, ok := fresh[m.ID]; ok && m.ID != "" {
			if !message.Equal(&req.Messages[first], m) {
				return failure(abi.CodeConflict, path, "a message of this request has the same id and other content")
			}
			j.out[i] = abi.Appended{ID: j.out[first].ID, Seq: j.out[first].Seq, Status: statusDuplicate}
			j.at[i] = -1
			continue
		}
		if at := j.at[i]; at >= 0 {
			old := t.book.Messages[at]
			status := statusDuplicate
			if !message.Equal(&old.Wire, m) || old.Wire.Partial != m.Partial {
				if (req.Mode == "" || req.Mode == modeAdd) && !old.Wire.Partial {
					return failure(abi.CodeConflict, path, "a message with this id and other content is there already")
				}
				status = statusReplaced
			}
			if status == statusDuplicate && len(m.ACL) > 0 && !slices.Equal(m.ACL, old.Wire.ACL) {
				// Who may see a message is never left as it was in silence.
				if req.Mode == "" || req.Mode == modeAdd {
					return failure(abi.CodeConflict, path, "a message with this id and another acl is there already")
				}
				status = statusReplaced
			}
			j.out[i] = abi.Appended{ID: old.Wire.ID, Seq: old.Seq, Status: status}
			fresh[old.Wire.ID] = i
			if m.ID != "" {
				fresh[m.ID] = i
			}
			continue
		}
		if own, ok := ownID(m.ID); m.ID != "" && m.ID[0] == '#' && (!ok || own != next) {
			return failure(abi.CodeInvalidRequest, path, "ids that begin with # are given by the engine")
		}
		id := m.ID
		if id == "" {
			id = "#" + strconv.FormatInt(next, 10)
		}
		fresh[id] = i
		j.out[i] = abi.Appended{ID: id, Seq: next, Status: statusAdded}
		next++
	}
	return nil
}

// entryBytes is what an entry of a response takes beside the escaped id.
const entryBytes = 64

// judgeSize refuses what would pass a limit of the space, or be answered by more than a frame.
func (s *Space) judgeSize(t *thread, req *abi.AppendRequest, j *judgement) *abi.Error {
	var added, bytes int64
	answer := int64(entryBytes * (len(j.out) + 1 + min(len(j.absent), listed)))
	for i := range j.out {
		answer += escaped(j.out[i].ID)
	}
	for _, at := range j.absent[:min(len(j.absent), listed)] {
		answer += escaped(t.book.Messages[at].Wire.ID)
	}
	if answer > abi.FrameLimit-abi.MaxID*8 {
		return tooLarge("messages", "the response would be larger than a frame", answer, abi.FrameLimit)
	}
	for i := range req.Messages {
		if i%64 == 63 {
			s.tick()
		}
		switch j.out[i].Status {
		case statusAdded:
			added++
			bytes += message.Bytes(&req.Messages[i])
		case statusReplaced:
			bytes += message.Bytes(&req.Messages[i]) - message.Bytes(&t.book.Messages[j.at[i]].Wire)
		}
	}
	if n := s.messages + added; added > 0 && n > s.settings.Limits.Messages {
		return tooLarge("messages", "the space would hold more than limits.messages", n, s.settings.Limits.Messages)
	}
	return s.roomFor(bytes, added, "messages")
}

// escaped is how many bytes a string takes in a response.
func escaped(s string) int64 {
	n := int64(len(s)) + 2
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' {
			n += 5
		} else if s[i] == '"' || s[i] == '\\' {
			n++
		}
	}
	return n
}

// defaultStateBytes is the soft limit of a space: 40 % of the memory maximum of the module. The rest is for the collector and
// for one response: at 60 % a full space could not be exported any more.
const defaultStateBytes = 1 << 30 / 10 * 4

// roomFor refuses what would bring the state over its soft limit.
func (s *Space) roomFor(bytes, messages int64, path string) *abi.Error {
	limit := s.settings.Limits.StateBytes
	if limit == 0 {
		limit = defaultStateBytes
	}
	grow := bytes + messages*messageOverhead
	if grow <= 0 {
		return nil
	}
	if n := s.stateBytes() + grow; n > limit {
		return tooLarge(path, "the space would be larger than limits.state_bytes", n, limit)
	}
	return nil
}

// add puts a checked message into a thread of the space.
func (s *Space) add(t *thread, m *message.Message, gap int64) {
	before := t.textBytes
	t.put(m, gap)
	s.textBytes += t.textBytes - before
}

// put adds a message and all that is derived from it by itself.
func (t *thread) put(m *message.Message, gap int64) {
	at := int32(len(t.book.Messages))
	t.book.Add(m, gap)
	t.vectors = append(t.vectors, embedded{})
	if m.Gone {
		t.index.Add(lexical.Doc{Session: m.Session, Run: t.book.Runs()})
		t.costs = append(t.costs, cost{})
		return
	}
	if _, own := ownID(m.Wire.ID); !own {
		t.named[m.Wire.ID] = at
	}
	t.index.Add(t.doc(m))
	c := costOf(m)
	t.costs = append(t.costs, c)
	for p := range c.full {
		t.full[p] += c.full[p]
	}
	t.textBytes += message.Bytes(&m.Wire)
}

func costOf(m *message.Message) cost {
	var c cost
	for p := range tokens.Count {
		body := p.Body(&m.Wire)
		c.body[p] = body
		c.full[p] = p.Frame(&m.Wire) + body
		if len(m.Wire.ToolCalls) == 0 && len(m.Wire.Content.Parts) == 0 {
			c.quote[p] = p.Text(m.Text)
		} else {
			c.quote[p] = p.Text(render.Quoted(m))
		}
	}
	return c
}

// doc is what the index gets of a message. System and developer messages are always in the plan and never searched; their
// document is empty.
func (t *thread) doc(m *message.Message) lexical.Doc {
	d := lexical.Doc{Session: m.Session, Run: m.Run}
	if m.Standing() {
		return d
	}
	d.Text = m.IndexText()
	d.Speaker = m.Wire.Name
	if m.Wire.Role == abi.RoleTool {
		if caption := t.caption(m); caption != "" {
			d.Text = caption + "\n" + d.Text
		}
	}
	if m.Time.Valid {
		d.Year, d.Month, d.Day = int(m.Time.Year), int(m.Time.Month), int(m.Time.Day)
	}
	return d
}

// caption names the call that a tool message answers, or is the name of the tool.
func (t *thread) caption(m *message.Message) string {
	if m.Call < 0 {
		return m.Wire.Name
	}
	return render.Caption(&t.book.Messages[m.Call].Wire.ToolCalls[m.CallIndex])
}
