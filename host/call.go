package host

import (
	"context"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/abi/wire"
)

// Describe says what the engine is and can do.
func (s *Space) Describe(ctx context.Context) (*abi.DescribeResponse, error) {
	return call(ctx, s, abi.OpDescribe, &abi.DescribeRequest{}, &abi.DescribeResponse{})
}

// Configure merges settings into those in force and gives all of them.
func (s *Space) Configure(ctx context.Context, request *abi.ConfigureRequest) (*abi.ConfigureResponse, error) {
	return call(ctx, s, abi.OpConfigure, request, &abi.ConfigureResponse{})
}

// Append adds messages at the end of a thread, all of them or none.
func (s *Space) Append(ctx context.Context, request *abi.AppendRequest) (*abi.AppendResponse, error) {
	return call(ctx, s, abi.OpAppend, request, &abi.AppendResponse{})
}

// Amend changes messages: edits, pins, labels, closes calls, or forks a thread.
func (s *Space) Amend(ctx context.Context, request *abi.AmendRequest) (*abi.AmendResponse, error) {
	return call(ctx, s, abi.OpAmend, request, &abi.AmendResponse{})
}

// Forget removes messages or threads with all that was derived from them, and
// gives the receipt. When it returns, they are gone from the memory of this
// package too. An error that is unavailable leaves that open: forgetting again
// settles it.
func (s *Space) Forget(ctx context.Context, request *abi.ForgetRequest) (*abi.ForgetResponse, error) {
	return call(ctx, s, abi.OpForget, request, &abi.ForgetResponse{})
}

// Needs lists open background needs. Work does this and what follows.
func (s *Space) Needs(ctx context.Context, request *abi.NeedsRequest) (*abi.NeedsResponse, error) {
	return call(ctx, s, abi.OpNeeds, request, &abi.NeedsResponse{})
}

// Fulfil brings results of background needs.
func (s *Space) Fulfil(ctx context.Context, request *abi.FulfilRequest) (*abi.FulfilResponse, error) {
	return call(ctx, s, abi.OpFulfil, request, &abi.FulfilResponse{})
}

// Read gives threads or messages, a page at a time.
func (s *Space) Read(ctx context.Context, request *abi.ReadRequest) (*abi.ReadResponse, error) {
	return call(ctx, s, abi.OpRead, request, &abi.ReadResponse{})
}

// Stats gives sizes and counts.
func (s *Space) Stats(ctx context.Context) (*abi.StatsResponse, error) {
	return call(ctx, s, abi.OpStats, &abi.StatsRequest{}, &abi.StatsResponse{})
}

type encoder interface{ AppendWire(dst []byte) []byte }

// call runs an op with typed request and response. An error of the engine comes
// back as an [*Error] like the host's own.
func call[R wire.Value](ctx context.Context, s *Space, op string, request encoder, response R) (R, error) {
	var none R
	answer, err := s.Do(ctx, op, request.AppendWire(nil))
	if err != nil {
		return none, err
	}
	if err := decode(answer, response); err != nil {
		return none, err
	}
	return response, nil
}

// decode reads a response, which it keeps. Fields that it does not know are
// ignored.
func decode(answer []byte, response wire.Value) error {
	if isError(answer) {
		var r abi.ErrorResponse
		if err := unmarshal(answer, &r); err != nil {
			return err
		}
		return fromResponse(&r.Error)
	}
	return unmarshal(answer, response)
}

func unmarshal(answer []byte, v wire.Value) error {
	d := wire.Decoder{Alias: true}
	if err := d.Decode(answer, v); err != nil {
		return &Error{Code: abi.CodeInternal, Message: "the response could not be read: " + err.Error(), Cause: err}
	}
	return nil
}
