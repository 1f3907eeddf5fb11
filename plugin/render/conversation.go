package render

import (
	"strconv"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/abi/wire"
)

// conversation is a plan sorted into what every provider knows.
type conversation struct {
	system []system
	// early is the block of pinned items; late are the other blocks, in order. Each is one text.
	early string
	late  []string
	// messages of users and assistants.
	messages []exchange
	fences   fences
}

// system is one instruction.
type system struct {
	// host says that it is the text of the request and not a message.
	host  bool
	role  string
	name  string
	texts []string
}

// exchange is a message of a user or an assistant, and the results of its calls.
type exchange struct {
	user bool
	// name of the speaker when the format has a field for it.
	name    string
	content []piece
	calls   []call
	// results in the order in which they came.
	results []result
	// live says that the message is of the live turn or the input.
	live bool
}

type call struct {
	// raw is the id as it came, sent the one that is sent.
	raw, sent string
	name      string
	arguments string
	// signature of the model's thinking that goes with the call.
	signature string
	answered  bool
}

type result struct {
	// call is the index of the call.
	call    int
	content []piece
	failed  bool
}

// converse sorts the items, and pairs calls with results.
func (d *dialect) converse(items []abi.Item) (*conversation, *wire.Error) {
	c := &conversation{}
	var pinned, recalled, evidence, results block
	pinned.tag, recalled.tag, evidence.tag, results.tag = tagPinned, tagRecalled, tagEvidence, tagResults
	evidence.attribute = evidenceAttribute
	var open pairing
	var ids callIDs
	for i := range items {
		it := &items[i]
		path := "items[" + strconv.Itoa(i) + "]"
		live := false
		switch it.Kind {
		case abi.KindPinned:
			pinned.add(it.Header, quotedText(it))
			continue
		case abi.KindRetrieved:
			recalled.add(it.Header, quotedText(it))
			continue
		case abi.KindEvidence:
			evidence.add(it.Header, quotedText(it))
			continue
		case abi.KindSystem, abi.KindInstruction:
			if it.Role != abi.RoleSystem && it.Role != abi.RoleDeveloper {
				return nil, invalid(path+".role", "an instruction is of the system or the developer")
			}
		case abi.KindRecent:
		case abi.KindLive, abi.KindInput:
			live = true
		default:
			return nil, invalid(path+".kind", "there is no such kind of item")
		}
		switch it.Role {
		case abi.RoleSystem, abi.RoleDeveloper:
			if s := d.system(it); len(s.texts) > 0 {
				c.system = append(c.system, s)
			}
		case abi.RoleUser, abi.RoleAssistant:
			m := d.message(it, live, &ids)
			c.messages = append(c.messages, m)
			open.add(len(c.messages)-1, m.calls)
		case abi.RoleTool:
			at, n, ok := open.take(it.ToolCallID)
			if !ok {
				results.add(orphanHeader(it), quotedText(it))
				continue
			}
			m := &c.messages[at]
			m.calls[n].answered = true
			m.results = append(m.results, d.result(it, n))
		default:
			return nil, invalid(path+".role", "there is no such role")
		}
	}
	c.fences = d.fence(items)
	c.early = pinned.text(&c.fences)
	for _, b := range [...]*block{&recalled, &evidence, &results} {
		if t := b.text(&c.fences); t != "" {
			c.late = append(c.late, t)
		}
	}
	return c, nil
}

// system keeps the texts of an instruction byte-equal. Images and files are described.
func (d *dialect) system(it *abi.Item) system {
	s := system{host: it.Kind == abi.KindSystem, role: it.Role, name: it.Name}
	for _, p := range d.pieces(it, 0) {
		s.texts = append(s.texts, p.text)
	}
	return s
}

