package render

import (
	"strconv"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/calendar"
	"github.com/ctxplan/ctxplan/plugin/message"
	"github.com/ctxplan/ctxplan/plugin/text"
)

// captionBytes bounds the arguments in the caption of a tool result.
const captionBytes = 60

// speakerBytes bounds the name of a speaker in a header.
const speakerBytes = 40

var weekdays = [7]string{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"}

// DayLine is the line before the first item of a day, with its newline: 05-22 Fri, or 2026-05-22 Fri when the item before
// is of another year or there is none. It is empty when t is no time, or of the same day as before.
func DayLine(before, t calendar.Time) string {
	if !t.Valid || t.SameDay(before) {
		return ""
	}
	var b []byte
	if !before.Valid || before.Year != t.Year {
		b = pad(b, int(t.Year), 4)
		b = append(b, '-')
	}
	b = pad(b, int(t.Month), 2)
	b = append(b, '-')
	b = pad(b, int(t.Day), 2)
	b = append(b, ' ')
	b = append(b, weekdays[t.Weekday()]...)
	return string(append(b, '\n'))
}

// Header is what stands before the words of a quoted message: 22:45 #626 Ana: . Thread is empty unless items of several
// threads stand together. Caption is the call that a tool result answers, or empty.
func Header(m *message.Message, thread, caption string) string {
	b := make([]byte, 0, 48)
	if m.Time.Valid {
		b = pad(b, int(m.Time.Hour), 2)
		b = append(b, ':')
		b = pad(b, int(m.Time.Minute), 2)
		b = append(b, ' ')
	}
	if thread != "" {
		b = append(b, line(text.Prefix(thread, speakerBytes))...)
	}
	b = append(b, '#')
	b = strconv.AppendInt(b, m.Seq, 10)
	b = append(b, ' ')
	if caption != "" {
		b = append(b, caption...)
	} else {
		b = append(b, line(text.Prefix(m.Speaker(), speakerBytes))...)
	}
	return string(append(b, ": "...))
}

// Caption names a call, with the beginning of its arguments: get_order {"order":"A123"}.
func Caption(c *abi.ToolCall) string {
	args := text.Prefix(c.Arguments, captionBytes)
	if len(args) < len(c.Arguments) {
		args += "…"
	}
	if args == "" {
		return line(text.Prefix(c.Name, speakerBytes))
	}
	return line(text.Prefix(c.Name, speakerBytes) + " " + args)
}

// Quoted is the words of a message as they are quoted: its plain text, and on lines of their own its images by their
// descriptions, its files by their names, and its calls.
func Quoted(m *message.Message) string {
	b := append(make([]byte, 0, len(m.Text)), m.Text...)
	b = appendParts(b, m)
	for i := range m.Wire.ToolCalls {
		c := &m.Wire.ToolCalls[i]
		b = newLine(b)
		b = append(b, "→ "...)
		b = append(b, c.Name...)
		if c.Arguments != "" {
			b = append(b, ' ')
			b = append(b, c.Arguments...)
		}
	}
	return string(b)
}

// QuotedText is Quoted without the calls.
func QuotedText(m *message.Message) string {
	return string(appendParts(append(make([]byte, 0, len(m.Text)), m.Text...), m))
}

func appendParts(b []byte, m *message.Message) []byte {
	for i := range m.Wire.Content.Parts {
		p := &m.Wire.Content.Parts[i]
		words := p.Alt
		if p.Type == "file" {
			words = p.Name
		}
		if p.Type != "image" && p.Type != "file" || p.Type == "file" && words == "" && p.Text != "" {
			continue
		}
		b = append(newLine(b), '[')
		b = append(b, p.Type...)
		if words != "" {
			b = append(b, ": "...)
			b = append(b, line(words)...)
		}
		b = append(b, ']')
	}
	return b
}

func newLine(b []byte) []byte {
	if len(b) > 0 {
		return append(b, '\n')
	}
	return b
}

// line makes a name safe for a header: line ends and other controls become spaces.
func line(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] == 0x7f {
			b := []byte(s)
			for j := range b {
				if b[j] < ' ' || b[j] == 0x7f {
					b[j] = ' '
				}
			}
			return string(b)
		}
	}
	return s
}

func pad(b []byte, v, width int) []byte {
	var d [8]byte
	i := len(d)
	for v = max(v, 0); v > 0 || len(d)-i < width; v /= 10 {
		i--
		d[i] = byte('0' + v%10)
	}
	return append(b, d[i:]...)
}
