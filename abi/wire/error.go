package wire

// Codes of the errors that decoding can end with.
const (
	CodeInvalid      = "invalid_request"
	CodeUnknownField = "unknown_field"
)

// Error says why a document was refused. Every error that this package returns is an *Error.
type Error struct {
	// Code is one of the codes above.
	Code string
	// Message is for people.
	Message string
	// Path of the value, for example messages[3].role; empty for the document as a whole. Keys that hold a dot, a
	// bracket, a quote, a space or a control character stand as ["key"], long ones are cut and end in an ellipsis.
	Path string
}

// Error returns path and message.
func (e *Error) Error() string {
	if e.Path == "" {
		return e.Message
	}
	return e.Path + ": " + e.Message
}
