package engine

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/abi/wire"
	"github.com/ctxplan/ctxplan/plugin/image"
	"github.com/ctxplan/ctxplan/plugin/message"
)

// Runner runs an op on a space and gives its response.
type Runner func(s *Space, op string, request []byte) ([]byte, *abi.Error)

// Restore takes the next page of a stream: an export or a snapshot, or none, and records after it. The state is made
// beside the space, which has to be empty, and takes its place with the last page. After an error the space is empty, and
// a restore begins anew.
func (s *Space) Restore(page *abi.Page, data []byte, run Runner) (*abi.RestoreResponse, *abi.Error) {
	r := s.restoring
	s.restoring = nil
	if s.revision != 0 || len(s.order) > 0 {
		return nil, failure(abi.CodeConflict, "", "only an empty space can be restored")
	}
	switch {
	case page.From == 0:
		r = newRestoring(s.tick, run)
	case r == nil || page.From != r.received:
		return nil, failure(abi.CodeCorruptSnapshot, "from", "the page does not follow the one before")
	}
	if page.Bytes != nil && *page.Bytes != int64(len(data)) {
		return nil, failure(abi.CodeCorruptSnapshot, "bytes", "the page is not of the size that it says")
	}
	if page.SHA256 != "" {
		if sum := sha256.Sum256(data); page.SHA256 != hex.EncodeToString(sum[:]) {
			return nil, failure(abi.CodeCorruptSnapshot, "sha256", "the page has another SHA-256 than it says")
		}
	}
	r.received += int64(len(data))
	if page.Next != 0 && page.Next != r.received {
		return nil, failure(abi.CodeCorruptSnapshot, "next", "the next page does not begin where this one ends")
	}
	last := page.Next == 0
	if e := r.take(data, last); e != nil {
		return nil, e
	}
	out := &abi.RestoreResponse{Received: r.received, Done: last, Records: r.records}
	if !last {
		s.restoring = r
		return out, nil
	}
	*s = *r.stage
	out.Revision = s.revision
	return out, nil
}

// phase is what may come next in a stream.
type phase byte

const (
	phaseBegin phase = iota
	phaseState
	phaseRecords
)

// restoring is a restore that is not done.
type restoring struct {
	stage    *Space
	run      Runner
	reader   image.Reader
	received int64
	phase    phase
	records  int64

	header abi.LogHeader
	// thread is being filled, up to its message next; threads is how many there were.
	thread  *thread
	next    int64
	threads int64
	gap     int64
	// numbers is how many sequence numbers the threads have used.
	numbers int64
	// newest says that the part before was a message, which vectors may follow.
	newest bool
	// base is the revision of the state that the records follow.
	base int64
}

func newRestoring(tick func(), run Runner) *restoring {
	stage := New()
	stage.SetTick(tick)
	return &restoring{stage: stage, run: run}
}

func corrupt(message string) *abi.Error {
	return failure(abi.CodeCorruptSnapshot, "", message)
}

func (r *restoring) corrupt(message string) *abi.Error {
	return corrupt("part " + strconv.FormatInt(r.reader.Parts()+1, 10) + ": " + message)
}

// take takes in all whole parts.
func (r *restoring) take(data []byte, last bool) *abi.Error {
	r.reader.Feed(data)
	if last {
		r.reader.Finish()
	}
	for {
		kind, body, ok, err := r.reader.Next()
		switch {
		case err == image.ErrVersion:
			return failure(abi.CodeUnsupportedVersion, "", err.Error())
		case err != nil:
			return corrupt(err.Error())
		case !ok && last && r.phase != phaseRecords:
			return corrupt("the data ends before the state is complete")
		case !ok:
			return nil
		}
		if e := r.part(kind, body); e != nil {
			return e
		}
	}
}

