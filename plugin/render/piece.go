package render

import (
	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/abi/wire"
)

// form is what a piece is sent as.
type form uint8

const (
	// words are text.
	words form = iota
	// shown is an image or a file.
	shown
	// aside is an image or a file of a tool result in a format that takes it from a user only: its description stands in
	// the result, and it follows in a user message.
	aside
	// thought is thinking with its signature.
	thought
	// sealed is an opaque part of this provider.
	sealed
)

// piece is one piece of the content of a message, in a form that the format has.
type piece struct {
	form  form
	text  string
	media media
	// data is the signature of a thought, or what is sealed.
	data string
	// whole says that data is a JSON object: the provider's own block or item, sent as it is.
	whole bool
	// alone says that a sealed piece may be the end of its message.
	alone bool
}

// pieces lists what is sent of an item's content: its text first, of which an excerpt may be what is left, then its parts.
func (d *dialect) pieces(it *abi.Item, at place) []piece {
	var out []piece
	say := func(s string) {
		if !blank(s) {
			out = append(out, piece{text: s})
		}
	}
	say(it.Text)
	for i := range it.Parts {
		p := &it.Parts[i]
		switch p.Type {
		case "json":
			say(string(p.JSON))
		case "thinking":
			if at == inAssistant && p.Data != "" && d.owns(p.Provider) {
				out = append(out, piece{form: thought, text: p.Text, data: p.Data})
			}
		case "opaque":
			if at != inAssistant || p.Data == "" || !d.owns(p.Provider) {
				say(p.Text)
				continue
			}
			s := piece{form: sealed, text: p.Text, data: p.Data}
			if isObject(p.Data) {
				s.whole = true
				s.alone = !isThinking(member(p.Data, "type"))
			}
			out = append(out, s)
		case "image":
			out = append(out, d.medium(&d.images, p, at))
		case "file":
			switch {
			case blank(p.Text):
				out = append(out, d.medium(&d.files, p, at))
			case p.Name != "":
				say(describe(p) + "\n" + p.Text)
			default:
				say(p.Text)
			}
		default:
			say(p.Text)
		}
	}
	return out
}

// medium is an image or file as it can be sent, else its description.
func (d *dialect) medium(c *carrier, p *abi.Part, at place) piece {
	m, ok := source(p)
	switch {
	case !ok || !c.takes(&m):
	case c.places&at != 0:
		return piece{form: shown, media: m}
	case at == inResult && c.places&inUser != 0:
		return piece{form: aside, text: describe(p), media: m}
	}
	return piece{text: describe(p)}
}

func isThinking(kind string) bool {
	return kind == "thinking" || kind == "redacted_thinking" || kind == "reasoning"
}

// member is the text of a member of a JSON object, empty when it has no such text.
func member(object, name string) string {
	var value string
	var d wire.Decoder
	err := d.DecodeFunc([]byte(object), func(d *wire.Decoder) {
		for ok := d.Object(); ok; ok = d.Member() {
			if string(d.Key()) == name && d.Peek() == wire.KindString {
				value = d.String()
			} else {
				d.Skip()
			}
		}
	})
	if err != nil {
		return ""
	}
	return value
}

// blank reports whether a text has nothing but white space, which providers count as no text.
func blank(s string) bool {
	for _, r := range s {
		if !space(r) {
			return false
		}
	}
	return true
}

// space is the property White_Space of Unicode, and the controls.
func space(r rune) bool {
	switch {
	case r <= ' ', r == 0x7f, r == 0x85, r == 0xa0, r == 0x1680, r >= 0x2000 && r <= 0x200a, r == 0x2028, r == 0x2029,
		r == 0x202f, r == 0x205f, r == 0x3000:
		return true
	}
	return false
}
