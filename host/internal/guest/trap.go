package guest

import (
	"errors"
	"strconv"
	"strings"

	"github.com/tetratelabs/wazero/sys"
)

// Trap says how an instance came to its end.
type Trap struct {
	// Reason is one line for people: what the guest said last, or what the
	// runtime found.
	Reason string
	// Output is the beginning of what the guest wrote to standard error during
	// the call, at most 8 KiB.
	Output string
	// OutOfMemory says that the guest hit its memory ceiling.
	OutOfMemory bool
	// Cause is the error of the runtime.
	Cause error
}

func (t *Trap) Error() string { return "guest: trapped: " + t.Reason }

// Unwrap gives the error of the runtime.
func (t *Trap) Unwrap() error { return t.Cause }

func (i *Instance) trap(err error) *Trap {
	t := &Trap{Output: i.stderr.String(), Cause: err}
	var exit *sys.ExitError
	switch {
	case t.Output != "":
		t.Reason = firstLine(t.Output)
	case errors.As(err, &exit):
		t.Reason = "exit code " + strconv.FormatUint(uint64(exit.ExitCode()), 10)
	default:
		t.Reason = firstLine(err.Error())
	}
	t.OutOfMemory = strings.Contains(t.Output, "out of memory")
	return t
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// head keeps the beginning of what is written to it.
type head struct{ b []byte }

const headLimit = 8 << 10

func (h *head) Write(p []byte) (int, error) {
	h.b = append(h.b, p[:min(len(p), headLimit-len(h.b))]...)
	return len(p), nil
}

func (h *head) reset() { h.b = h.b[:0] }

func (h *head) String() string { return strings.ToValidUTF8(string(h.b), "\uFFFD") }
