package text

// Span is a half-open range of UTF-8 bytes of a text.
type Span struct{ Start, End int }

// Len is the number of bytes in the span.
func (s Span) Len() int { return s.End - s.Start }
