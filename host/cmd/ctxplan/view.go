package main

import (
	"bytes"
	"io"
	"os"
)

// Colours as terminals know them.
const (
	bold    = "\x1b[1m"
	grey    = "\x1b[90m"
	red     = "\x1b[31m"
	green   = "\x1b[32m"
	yellow  = "\x1b[33m"
	blue    = "\x1b[34m"
	magenta = "\x1b[35m"
	cyan    = "\x1b[36m"
	plainly = "\x1b[0m"
)

// defaultWidth is the width when there is no terminal to ask.
const defaultWidth = 80

// view lays a plan out for people.
type view struct {
	w      io.Writer
	buffer bytes.Buffer
	width  int
	colour bool
}

// newView adapts to a terminal. Elsewhere the text is 80 columns wide and has no
// colours, nor has it with NO_COLOR set to anything.
func newView(w io.Writer) *view {
	v := &view{w: w, width: defaultWidth}
	columns, terminal := terminalWidth(w)
	if terminal && columns > 0 {
		v.width = min(max(columns, 40), 160)
	}
	v.colour = terminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	return v
}

func (v *view) text(s string) { v.buffer.WriteString(s) }

func (v *view) coloured(colour, s string) {
	if !v.colour || s == "" {
		v.text(s)
		return
	}
	v.text(colour + s + plainly)
}

// heading begins a section.
func (v *view) heading(s string) {
	v.text("\n")
	v.coloured(bold, s)
	v.text("\n")
}

// paragraph writes a text with an indent.
func (v *view) paragraph(indent, s string) {
	for _, line := range wrap(printable(s), v.width-len(indent)) {
		if line == "" {
			v.text("\n")
			continue
		}
		v.text(indent + line + "\n")
	}
}

func (v *view) flush() error {
	_, err := v.w.Write(v.buffer.Bytes())
	return err
}
