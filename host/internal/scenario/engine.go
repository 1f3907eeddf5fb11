package scenario

import (
	"context"
	"errors"

	"github.com/ctxplan/ctxplan/host"
)

// Spaces is an [Engine] on a runtime. The ids of its spaces begin with Prefix,
// so that stories do not meet.
type Spaces struct {
	Runtime *host.Runtime
	Prefix  string
	names   map[string]bool
}

// Do runs an op. What the host refuses is an answer like what the engine
// refuses.
func (s *Spaces) Do(ctx context.Context, space, op string, request []byte) ([]byte, error) {
	if s.names == nil {
		s.names = map[string]bool{}
	}
	if space != "" {
		space = s.Prefix + space
		s.names[space] = true
	}
	sp, err := s.Runtime.Space(ctx, space)
	if err == nil {
		var answer []byte
		if answer, err = sp.Do(ctx, op, request); err == nil {
			return answer, nil
		}
	}
	var refused *host.Error
	if !errors.As(err, &refused) {
		return nil, err
	}
	return refused.Response(), nil
}

// Close closes the spaces that were used.
func (s *Spaces) Close(ctx context.Context) error {
	var first error
	for name := range s.names {
		sp, err := s.Runtime.Space(ctx, name)
		if err == nil {
			err = sp.Close(ctx)
		}
		if first == nil {
			first = err
		}
	}
	return first
}
