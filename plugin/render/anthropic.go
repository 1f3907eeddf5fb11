package render

// writeAnthropic writes messages of Anthropic's Messages API: turns of user and assistant that alternate, with content
// blocks. Results are the first blocks of the user's turn behind the calls. The system is one text block per instruction.
// Thinking is sent with its signature only.
func writeAnthropic(c *conversation) []byte {
	w := &writer{}
	w.open('{')
	if len(c.system) > 0 {
		w.key("system")
		w.open('[')
		for i := range c.system {
			for _, t := range c.system[i].texts {
				w.textBlock(t)
			}
		}
		w.close("]")
	}
	w.key("messages")
	w.open('[')
	t := turns{w: w, member: "content"}
	for i := range c.messages {
		m := &c.messages[i]
		if m.user {
			t.turn("user")
			w.blocks(m.content)
			continue
		}
		t.turn("assistant")
		w.blocks(m.content)
		for j := range m.calls {
			w.open('{')
			w.member("type", "tool_use")
			w.member("id", m.calls[j].sent)
			w.member("name", m.calls[j].name)
			w.key("input")
			w.arguments(m.calls[j].arguments)
			w.close("}")
		}
		for j := range m.results {
			t.turn("user")
			w.resultBlock(m, &m.results[j])
		}
	}
	t.end()
	w.close("]}")
	return w.b
}

// turns writes the objects of a list in which neighbours have different roles.
type turns struct {
	w *writer
	// member that holds the content.
	member string
	role   string
}

// turn makes the list of the role's content the open one.
func (t *turns) turn(role string) {
	if t.role == role {
		return
	}
	t.end()
	t.role = role
	t.w.open('{')
	t.w.member("role", role)
	t.w.key(t.member)
	t.w.open('[')
}

func (t *turns) end() {
	if t.role != "" {
		t.w.close("]}")
	}
	t.role = ""
}

func (w *writer) textBlock(s string) {
	w.open('{')
	w.member("type", "text")
	w.member("text", s)
	w.close("}")
}

func (w *writer) resultBlock(m *exchange, r *result) {
	w.open('{')
	w.member("type", "tool_result")
	w.member("tool_use_id", m.calls[r.call].sent)
	w.key("content")
	if len(r.content) == 1 && r.content[0].form == words {
		w.text(r.content[0].text)
	} else {
		w.open('[')
		w.blocks(r.content)
		w.close("]")
	}
	if r.failed {
		w.key("is_error")
		w.raw("true")
	}
	w.close("}")
}

func (w *writer) blocks(content []piece) {
	for i := range content {
		switch p := &content[i]; p.form {
		case words:
			w.textBlock(p.text)
		case thought:
			w.open('{')
			w.member("type", "thinking")
			w.member("thinking", p.text)
			w.member("signature", p.data)
			w.close("}")
		case sealed:
			if p.whole {
				w.object(p.data)
				continue
			}
			w.open('{')
			w.member("type", "redacted_thinking")
			w.member("data", p.data)
			w.close("}")
		case shown:
			w.mediaBlock(&p.media)
		}
	}
}

func (w *writer) mediaBlock(m *media) {
	w.open('{')
	if m.file {
		w.member("type", "document")
	} else {
		w.member("type", "image")
	}
	w.key("source")
	w.open('{')
	if m.url != "" {
		w.member("type", "url")
		w.member("url", m.url)
	} else {
		w.member("type", "base64")
		w.member("media_type", m.mime)
		w.member("data", m.data)
	}
	w.close("}")
	if m.file && m.name != "" {
		w.member("title", m.name)
	}
	w.close("}")
}
