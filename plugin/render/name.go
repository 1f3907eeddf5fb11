package render

import (
	"strconv"
	"unicode/utf8"

	"github.com/ctxplan/ctxplan/plugin/text"
)

const (
	// idBytes bounds ids of calls: the least that a provider takes (40 in chat completions, 64 in responses).
	idBytes = 40
	// functionBytes bounds names of functions, and names of speakers where they have a field.
	functionBytes = 64
	// spokenBytes bounds names of speakers that stand before their text.
	spokenBytes = 64
)

// callIDs gives calls ids that every provider takes: of letters, digits, _ and -, at most 40 of them, no two alike. An id
// that is fine is kept; ids are scoped to a turn and providers want them unique in a request, so the second use of one
// gets a number.
type callIDs struct {
	used map[string]bool
	// again is the last number that was given to an id.
	again map[string]int
}

func (c *callIDs) next(raw string) string {
	if c.used == nil {
		c.used, c.again = map[string]bool{}, map[string]int{}
	}
	id := safe(raw, idBytes, "")
	if id == "" {
		id = "call"
	}
	for unique := id; ; {
		if !c.used[unique] {
			c.used[unique] = true
			return unique
		}
		c.again[id]++
		number := "_" + strconv.Itoa(c.again[id]+1)
		unique = id[:min(len(id), idBytes-len(number))] + number
	}
}

// functionName makes a name of a function one that the provider takes. Names that it gave itself are not changed.
func (d *dialect) functionName(name string) string {
	extra := ""
	if d.dottedNames {
		extra = ".:"
	}
	s := safe(name, functionBytes, extra)
	if s == "" {
		return "tool"
	}
	if c := s[0]; d.dottedNames && !(c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '_') {
		s = "_" + s[:min(len(s), functionBytes-1)]
	}
	return s
}

// fitsName reports whether a field for the name of a speaker can hold this one.
func fitsName(name string) bool {
	return name != "" && len(name) <= functionBytes && safe(name, functionBytes, "") == name
}

// plainName is a name that can stand in a line.
func plainName(name string) string { return line(text.Prefix(name, spokenBytes)) }

// safe puts an underscore for every character that is not a letter, digit, _ or - of ASCII or in extra, and cuts.
func safe(s string, limit int, extra string) string {
	clean := len(s) <= limit
	for i := 0; clean && i < len(s); i++ {
		clean = safeByte(s[i], extra)
	}
	if clean {
		return s
	}
	b := make([]byte, 0, min(len(s), limit))
	for i := 0; i < len(s) && len(b) < limit; {
		if s[i] < utf8.RuneSelf && safeByte(s[i], extra) {
			b = append(b, s[i])
			i++
			continue
		}
		_, n := utf8.DecodeRuneInString(s[i:])
		b = append(b, '_')
		i += n
	}
	return string(b)
}

func safeByte(c byte, extra string) bool {
	if c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '-' {
		return true
	}
	for i := 0; i < len(extra); i++ {
		if c == extra[i] {
			return true
		}
	}
	return false
}

func trimRight(s string) string {
	for s != "" {
		r, n := utf8.DecodeLastRuneInString(s)
		if !space(r) {
			break
		}
		s = s[:len(s)-n]
	}
	return s
}
