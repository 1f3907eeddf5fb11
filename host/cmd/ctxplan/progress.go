package main

import (
	"io"
	"strings"
)

// progressFrom is the number of messages from which on progress is shown.
const progressFrom = 3000

// progress shows on a terminal how many messages are in.
type progress struct {
	w            io.Writer
	total, count int
	shown        bool
}

// newProgress shows nothing when w is no terminal or the work is short.
func newProgress(w io.Writer, total int) *progress {
	_, terminal := terminalWidth(w)
	return &progress{w: w, total: total, shown: terminal && total >= progressFrom}
}

func (p *progress) line() string {
	return "reading: " + group(int64(p.count)) + " of " + group(int64(p.total)) + " messages"
}

func (p *progress) add(n int) {
	p.count += n
	if p.shown {
		io.WriteString(p.w, "\r"+p.line())
	}
}

// note writes a line of its own.
func (p *progress) note(s string) {
	p.done()
	io.WriteString(p.w, "ctxplan: "+s+"\n")
}

// done wipes the line.
func (p *progress) done() {
	if p.shown {
		io.WriteString(p.w, "\r"+strings.Repeat(" ", len(p.line()))+"\r")
	}
}
