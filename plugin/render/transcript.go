package render

import (
	"strings"

	"github.com/ctxplan/ctxplan/abi"
)

// writeText writes the plan as one text, in plan order, for models that take no messages and for people. Everything stands
// between tags that occur in no text: <system>, <pinned>, <message role="user" name="Ana">, <call>, <result>, <recalled>,
// <evidence>.
func writeText(c *conversation) []byte {
	t := transcript{fences: &c.fences}
	for i := range c.system {
		t.open(tagSystem)
		for _, s := range c.system[i].texts {
			t.line(s)
		}
		t.close(tagSystem)
	}
	t.b = append(t.b, c.early...)
	late := false
	for i := range c.messages {
		m := &c.messages[i]
		if m.live && !late {
			late = true
			t.late(c)
		}
		t.message(m)
	}
	if !late {
		t.late(c)
	}
	w := &writer{}
	w.open('{')
	w.member("text", string(t.b))
	w.close("}")
	return w.b
}

type transcript struct {
	b      []byte
	fences *fences
}

// open writes a tag with attributes, which come as names and values.
func (t *transcript) open(tag string, attributes ...string) {
	var a strings.Builder
	for i := 0; i < len(attributes); i += 2 {
		if attributes[i+1] == "" {
			continue
		}
		a.WriteByte(' ')
		a.WriteString(attributes[i])
		a.WriteString(`="`)
		a.WriteString(attribute(attributes[i+1]))
		a.WriteByte('"')
	}
	t.b = openTag(t.b, tag, t.fences.of(tag), a.String())
}

func (t *transcript) close(tag string) { t.b = closeTag(t.b, tag, t.fences.of(tag)) }

func (t *transcript) line(s string) {
	t.b = append(t.b, s...)
	t.b = append(t.b, '\n')
}

func (t *transcript) late(c *conversation) {
	for _, s := range c.late {
		t.b = append(t.b, s...)
	}
}

func (t *transcript) message(m *exchange) {
	role := abi.RoleAssistant
	if m.user {
		role = abi.RoleUser
	}
	t.open(tagMessage, "role", role, "name", m.name)
	for i := range m.content {
		t.line(m.content[i].text)
	}
	for i := range m.calls {
		c := &m.calls[i]
		t.open(tagCall, "id", c.sent, "name", c.name)
		t.line(argumentText(c.arguments))
		t.close(tagCall)
	}
	t.close(tagMessage)
	for i := range m.results {
		r := &m.results[i]
		failed := ""
		if r.failed {
			failed = "true"
		}
		t.open(tagResult, "id", m.calls[r.call].sent, "error", failed)
		for j := range r.content {
			t.line(r.content[j].text)
		}
		t.close(tagResult)
	}
}

// attribute is a name as it can stand between quotes in a tag.
func attribute(s string) string { return inTag.Replace(plainName(s)) }

var inTag = strings.NewReplacer(`"`, "'", "<", "(", ">", ")")
