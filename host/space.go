package host

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/ctxplan/ctxplan/abi"
)

// Space is the memory of one owner: one state of the engine, in an instance of
// its own. It is safe for concurrent use; its calls wait for each other in the
// order in which they came, those of other spaces don't.
type Space struct {
	id      string
	runtime *Runtime

	// turn holds a token while no call runs. Whoever has taken it owns the
	// fields below.
	turn    chan struct{}
	machine machine // nil before the first call and after a failure
	log     []entry
	// staged are the pages of a restore that is not done.
	staged []entry
	// revision is that of the state which the log leads to.
	revision int64
	// purge says that the log holds what was forgotten.
	purge  bool
	closed bool
}

// entry is a request that changed the state.
type entry struct {
	op      string
	request []byte
}

var errSpaceClosed = closed("space")

func newSpace(r *Runtime, id string) *Space {
	s := &Space{id: id, runtime: r, turn: make(chan struct{}, 1)}
	s.turn <- struct{}{}
	return s
}

// ID is the id of the space.
func (s *Space) ID() string { return s.id }

// Do runs an op and gives the exact bytes of its response, which are the
// caller's. A response may be an error of the engine, {"error":…}: that is no
// error of Do. What Do gives as an error is always an [*Error] and says that
// there is no response; the space is then as it was before.
//
// Request is read until Do returns and not kept.
func (s *Space) Do(ctx context.Context, op string, request []byte) ([]byte, error) {
	return s.do(ctx, op, request, s.runtime.options.deadline)
}

// do is Do with a deadline of its own, 0 for none.
func (s *Space) do(ctx context.Context, op string, request []byte, deadline time.Duration) ([]byte, error) {
	if err := s.check(op, request); err != nil {
		return nil, err
	}
	if err := s.acquire(ctx); err != nil {
		return nil, err
	}
	defer s.release()
	if deadline > 0 {
		bounded, cancel := context.WithTimeout(ctx, deadline)
		defer cancel()
		ctx = bounded
	}
	response, err := s.machine.call(ctx, op, request)
	if err != nil {
		s.discard()
		return nil, failure(err, s.runtime.MemoryLimit())
	}
	switch {
	case bytes.HasPrefix(response, internalPrefix):
		// The engine recovered from a fault of its own, and nobody knows what
		// it left behind.
		s.discard()
	case isError(response):
	case abi.Mutating(op):
		if err := s.keep(ctx, op, request, response); err != nil {
			return nil, err
		}
	}
	return response, nil
}

// Responses are canonical, so an error can be told by its first bytes.
var (
	errorPrefix    = []byte(`{"error":{"code":`)
	internalPrefix = []byte(`{"error":{"code":"` + abi.CodeInternal + `"`)
)

func isError(response []byte) bool { return bytes.HasPrefix(response, errorPrefix) }

func (s *Space) check(op string, request []byte) error {
	if _, ok := slices.BinarySearch(s.runtime.ops, op); !ok {
		return &Error{Code: abi.CodeNotImplemented, Message: "there is no op " + strconv.Quote(op)}
	}
	if len(request) == 0 {
		return &Error{Code: abi.CodeInvalidRequest, Message: "the request is empty"}
	}
	if len(request) > abi.FrameLimit {
		have, limit := int64(len(request)), int64(abi.FrameLimit)
		return &Error{Code: abi.CodeTooLarge, Message: "the request is larger than a frame",
			Details: &abi.ErrorDetails{Have: &have, Limit: &limit}}
	}
	return nil
}

// MemoryBytes is the size of the guest's memory, 0 for a native engine. It
// waits for its turn like a call.
func (s *Space) MemoryBytes(ctx context.Context) (int64, error) {
	if err := s.acquire(ctx); err != nil {
		return 0, err
	}
	defer s.release()
	return s.machine.memory(), nil
}

// Close waits for the running call, then frees the instance and forgets the
// state. The runtime gives a new, empty space for the id from then on; this one
// answers unavailable. Closing twice is nothing.
func (s *Space) Close(ctx context.Context) error {
	if err := s.wait(ctx); err != nil {
		return err
	}
	defer s.release()
	if !s.closed {
		s.closed = true
		s.discard()
		s.log, s.staged, s.revision, s.purge = nil, nil, 0, false
		s.runtime.drop(s)
	}
	return nil
}

func (s *Space) wait(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return stopped(err)
	}
	select {
	case <-s.turn:
		return nil
	case <-ctx.Done():
		return stopped(ctx.Err())
	}
}

func (s *Space) release() { s.turn <- struct{}{} }

// acquire waits for the turn and sees that there is a machine. After an error
// the turn is not the caller's.
func (s *Space) acquire(ctx context.Context) error {
	if err := s.wait(ctx); err != nil {
		return err
	}
	if s.closed {
		s.release()
		return errSpaceClosed
	}
	if s.machine != nil {
		return nil
	}
	// A long log takes longer to replay than some callers wait. So the replay
	// runs on its own with the turn, and gives it back to the caller when that
	// one is still there.
	done := make(chan error)
	gone := make(chan struct{})
	go func() {
		err := s.rebuild()
		select {
		case done <- err:
		case <-gone:
			s.release()
		}
	}()
	select {
	case err := <-done:
		if err != nil {
			s.release()
		}
		return err
	case <-ctx.Done():
		close(gone)
		return stopped(ctx.Err())
	}
}

// rebuild starts a machine and replays the log.
func (s *Space) rebuild() error {
	ctx, cancel := context.WithTimeout(context.Background(), rebuildDeadline)
	defer cancel()
	m, err := s.runtime.engine.start(ctx)
	if err != nil {
		return unavailable("an instance could not be started", err)
	}
	for n, e := range s.log {
		response, err := m.call(ctx, e.op, e.request)
		if err == nil && isError(response) {
			err = errReplay
		}
		if err != nil {
			m.close()
			return unavailable("the space could not be rebuilt at request "+strconv.Itoa(n+1)+" of "+strconv.Itoa(len(s.log)), err)
		}
	}
	s.machine = m
	if s.purge {
		return s.compact(ctx, "what was forgotten could not be purged")
	}
	return nil
}

// discard closes the machine; the next call rebuilds the space.
func (s *Space) discard() {
	if s.machine != nil {
		s.machine.close()
		s.machine = nil
	}
	s.staged = nil
}
