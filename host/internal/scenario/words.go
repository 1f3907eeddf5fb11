package scenario

import (
	"strings"
	"unicode/utf8"

	"github.com/ctxplan/ctxplan/abi"
)

// words compares the text of items with what is stored.
func (g *guard) words() {
	for i := range g.p.Items {
		it := &g.p.Items[i]
		if !utf8.ValidString(it.Text) {
			g.fault("item %d is no UTF-8", i)
		}
		if it.Excerpt != nil {
			g.excerpt(i, it)
		}
		if it.Verbatim && it.Excerpt != nil {
			g.fault("item %d is whole and an excerpt", i)
		}
		if it.Thread != g.p.Thread || it.Seq < 1 || it.Seq > int64(len(g.stored)) || it.Kind == abi.KindInput {
			continue
		}
		m := &g.stored[it.Seq-1].Message
		if it.ID != m.ID || it.Role != m.Role || it.Name != m.Name || it.Time != m.Time {
			g.fault("item %d is not what is stored as #%d", i, it.Seq)
		}
		if len(m.Content.Parts) > 0 || len(m.ToolCalls) > 0 {
			continue
		}
		if it.Verbatim && it.Text != m.Content.Text {
			g.fault("item %d says that it is the whole text of #%d, and is not", i, it.Seq)
		}
		if it.Excerpt != nil && it.Excerpt.Of != int64(len(m.Content.Text)) {
			g.fault("item %d says that #%d has %d bytes", i, it.Seq, it.Excerpt.Of)
		} else if it.Excerpt != nil {
			g.spans(i, it, m.Content.Text)
		}
	}
}

// excerpt checks the form of the spans.
func (g *guard) excerpt(i int, it *abi.Item) {
	end := int64(0)
	var kept int64
	for _, s := range it.Excerpt.Spans {
		if s[0] < end || s[1] <= s[0] || s[1] > it.Excerpt.Of {
			g.fault("item %d has the span %v behind %d, of %d", i, s, end, it.Excerpt.Of)
		}
		end = s[1]
		kept += s[1] - s[0]
	}
	if kept >= it.Excerpt.Of {
		g.fault("item %d is an excerpt of all its %d bytes", i, it.Excerpt.Of)
	}
}

// spans looks for the text of each span in the excerpt, in order, and for cuts
// inside a character.
func (g *guard) spans(i int, it *abi.Item, original string) {
	rest := it.Text
	for _, s := range it.Excerpt.Spans {
		if s[1] > int64(len(original)) {
			return
		}
		part := original[s[0]:s[1]]
		if !utf8.ValidString(part) {
			g.fault("item %d has the span %v, which cuts a character", i, s)
			return
		}
		at := strings.Index(rest, part)
		if at < 0 {
			g.fault("item %d lacks the bytes of its span %v", i, s)
			return
		}
		rest = rest[at+len(part):]
	}
}