func (d *dialect) message(it *abi.Item, live bool, ids *callIDs) exchange {
	m := exchange{user: it.Role == abi.RoleUser, live: live}
	at := inAssistant
	if m.user {
		at = inUser
	}
	m.content = d.pieces(it, at)
	if m.user && len(m.content) == 0 {
		m.content = []piece{{text: EmptyMessage}}
	}
	switch {
	case d.inOrder || d.nameField && fitsName(it.Name):
		m.name = it.Name
	case it.Name != "":
		m.content = speak(it.Name, m.content, m.user)
	}
	if !m.user {
		for i := range it.ToolCalls {
			t := &it.ToolCalls[i]
			m.calls = append(m.calls, call{raw: t.ID, sent: ids.next(t.ID), name: d.functionName(t.Name), arguments: t.Arguments})
		}
	}
	if n := len(m.content); d.signsParts && n > 0 && len(m.calls) > 0 && m.content[n-1].signature() != "" {
		m.calls[0].signature = m.content[n-1].signature()
		m.content = m.content[:n-1]
	}
	return m
}

func (d *dialect) result(it *abi.Item, n int) result {
	r := result{call: n, failed: it.Error, content: d.pieces(it, inResult)}
	if len(r.content) == 0 {
		r.content = []piece{{text: EmptyResult}}
	}
	if r.failed && !d.errorField {
		r.content = markFailed(r.content)
	}
	return r
}

// markFailed says in words that a result is a failure.
func markFailed(content []piece) []piece {
	if content[0].form == words {
		content[0].text = failedMark + content[0].text
		return content
	}
	return append([]piece{{text: failedMark}}, content...)
}

// speak puts the name of the speaker before the first words of a message, and before an image of a user without words.
func speak(name string, content []piece, user bool) []piece {
	for i := range content {
		if content[i].form == words {
			content[i].text = plainName(name) + ": " + content[i].text
			return content
		}
	}
	if user {
		return append([]piece{{text: plainName(name) + ":"}}, content...)
	}
	return content
}

// says reports whether anything of a message can be sent.
func (m *exchange) says() bool {
	if len(m.calls) > 0 {
		return true
	}
	for i := range m.content {
		switch p := &m.content[i]; p.form {
		case words, shown:
			return true
		case sealed:
			if p.alone {
				return true
			}
		}
	}
	return false
}

// place puts the blocks where they are read, and a user message before a conversation that begins with another role.
func (c *conversation) place() {
	if len(c.late) > 0 {
		c.placeLate()
	}
	if c.early != "" {
		c.begin(0, []piece{{text: c.early}})
	}
	if len(c.messages) > 0 && !c.messages[0].user {
		c.insert(0, []piece{{text: AssistantBegins}})
	}
}

func (c *conversation) placeLate() {
	blocks := make([]piece, len(c.late))
	for i, t := range c.late {
		blocks[i].text = t
	}
	first := len(c.messages)
	for i := range c.messages {
		if c.messages[i].live {
			first = i
			break
		}
	}
	for i := first; i < len(c.messages); i++ {
		if c.messages[i].user {
			c.begin(i, blocks)
			return
		}
	}
	// Nothing may come behind calls that are open.
	if n := len(c.messages); first == n && n > 0 && c.messages[n-1].waits() {
		first = n - 1
	}
	c.insert(first, blocks)
}

// begin puts blocks at the beginning of message i. Where that is not a user's, or its name would stand for what is quoted,
// they are a message before it.
func (c *conversation) begin(i int, blocks []piece) {
	if i == len(c.messages) || !c.messages[i].user || c.messages[i].name != "" {
		c.insert(i, blocks)
		return
	}
	c.messages[i].content = append(blocks, c.messages[i].content...)
}

// insert puts a user message before message i.
func (c *conversation) insert(i int, content []piece) {
	c.messages = append(c.messages, exchange{})
	copy(c.messages[i+1:], c.messages[i:])
	c.messages[i] = exchange{user: true, content: content}
}

// trim takes away what a provider refuses at the end of a message or of the request.
func (c *conversation) trim(d *dialect) {
	for i := range c.messages {
		m := &c.messages[i]
		for n := len(m.content); d.thoughtsLead && !m.user && len(m.calls) == 0 && n > 0; n-- {
			if p := &m.content[n-1]; p.form != thought && (p.form != sealed || p.alone) {
				break
			}
			m.content = m.content[:n-1]
		}
	}
	if n := len(c.messages); d.trimsEnd && n > 0 && !c.messages[n-1].user && len(c.messages[n-1].calls) == 0 {
		content := c.messages[n-1].content
		if p := &content[len(content)-1]; p.form == words {
			p.text = trimRight(p.text)
		}
	}
}
