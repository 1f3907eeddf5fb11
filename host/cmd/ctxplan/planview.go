package main

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/ctxplan/ctxplan/abi"
)

// plan writes the whole plan.
func (v *view) plan(p *abi.Plan, ask string) {
	if ask != "" {
		v.paragraph("", "Question: "+ask)
	}
	b := &p.Budget
	v.paragraph("", group(b.Total)+" of "+group(b.Window)+" tokens ("+b.Counting+", profile "+b.Profile+"), strategy "+p.Strategy+
		"; the whole conversation would take "+group(b.FullHistory))
	v.bar(b)
	v.heading("In the plan, in the order in which it is sent")
	for i := range p.Items {
		v.item(i+1, &p.Items[i])
	}
	if len(p.Items) == 0 {
		v.text("nothing\n")
	}
	v.dropped(p)
	v.candidates(p.Candidates)
	v.warnings(p)
}

func kindColour(kind string) string {
	switch kind {
	case abi.KindSystem:
		return blue
	case abi.KindEvidence:
		return green
	case abi.KindInstruction, abi.KindPinned:
		return magenta
	case abi.KindRetrieved:
		return yellow
	}
	return cyan
}

// item writes a line about an item, and its words below.
func (v *view) item(n int, it *abi.Item) {
	number := strconv.Itoa(n)
	head := []string{}
	if it.Seq > 0 {
		place := "#" + strconv.FormatInt(it.Seq, 10)
		if it.ID != place && it.ID != "" {
			place += " " + printable(it.ID)
		}
		if it.Thread != threadID {
			place = printable(it.Thread) + " " + place
		}
		head = append(head, place)
	}
	if speaker := speaker(it); speaker != "" {
		head = append(head, speaker)
	}
	if it.Time != "" {
		head = append(head, date(it.Time))
	}
	head = append(head, group(it.Tokens)+" tokens")
	if it.Excerpt != nil {
		head = append(head, "excerpt, "+group(kept(it.Excerpt))+" of "+group(it.Excerpt.Of)+" bytes")
	}
	if it.Open {
		head = append(head, "still open")
	}
	if it.Why != nil {
		head = append(head, why(it.Why))
	}
	v.text(strings.Repeat(" ", max(0, 3-len(number))))
	v.text(number + "  ")
	v.coloured(kindColour(it.Kind), it.Kind)
	v.text(strings.Repeat(" ", max(1, 13-len(it.Kind))))
	const indent = 18
	for i, line := range wrapWords(head, "   ", v.width-indent) {
		if i > 0 {
			v.text(strings.Repeat(" ", indent))
		}
		v.text(line + "\n")
	}
	v.paragraph("     ", words(it))
}

func speaker(it *abi.Item) string {
	if it.Name != "" {
		return printable(it.Name)
	}
	return it.Role
}

// date is the day and time of day of an RFC 3339 time as it was written.
func date(s string) string {
	if len(s) < len("2006-01-02T15:04") {
		return printable(s)
	}
	return printable(s[:10] + " " + s[11:16])
}

func kept(e *abi.Excerpt) int64 {
	var n int64
	for _, s := range e.Spans {
		n += s[1] - s[0]
	}
	return n
}

// why names the rank in each list.
func why(w *abi.Why) string {
	parts := []string{}
	for _, name := range slices.Sorted(maps.Keys(w.Lists)) {
		parts = append(parts, name+" "+group(w.Lists[name]))
	}
	return strings.Join(append(parts, "fused "+group(w.Fused)), ", ")
}

// words is what an item brings: text, parts, calls.
func words(it *abi.Item) string {
	var lines []string
	if it.Role == abi.RoleTool && it.Header != "" {
		lines = append(lines, "← "+caption(it))
	}
	if it.Text != "" {
		lines = append(lines, it.Text)
	}
	for i := range it.Parts {
		lines = append(lines, part(&it.Parts[i]))
	}
	for i := range it.ToolCalls {
		c := &it.ToolCalls[i]
		lines = append(lines, "→ "+c.Name+" "+c.Arguments)
	}
	if it.ToolCallID != "" && it.Header == "" {
		mark := "← " + it.ToolCallID
		if it.Error {
			mark += ", an error"
		}
		lines = append([]string{mark}, lines...)
	}
	return strings.Join(lines, "\n")
}

