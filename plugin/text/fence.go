package text

import "strings"

// role is what a line is to a fenced code block (CommonMark 0.31, section 4.5).
type role uint8

const (
	prose role = iota
	opener
	code
	closer
)

// fence is the state of a reader that goes through a text line by line.
type fence struct {
	open   bool
	char   byte
	size   int
	indent int
	quoted bool
}

// next gives the role of line, which has no line ending. It is more lenient than CommonMark in where a fence may
// open, since code within lists and quotations is indented by their marks, which it does not parse.
func (f *fence) next(line string) role {
	if f.open {
		at, quoted := indentation(line, f.quoted)
		if quoted == f.quoted {
			char, n := fenceRun(line[at:])
			if char == f.char && n >= f.size && at <= f.indent+3 && strings.TrimLeft(line[at+n:], " \t\r") == "" {
				f.open = false
				return closer
			}
			return code
		}
		f.open = false // the quotation has ended, and the block with it
	}
	at, quoted, char, n := fenceStart(line)
	if n < 3 || char == '`' && strings.IndexByte(line[at+n:], '`') >= 0 {
		return prose
	}
	*f = fence{open: true, char: char, size: n, indent: at, quoted: quoted}
	return opener
}

// fenceStart is the run of backticks or tildes that a line begins with, after indentation and marks.
func fenceStart(line string) (at int, quoted bool, char byte, n int) {
	at, quoted = indentation(line, true)
	if m := listMark(line[at:]); m > 0 {
		in, _ := indentation(line[at+m:], false)
		at += m + in
	}
	char, n = fenceRun(line[at:])
	return at, quoted, char, n
}

// indentation counts the bytes before the text of a line, with the marks of quotations if they count.
func indentation(line string, marks bool) (n int, quoted bool) {
	for n < len(line) && (line[n] == ' ' || line[n] == '\t' || marks && line[n] == '>') {
		quoted = quoted || line[n] == '>'
		n++
	}
	return n, quoted
}

// listMark is the length of a mark such as "- " or "12. ".
func listMark(s string) int {
	n := 0
	for n < len(s) && n < 9 && s[n]-'0' < 10 {
		n++
	}
	switch {
	case n+1 < len(s) && n > 0 && (s[n] == '.' || s[n] == ')') && s[n+1] == ' ':
		return n + 2
	case n == 0 && len(s) > 1 && (s[0] == '-' || s[0] == '*' || s[0] == '+') && s[1] == ' ':
		return 2
	}
	return 0
}

// fenceRun is the run of backticks or tildes that s begins with.
func fenceRun(s string) (char byte, n int) {
	if s == "" || s[0] != '`' && s[0] != '~' {
		return 0, 0
	}
	for n < len(s) && s[n] == s[0] {
		n++
	}
	return s[0], n
}