func (r *restoring) part(kind image.Kind, body []byte) *abi.Error {
	newest := r.newest
	r.newest = false
	switch kind {
	case image.Vectors:
		b, ok := image.ReadBlock(body)
		if !ok || !newest {
			return r.corrupt("vectors that can't be read or belong to no message")
		}
		return r.vectors(b)
	case image.End:
		if r.phase != phaseState || !bytes.Equal(body, r.reader.Sum()) {
			return r.corrupt("the SHA-256 of the image is another one")
		}
		return r.end()
	}
	var line abi.LogLine
	if e := r.decode(body, &line); e != nil {
		return e
	}
	h, t, m, end, record := line.Header != nil, line.Thread != nil, line.Message != nil, line.End != nil, line.Seq != 0
	if count(h, t, m, end, record) != 1 || !record && (line.Engine != "" || line.Op != "" || line.In != nil || line.InText != "" || line.Out != nil) {
		return r.corrupt("a line is a header, a thread, a message, an end or a record, and one of them")
	}
	if kind == image.Header && !h || kind == image.Thread && !t || kind == image.Message && !m {
		return r.corrupt("the frame is not of the kind that it says")
	}
	switch {
	case h:
		return r.begin(line.Header)
	case record:
		return r.record(&line)
	case r.phase != phaseState:
		return r.corrupt("a line of a state where none belongs")
	case t:
		return r.open(line.Thread)
	case m:
		return r.message(line.Message)
	}
	if line.End.Lines != r.reader.Parts() || line.End.SHA256 != hex.EncodeToString(r.reader.Sum()) {
		return r.corrupt("the number of lines or their SHA-256 is another one")
	}
	return r.end()
}

func count(given ...bool) int {
	n := 0
	for _, g := range given {
		if g {
			n++
		}
	}
	return n
}

// decode reads a line. What a newer version wrote is told from what is broken.
func (r *restoring) decode(body []byte, line *abi.LogLine) *abi.Error {
	d := wire.Decoder{Strict: true, Deeper: 2, Tick: r.stage.tick}
	err := d.Decode(body, line)
	if err == nil {
		return nil
	}
	d = wire.Decoder{Deeper: 2}
	var some abi.LogVersion
	if d.Decode(body, &some) == nil {
		if h := some.Header; newer(some.Engine) || h != nil && (h.Format > abi.LogFormat || newer(h.ABI)) {
			return unsupported()
		}
	}
	w := err.(*wire.Error)
	return r.corrupt(strings.TrimPrefix(w.Path+": ", ": ") + w.Message)
}

func unsupported() *abi.Error {
	return failure(abi.CodeUnsupportedVersion, "", "the data is of a newer version than this engine, "+abi.EngineVersion)
}

// newer reports whether a version is of a newer minor or major one than ours. What is no version is not.
func newer(version string) bool {
	theirs, ok := minor(version)
	ours, _ := minor(abi.EngineVersion)
	return ok && (theirs[0] > ours[0] || theirs[0] == ours[0] && theirs[1] > ours[1])
}

// minor reads the first two numbers of a version.
func minor(version string) (v [2]int64, ok bool) {
	parts := strings.SplitN(version, ".", 3)
	if len(parts) < 2 {
		return v, false
	}
	for i := range v {
		n, err := strconv.ParseUint(parts[i], 10, 31)
		if err != nil {
			return v, false
		}
		v[i] = int64(n)
	}
	return v, true
}

func (r *restoring) begin(h *abi.LogHeader) *abi.Error {
	if r.phase != phaseBegin {
		return r.corrupt("a second header")
	}
	if h.Format > abi.LogFormat || newer(h.ABI) || newer(h.Engine) {
		return unsupported()
	}
	if _, ok := minor(h.ABI); h.Format < 1 || !ok {
		return r.corrupt("there is no such format or version")
	}
	if h.Forgotten > h.Revision {
		return r.corrupt("something was forgotten after the newest revision")
	}
	s := r.stage
	set := abi.DefaultSettings()
	if e := h.Settings.Merge(&set, "settings"); e != nil {
		return r.corrupt(e.Path + ": " + e.Message)
	}
	if e := checkSettings(&set, "settings"); e != nil {
		return r.corrupt(e.Path + ": " + e.Message)
	}
	for i := range h.Models {
		one := abi.DefaultSettings()
		if e := h.Models[i].Merge(&one, "models"); e != nil || one.Models.Embed == nil || s.keyOf(one.Models.Embed) > 0 {
			return r.corrupt("a model that can't be read or stands there twice")
		}
		s.models = append(s.models, *one.Models.Embed)
	}
	if m := set.Models.Embed; m != nil && s.keyOf(m) < 0 {
		return r.corrupt("the model in force is not among the models")
	}
	s.settings, s.revision, s.forgotten = set, h.Revision, h.Forgotten
	for k, n := range h.Calls {
		s.calls[k] = n
	}
	if h.Usage != nil {
		s.usage = *h.Usage
	}
	r.header, r.phase, r.gap = *h, phaseState, gap(&set)
	return nil
}

