package engine

import (
	"strconv"
	"strings"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/abi/wire"
	"github.com/ctxplan/ctxplan/plugin/calendar"
	"github.com/ctxplan/ctxplan/plugin/lexical"
	"github.com/ctxplan/ctxplan/plugin/message"
	"github.com/ctxplan/ctxplan/plugin/tokens"
	"github.com/ctxplan/ctxplan/plugin/vector"
)

// Space is the memory of one owner: its settings and its threads.
type Space struct {
	settings abi.Settings
	threads  map[string]*thread
	// order holds the threads in the order in which they were made.
	order    []*thread
	revision int64

	messages    int64
	textBytes   int64
	vectors     int64
	vectorBytes int64
	// calls counts results by kind and status; usage adds up what they cost.
	calls map[string]int64
	usage abi.Usage
	// forgotten is the revision at which something was forgotten last; plans before it are stale.
	forgotten int64
	// views holds the threads as callers with an acl see them. It is a cache.
	views map[string]*view
	// models are the embedding models that have been in force, in order.
	models []abi.EmbedModel

	// exporting is an export that is not done, kept so that the next page need not begin anew. It is no part of the state.
	exporting *exporter
	// restoring is a restore that is not done.
	restoring *restoring

	// searcher keeps buffers from search to search, and nothing else.
	searcher lexical.Searcher

	tick func()
}

// thread is one conversation.
type thread struct {
	id    string
	place int
	book  *message.Book
	// named holds the numbers of messages that came with an id of their own.
	named map[string]int32
	costs []cost
	index *lexical.Index
	// vectors of each message, nil where there are none.
	vectors []embedded
	// full is what the whole thread costs, by profile.
	full [tokens.Count]int64
	// textBytes is the size of its messages.
	textBytes int64
	// gone says that the thread was forgotten; only its place is left.
	gone bool
}

// cost of a message by profile: as a message, of that the texts that an excerpt replaces, and as a quotation without
// header.
type cost struct {
	full, body, quote [tokens.Count]int64
}

// embedded is what is known of the vectors of a message.
type embedded struct {
	// model is what they are of: vectors made with another prefix or cut otherwise are of another model.
	model modelKey
	// pieces in order; those of needs that are still open are empty.
	pieces []vector.Vector
}

// modelKey is the number of a model in Space.models, plus one; 0 is none.
type modelKey int32

// messageOverhead is the deterministic count of what a message costs the state beside its texts.
const messageOverhead = 320

// New makes an empty space with default settings.
func New() *Space {
	return &Space{settings: abi.DefaultSettings(), threads: map[string]*thread{}, calls: map[string]int64{}, tick: func() {}}
}

// SetTick sets the function that the loops of the engine call about every 0.2 to 1 ms of work. It may panic to abandon
// the call; the space is then to be thrown away.
func (s *Space) SetTick(tick func()) {
	if tick == nil {
		tick = func() {}
	}
	s.tick = tick
}

func newThread(id string, place int) *thread {
	return &thread{id: id, place: place, book: message.NewBook(), named: map[string]int32{}, index: lexical.New()}
}

// compareThreads orders threads by their place in the space; views, which have none, by id.
func compareThreads(a, b *thread) int {
	if a.place != b.place {
		return a.place - b.place
	}
	return strings.Compare(a.id, b.id)
}

// open finds a thread, or makes it.
func (s *Space) open(id string) *thread {
	t := s.threads[id]
	if t == nil {
		t = newThread(id, len(s.order))
		s.threads[id] = t
		s.order = append(s.order, t)
	}
	return t
}

// find returns the number of a message by its id, -1 when there is none.
func (t *thread) find(id string) int32 {
	if at, ok := t.named[id]; ok {
		return at
	}
	if seq, ok := ownID(id); ok && seq <= int64(len(t.book.Messages)) {
		if at := int32(seq - 1); t.book.Messages[at].Wire.ID == id {
			return at
		}
	}
	return -1
}

// ownID reads an id that the engine gave: # and a sequence number.
func ownID(id string) (int64, bool) {
	if len(id) < 2 || id[0] != '#' || id[1] == '0' || len(id) > 16 {
		return 0, false
	}
	seq, err := strconv.ParseUint(id[1:], 10, 53)
	return int64(seq), err == nil && id[1] != '+'
}

func (s *Space) profile() tokens.Profile {
	p, _ := tokens.Lookup(s.settings.Tokens.Profile)
	return p
}

// gap is the pause that ends a session, in seconds.
func gap(set *abi.Settings) int64 {
	ms, _ := calendar.ParseDuration(set.Retrieval.SessionGap)
	return ms / 1000
}

// keyOf finds a model among those that the space has seen. A model that was never in force has no vectors.
func (s *Space) keyOf(m *abi.EmbedModel) modelKey {
	for i := range s.models {
		if s.models[i] == *m {
			return modelKey(i) + 1
		}
	}
	return -1
}

func failure(code, path, message string) *abi.Error {
	return &abi.Error{Code: code, Message: message, Path: path}
}

func fromWire(e *wire.Error) *abi.Error {
	return &abi.Error{Code: e.Code, Message: e.Message, Path: e.Path}
}

func tooLarge(path, message string, have, limit int64) *abi.Error {
	return &abi.Error{Code: abi.CodeTooLarge, Message: message, Path: path, Details: &abi.ErrorDetails{Have: &have, Limit: &limit}}
}

func checkNow(now string) *abi.Error {
	if now == "" {
		return nil
	}
	if _, ok := calendar.Parse(now); !ok {
		return failure(abi.CodeInvalidRequest, "now", "a time is RFC 3339 with an offset, such as 2026-05-22T22:45:00+08:00")
	}
	return nil
}

func checkThread(id, path string) *abi.Error {
	if id == "" {
		return failure(abi.CodeInvalidRequest, path, "a thread has an id that is not empty")
	}
	return nil
}
