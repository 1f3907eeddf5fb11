package message

import (
	"strings"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/calendar"
	"github.com/ctxplan/ctxplan/plugin/text"
)

// Message is a checked message of a thread. It is not changed after it was made, except by its Book.
type Message struct {
	// Wire is the message as it came, with its id.
	Wire abi.Message
	// Seq is its number in the thread, from 1.
	Seq  int64
	Time calendar.Time
	// Text is what can be quoted: the text parts, texts of files and json parts, joined by newlines.
	Text string
	// Hidden says that the text holds characters that hide text from people.
	Hidden bool
	// Edited counts how often it was given another content.
	Edited int64
	// Gone marks the place of a forgotten message. Nothing is left of it but its number.
	Gone bool

	// Call is the message whose call a tool message answers, by its number, and CallIndex which of its calls; -1 when there
	// is none.
	Call, CallIndex int32

	// Group, Turn, Run and Session are numbers from 0 in the thread.
	Group, Turn, Run, Session int32
}

// New makes a message of a checked wire message.
func New(w abi.Message, seq int64) *Message {
	m := &Message{Wire: w, Seq: seq, Text: PlainText(&w.Content), Call: -1}
	m.Time, _ = calendar.Parse(w.Time)
	m.Hidden = text.Hidden(m.Text)
	return m
}

// Tombstone takes the place of a forgotten message, so that numbers stay as they are.
func Tombstone(seq int64) *Message {
	return &Message{Seq: seq, Gone: true, Group: -1, Turn: -1, Run: -1}
}

// PlainText joins the texts of a content that can be quoted: text parts, texts of files and opaque parts, and json parts.
// Thinking and images are not among them.
func PlainText(c *abi.Content) string {
	if len(c.Parts) == 0 {
		return c.Text
	}
	var texts []string
	for i := range c.Parts {
		p := &c.Parts[i]
		switch p.Type {
		case "text", "file", "opaque":
			if p.Text != "" {
				texts = append(texts, p.Text)
			}
		case "json":
			if len(p.JSON) > 0 {
				texts = append(texts, string(p.JSON))
			}
		}
	}
	if len(texts) == 1 {
		return texts[0]
	}
	return strings.Join(texts, "\n")
}

// IndexText is what is searched: the plain text, descriptions of images, names of files, and tool calls with their
// arguments.
func (m *Message) IndexText() string {
	w := &m.Wire
	extra := len(w.ToolCalls)
	for i := range w.Content.Parts {
		if w.Content.Parts[i].Alt != "" || w.Content.Parts[i].Name != "" {
			extra++
		}
	}
	if extra == 0 {
		return m.Text
	}
	texts := make([]string, 0, 1+2*extra)
	if m.Text != "" {
		texts = append(texts, m.Text)
	}
	for i := range w.Content.Parts {
		p := &w.Content.Parts[i]
		if p.Name != "" {
			texts = append(texts, p.Name)
		}
		if p.Alt != "" {
			texts = append(texts, p.Alt)
		}
	}
	for i := range w.ToolCalls {
		texts = append(texts, w.ToolCalls[i].Name+" "+w.ToolCalls[i].Arguments)
	}
	return strings.Join(texts, "\n")
}

// Speaker is the name of who speaks: the given name, else the role.
func (m *Message) Speaker() string {
	if m.Wire.Name != "" {
		return m.Wire.Name
	}
	return m.Wire.Role
}

// Standing says that the message is a system or developer message.
func (m *Message) Standing() bool {
	return m.Wire.Role == abi.RoleSystem || m.Wire.Role == abi.RoleDeveloper
}

// Bytes is the size of all that the message brings: texts, calls, names, ids.
func Bytes(w *abi.Message) int64 {
	n := len(w.ID) + len(w.Role) + len(w.Name) + len(w.Time) + len(w.Content.Text) + len(w.ToolCallID)
	for i := range w.ToolCalls {
		n += len(w.ToolCalls[i].ID) + len(w.ToolCalls[i].Name) + len(w.ToolCalls[i].Arguments)
	}
	for i := range w.Content.Parts {
		p := &w.Content.Parts[i]
		n += len(p.Type) + len(p.Text) + len(p.Name) + len(p.MIME) + len(p.Alt) + len(p.URL) + len(p.JSON) + len(p.Provider) + len(p.Data)
	}
	for k, v := range w.Labels {
		n += len(k) + len(v)
	}
	for _, a := range w.ACL {
		n += len(a)
	}
	return int64(n + len(w.Meta))
}

// Equal reports whether two messages say the same: role, name, content and calls. Ids, times and pins do not count, and
// one text part is the same as that text.
func Equal(a, b *abi.Message) bool {
	if a.Role != b.Role || a.Name != b.Name || a.ToolCallID != b.ToolCallID || a.Error != b.Error ||
		len(a.ToolCalls) != len(b.ToolCalls) {
		return false
	}
	for i := range a.ToolCalls {
		if a.ToolCalls[i] != b.ToolCalls[i] {
			return false
		}
	}
	ta, pa := single(&a.Content)
	tb, pb := single(&b.Content)
	if ta != tb || len(pa) != len(pb) {
		return false
	}
	for i := range pa {
		x, y := &pa[i], &pb[i]
		if x.Type != y.Type || x.Text != y.Text || x.Name != y.Name || x.MIME != y.MIME || x.Bytes != y.Bytes || x.Alt != y.Alt ||
			x.URL != y.URL || string(x.JSON) != string(y.JSON) || x.Provider != y.Provider || x.Data != y.Data || x.Tokens != y.Tokens {
			return false
		}
	}
	return true
}

func single(c *abi.Content) (string, []abi.Part) {
	if len(c.Parts) == 1 && c.Parts[0].Type == "text" {
		return c.Parts[0].Text, nil
	}
	return c.Text, c.Parts
}
