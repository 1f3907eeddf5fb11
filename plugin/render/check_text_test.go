package render

import (
	"regexp"
	"strings"
)

var tagLine = regexp.MustCompile(`^<(/?)(system|pinned|recalled|evidence|results|message|call|result)((?:-[a-z]{5})?)((?: [a-z]+="[^"<>]*")*)>$`)

// checkText follows what writeText says of itself: everything between tags, and calls only inside messages.
func checkText(f *faults, doc object) {
	f.keys(doc, "request", "text")
	text, ok := doc["text"].(string)
	if !ok {
		f.add("text: not a text")
		return
	}
	if text == "" {
		return
	}
	// Outside of all tags only a tag may stand, so that the first of a name tells its suffix; those of calls stand inside.
	suffix := map[string]string{}
	var open []string
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		m := tagLine.FindStringSubmatch(line)
		if m != nil {
			if _, known := suffix[m[2]]; !known && (len(open) == 0 || m[2] == "call" && open[0] == "message" && m[1] == "") {
				suffix[m[2]] = m[3]
			}
		}
		if s, known := "", false; m != nil {
			if s, known = suffix[m[2]]; !known || s != m[3] {
				m = nil
			}
		}
		if m == nil {
			if len(open) == 0 {
				f.add("line %d stands outside of all tags: %q", i, line)
			}
			continue
		}
		top := ""
		if len(open) > 0 {
			top = open[len(open)-1]
		}
		switch {
		case m[1] == "/" && top != m[2]:
			f.add("line %d closes %s inside %q", i, m[2], top)
		case m[1] == "/":
			open = open[:len(open)-1]
		case top != "" && (top != "message" || m[2] != "call"), top == "" && m[2] == "call":
			f.add("line %d opens %s inside %q", i, m[2], top)
			open = append(open, m[2])
		default:
			open = append(open, m[2])
		}
	}
	if len(open) > 0 {
		f.add("not closed: %v", open)
	}
}
