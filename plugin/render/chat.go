package render

// writeChat writes messages of OpenAI's chat completions: roles system, developer, user, assistant and tool. System
// messages come first, each its own, with its role. Content is a text where it is one, else parts. Images of results
// follow them in a user message, since only that may hold them; the model's thinking has no place.
func writeChat(c *conversation) []byte {
	w := &writer{}
	w.open('{')
	w.key("messages")
	w.open('[')
	for i := range c.system {
		s := &c.system[i]
		w.open('{')
		w.member("role", s.role)
		if fitsName(s.name) {
			w.member("name", s.name)
		}
		w.key("content")
		w.chatTexts(s.texts)
		w.close("}")
	}
	for i := range c.messages {
		m := &c.messages[i]
		w.open('{')
		if m.user {
			w.member("role", "user")
		} else {
			w.member("role", "assistant")
		}
		if m.name != "" {
			w.member("name", m.name)
		}
		w.key("content")
		w.chatContent(m.content)
		w.chatCalls(m.calls)
		w.close("}")
		w.chatResults(m)
	}
	w.close("]}")
	return w.b
}

func (w *writer) chatCalls(calls []call) {
	if len(calls) == 0 {
		return
	}
	w.key("tool_calls")
	w.open('[')
	for i := range calls {
		c := &calls[i]
		w.open('{')
		w.member("id", c.sent)
		w.member("type", "function")
		w.key("function")
		w.open('{')
		w.member("name", c.name)
		w.member("arguments", argumentText(c.arguments))
		w.close("}}")
	}
	w.close("]")
}

// argumentText is the arguments as they came. A call without any has an empty object: some readers parse the text.
func argumentText(s string) string {
	if s == "" {
		return "{}"
	}
	return s
}

func (w *writer) chatResults(m *exchange) {
	for i := range m.results {
		r := &m.results[i]
		w.open('{')
		w.member("role", "tool")
		w.member("tool_call_id", m.calls[r.call].sent)
		w.key("content")
		w.chatTexts(r.texts())
		w.close("}")
	}
	if content := m.asides(); len(content) > 0 {
		w.open('{')
		w.member("role", "user")
		w.key("content")
		w.chatContent(content)
		w.close("}")
	}
}

// texts of a result. What is shown aside has its description there.
func (r *result) texts() []string {
	out := make([]string, len(r.content))
	for i := range r.content {
		out[i] = r.content[i].text
	}
	return out
}

// asides is the content of the user message that follows the results of a message, nil when there is nothing for it. While
// calls are open there is none: the results that are still to come would not stand behind the calls.
func (m *exchange) asides() []piece {
	if m.waits() {
		return nil
	}
	var out []piece
	for i := range m.results {
		r := &m.results[i]
		for _, p := range r.content {
			if p.form == aside {
				out = append(out, piece{text: p.text + " in the result of " + m.calls[r.call].name + ":"},
					piece{form: shown, media: p.media})
			}
		}
	}
	return out
}

func (w *writer) chatTexts(texts []string) {
	if len(texts) == 1 {
		w.text(texts[0])
		return
	}
	w.open('[')
	for _, t := range texts {
		w.chatText(t)
	}
	w.close("]")
}

func (w *writer) chatText(s string) {
	w.open('{')
	w.member("type", "text")
	w.member("text", s)
	w.close("}")
}

// chatContent writes null when there is no content: only a message with calls has none.
func (w *writer) chatContent(content []piece) {
	if len(content) == 0 {
		w.raw("null")
		return
	}
	if len(content) == 1 && content[0].form == words {
		w.text(content[0].text)
		return
	}
	w.open('[')
	for i := range content {
		switch p := &content[i]; {
		case p.form == words:
			w.chatText(p.text)
		case p.form != shown:
		case p.media.file:
			w.open('{')
			w.member("type", "file")
			w.key("file")
			w.open('{')
			w.member("filename", fileName(&p.media))
			w.member("file_data", p.media.dataURL())
			w.close("}}")
		default:
			w.open('{')
			w.member("type", "image_url")
			w.key("image_url")
			w.open('{')
			w.member("url", p.media.address())
			w.close("}}")
		}
	}
	w.close("]")
}

// address is the URL of media, or their data as a URL.
func (m *media) address() string {
	if m.url != "" {
		return m.url
	}
	return m.dataURL()
}

// fileName is the name of a file, which data may not be sent without.
func fileName(m *media) string {
	if m.name == "" {
		return "file"
	}
	return m.name
}
