package main

import (
	"bytes"
	"context"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/abi/wire"
	"github.com/ctxplan/ctxplan/host"
)

var errorPrefix = []byte(`{"error":`)

// do runs an op and gives the bytes of its response. An error of the engine is
// an opError too.
func do(ctx context.Context, space *host.Space, op string, request []byte) ([]byte, error) {
	answer, err := space.Do(ctx, op, request)
	if err != nil {
		return nil, &opError{op, err}
	}
	if !bytes.HasPrefix(answer, errorPrefix) {
		return answer, nil
	}
	var r abi.ErrorResponse
	if err := wire.Unmarshal(answer, &r); err != nil {
		return nil, &opError{op, err}
	}
	e := &r.Error
	return nil, &opError{op, &host.Error{Code: e.Code, Message: e.Message, Path: e.Path, Retryable: e.Retryable, Details: e.Details}}
}
