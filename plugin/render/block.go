package render

import (
	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/text"
)

// Names of the tags. Blocks of quoted text have the first four; the format text has the others too.
const (
	tagPinned   = "pinned"
	tagRecalled = "recalled"
	tagEvidence = "evidence"
	tagResults  = "results"
	tagSystem   = "system"
	tagMessage  = "message"
	tagCall     = "call"
	tagResult   = "result"
)

// block is quoted text of one kind between two tags.
type block struct {
	tag       string
	attribute string
	body      []byte
	entries   int
}

// add puts in an entry, which ends with a newline.
func (b *block) add(header, text string) {
	b.body = append(b.body, header...)
	b.body = append(b.body, text...)
	b.body = append(b.body, '\n')
	b.entries++
}

// text is the whole block, empty when it has no entry.
func (b *block) text(f *fences) string {
	if b.entries == 0 {
		return ""
	}
	suffix := f.of(b.tag)
	out := make([]byte, 0, len(b.body)+64)
	out = openTag(out, b.tag, suffix, b.attribute)
	out = append(out, b.body...)
	return string(closeTag(out, b.tag, suffix))
}

func openTag(b []byte, tag, suffix, attributes string) []byte {
	b = append(b, '<')
	b = append(b, tag...)
	b = append(b, suffix...)
	b = append(b, attributes...)
	return append(b, ">\n"...)
}

func closeTag(b []byte, tag, suffix string) []byte {
	b = append(b, "</"...)
	b = append(b, tag...)
	b = append(b, suffix...)
	return append(b, ">\n"...)
}

// Frame is what stands around the quoted items of a kind, pinned, retrieved or evidence, with the longest suffix: text to
// be counted. For other kinds it is empty.
func Frame(kind string) string {
	b := block{entries: 1}
	switch kind {
	case abi.KindPinned:
		b.tag = tagPinned
	case abi.KindRetrieved:
		b.tag = tagRecalled
	case abi.KindEvidence:
		b.tag, b.attribute = tagEvidence, evidenceAttribute
	default:
		return ""
	}
	return b.text(&fences{tags: []string{b.tag}, suffixes: []string{suffixOf(0)}})
}

// evidenceAttribute says whose word evidence is.
const evidenceAttribute = ` trust="authority"`

// quotedText is the words of an item that is quoted: its text, and its parts as far as they are text.
func quotedText(it *abi.Item) string {
	if len(it.Parts) == 0 {
		return it.Text
	}
	out := it.Text
	var plain dialect
	for _, p := range plain.pieces(&abi.Item{Parts: it.Parts}, 0) {
		if out != "" {
			out += "\n"
		}
		out += p.text
	}
	return out
}

// orphanHeader stands before a result whose call is not among the items.
func orphanHeader(it *abi.Item) string {
	h := line(text.Prefix(it.Name, speakerBytes))
	if h == "" {
		h = abi.RoleTool
	}
	if it.ToolCallID != "" {
		h += " " + line(text.Prefix(it.ToolCallID, speakerBytes))
	}
	if it.Error {
		h += " (error)"
	}
	return h + ": "
}