// open begins a thread.
func (r *restoring) open(t *abi.LogThread) *abi.Error {
	r.close()
	r.threads++
	if r.threads > r.header.Threads {
		return r.corrupt("more threads than the header says")
	}
	s := r.stage
	if t.ID == "" {
		if t.Next != 1 {
			return r.corrupt("a thread without an id has messages")
		}
		gone := newThread("", len(s.order))
		gone.gone = true
		s.order = append(s.order, gone)
		r.thread, r.next = nil, 0
		return nil
	}
	if r.numbers += t.Next; r.numbers > mostNumbers {
		return r.corrupt("more messages than there can be")
	}
	if s.threads[t.ID] != nil {
		return r.corrupt("a thread stands there twice")
	}
	r.thread, r.next = s.open(t.ID), t.Next
	return nil
}

// close fills the end of a thread with the places of forgotten messages.
func (r *restoring) close() {
	if r.thread != nil {
		r.fill(r.next)
	}
	r.thread = nil
}

// mostNumbers bounds the sequence numbers of all threads, so that a few bytes can't ask for the places of any number of
// forgotten messages. It is more than the memory of a module has room for.
const mostNumbers = 1 << 22

// fill makes places of forgotten messages up to a sequence number.
func (r *restoring) fill(seq int64) {
	for n := int64(len(r.thread.book.Messages)) + 1; n < seq; n++ {
		r.stage.add(r.thread, message.Tombstone(n), r.gap)
		if n%64 == 0 {
			r.stage.tick()
		}
	}
}

func (r *restoring) message(m *abi.LogMessage) *abi.Error {
	s, t := r.stage, r.thread
	if t == nil || m.Seq <= int64(len(t.book.Messages)) || m.Seq >= r.next {
		return r.corrupt("a message that is out of order, or in no thread")
	}
	w := m.Message
	if w == nil {
		w = new(abi.Message)
		d := wire.Decoder{Strict: true, Deeper: 2}
		if err := d.Decode([]byte(m.Text), w); err != nil {
			return r.corrupt("text: " + err.Error())
		}
	} else if m.Text != "" {
		return r.corrupt("a message that is there twice")
	}
	// Whether a message may come in was decided when it came in. A check that has become stricter since must not lose it.
	if w.ID == "" || w.ID[0] == '#' && w.ID != "#"+strconv.FormatInt(m.Seq, 10) || t.find(w.ID) >= 0 {
		return r.corrupt("a message without an id, or with that of another one")
	}
	r.fill(m.Seq)
	fresh := message.New(*w, m.Seq)
	fresh.Edited = m.Edited
	s.add(t, fresh, r.gap)
	s.messages++
	if m.Seq%4 == 3 {
		s.tick()
	}
	r.newest = true
	if v := m.Vectors; v != nil {
		pieces, ok := image.Join(v.Dimension, v.Scales, v.I8)
		if !ok {
			return r.corrupt("vectors whose parts do not fit together")
		}
		return r.vectors(&image.Block{Model: v.Model, Pieces: pieces})
	}
	return nil
}

// vectors gives the newest message its vectors.
func (r *restoring) vectors(b *image.Block) *abi.Error {
	s, t := r.stage, r.thread
	r.newest = false
	if len(b.Pieces) == 0 || b.Model < 1 || b.Model > int64(len(s.models)) {
		return r.corrupt("vectors of a model that is not among the models")
	}
	for _, p := range b.Pieces {
		if !p.Empty() && int64(len(p.Q)) != s.models[b.Model-1].Dimension {
			return r.corrupt("a vector of another dimension than that of its model")
		}
	}
	s.replaceVectors(t, len(t.vectors)-1, embedded{model: modelKey(b.Model), pieces: b.Pieces})
	return nil
}

// end completes the state.
func (r *restoring) end() *abi.Error {
	r.close()
	if r.threads != r.header.Threads {
		return r.corrupt("fewer threads than the header says")
	}
	r.phase, r.base = phaseRecords, r.stage.revision
	return nil
}
