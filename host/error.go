package host

import (
	"context"
	"errors"
	"strconv"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/host/internal/guest"
)

// Error is every error of this package. Code is one of the closed list of the
// ABI: those of the engine, for a request that it refused, and those of hosts,
// for a call that did not come to its end.
//
//   - deadline: the call was stopped, by a deadline or a cancellation. The
//     space is as it was before.
//   - trapped: the engine broke down. The space is as it was before.
//   - unavailable: there is no engine at the moment, or no longer.
//   - too_large, invalid_request, not_implemented: the host refused the request
//     before the engine saw it.
//
// Errors.As finds it, and errors.Is compares codes: errors.Is(err,
// &Error{Code: "conflict"}). For deadline errors.Is also finds
// [context.DeadlineExceeded] or [context.Canceled].
type Error struct {
	Code    string
	Message string
	// Path of the field in the request, such as messages[3].role; empty for the
	// request as a whole.
	Path string
	// Retryable says that the same request may succeed later.
	Retryable bool
	// Details by code, nil when there are none.
	Details *abi.ErrorDetails
	// Output is the beginning of what a trapped engine wrote to standard error.
	Output string
	// Cause is the error behind this one, nil when there is none.
	Cause error
}

func (e *Error) Error() string {
	s := "ctxplan: " + e.Code
	if e.Path != "" {
		s += " at " + e.Path
	}
	if e.Message != "" {
		s += ": " + e.Message
	}
	return s
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Is reports whether target is an Error of the same code.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

// Response is the error as the response of an op, for programs that pass
// responses on as bytes.
func (e *Error) Response() []byte {
	r := abi.ErrorResponse{Error: abi.Error{
		Code: e.Code, Message: e.Message, Path: e.Path, Retryable: e.Retryable, Details: e.Details,
	}}
	return r.AppendWire(nil)
}

func fromResponse(e *abi.Error) *Error {
	return &Error{Code: e.Code, Message: e.Message, Path: e.Path, Retryable: e.Retryable, Details: e.Details}
}

func stopped(cause error) *Error {
	e := &Error{Code: abi.CodeDeadline, Message: "the deadline passed", Retryable: true, Cause: cause}
	if errors.Is(cause, context.Canceled) {
		e.Message = "the call was cancelled"
	}
	return e
}

func unavailable(message string, cause error) *Error {
	if cause != nil {
		message += ": " + cause.Error()
	}
	return &Error{Code: abi.CodeUnavailable, Message: message, Retryable: true, Cause: cause}
}

func closed(what string) *Error {
	return &Error{Code: abi.CodeUnavailable, Message: "the " + what + " is closed"}
}

// failure turns the error of an engine's call into one of this package.
func failure(err error, memory int64) *Error {
	var trap *guest.Trap
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return stopped(err)
	case errors.As(err, &trap):
		e := &Error{Code: abi.CodeTrapped, Message: trap.Reason, Output: trap.Output, Cause: err}
		if trap.OutOfMemory {
			e.Message = "out of memory: the ceiling is " + strconv.FormatInt(memory, 10) + " bytes"
		}
		return e
	}
	return unavailable("the engine gave no answer", err)
}