// caption is the call that stands in the header of a recalled tool result.
func caption(it *abi.Item) string {
	header := it.Header[strings.LastIndexByte(it.Header, '\n')+1:]
	_, after, _ := strings.Cut(header, "#"+strconv.FormatInt(it.Seq, 10)+" ")
	return strings.TrimSuffix(after, ": ")
}

func part(p *abi.Part) string {
	switch p.Type {
	case "text":
		return p.Text
	case "json":
		return string(p.JSON)
	}
	s := "[" + p.Type
	for _, more := range []string{p.Name, p.MIME, p.Alt} {
		if more != "" {
			s += ", " + more
		}
	}
	if p.Bytes > 0 {
		s += ", " + group(p.Bytes) + " bytes"
	}
	s += "]"
	if p.Text != "" {
		s += " " + p.Text
	}
	return s
}

// droppedShown is how many dropped messages are listed.
const droppedShown = 12

func (v *view) dropped(p *abi.Plan) {
	var sum int64
	reasons := slices.SortedFunc(maps.Keys(p.DroppedCounts), func(a, b string) int {
		if d := p.DroppedCounts[b] - p.DroppedCounts[a]; d != 0 {
			return int(max(min(d, 1), -1))
		}
		return strings.Compare(a, b)
	})
	var counts []string
	for _, r := range reasons {
		sum += p.DroppedCounts[r]
		counts = append(counts, group(p.DroppedCounts[r])+" "+r)
	}
	if sum == 0 {
		return
	}
	v.heading("Not in the plan")
	v.paragraph("", group(sum)+plural(sum, " message", " messages")+": "+strings.Join(counts, ", "))
	shown := p.Dropped
	if len(p.Candidates) == 0 && len(shown) > droppedShown {
		shown = shown[:droppedShown]
	}
	for i := range shown {
		d := &shown[i]
		line := "#" + strconv.FormatInt(d.Seq, 10)
		if d.ID != line {
			line += " " + printable(d.ID)
		}
		line += "  " + d.Reason
		if d.Of != "" {
			line += " " + printable(d.Of)
		}
		v.text("  " + line + ", " + group(d.Tokens) + " tokens\n")
	}
	if n := len(p.Dropped) - len(shown); n > 0 {
		v.text("  and " + group(int64(n)) + " more candidates\n")
	}
}

// candidates writes the fused ranking.
func (v *view) candidates(all []abi.Candidate) {
	if len(all) == 0 {
		return
	}
	v.heading("Candidates, the best first")
	for i := range all {
		c := &all[i]
		became := c.Kind
		if became == "" {
			became = c.Reason
		}
		v.text(pad(strconv.Itoa(i+1), 5) + "  #" + strconv.FormatInt(c.Seq, 10) + "  " + became + ", " + group(c.Tokens) +
			" tokens, " + why(&c.Why) + "\n")
	}
}

func pad(s string, width int) string { return strings.Repeat(" ", max(0, width-len(s))) + s }

func plural(n int64, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

func (v *view) warnings(p *abi.Plan) {
	if len(p.Warnings) == 0 && len(p.Repaired) == 0 {
		return
	}
	v.heading("Warnings")
	for i := range p.Warnings {
		v.coloured(red, p.Warnings[i].Code)
		lines := wrap(": "+printable(explain(&p.Warnings[i])), v.width-len(p.Warnings[i].Code))
		v.text(lines[0] + "\n")
		if len(lines) > 1 {
			v.paragraph("  ", strings.Join(lines[1:], " "))
		}
	}
	if len(p.Repaired) > 0 {
		v.paragraph("", "half of a surrogate pair was replaced by U+FFFD in "+list(p.Repaired, 16))
	}
}

// explain says in a sentence what a warning means.
func explain(w *abi.Warning) string {
	switch w.Code {
	case abi.WarnDegraded:
		s := "without the list " + strings.Join(w.Lists, ", ")
		if w.SharePermille != nil {
			s = strconv.FormatInt(*w.SharePermille/10, 10) + " % of the searched messages are in the list " + strings.Join(w.Lists, ", ")
		}
		return s + " (" + w.Reason + ")"
	case abi.WarnNoEvidence:
		return "nothing that was searched speaks of what is rare in the question"
	case abi.WarnPinnedLeftOut:
		return "no room for what is pinned: " + list(w.IDs, 8)
	case abi.WarnHiddenChars:
		return "characters that hide text from people, in " + list(w.IDs, 8)
	}
	return list(w.IDs, 8)
}
