package render

// writeResponses writes input items of OpenAI's responses. The system text of the request is instructions; other system
// messages are input messages with their role. Calls and results are items of their own that go together by call_id. What
// an assistant said is one message per text, since content parts of its messages carry ids and annotations.
func writeResponses(c *conversation) []byte {
	w := &writer{}
	w.open('{')
	rest := c.system
	if len(rest) > 0 && rest[0].host && len(rest[0].texts) == 1 {
		w.member("instructions", rest[0].texts[0])
		rest = rest[1:]
	}
	w.key("input")
	w.open('[')
	for i := range rest {
		w.open('{')
		w.member("role", rest[i].role)
		w.key("content")
		w.open('[')
		for _, t := range rest[i].texts {
			w.inputText(t)
		}
		w.close("]}")
	}
	for i := range c.messages {
		m := &c.messages[i]
		if m.user {
			w.open('{')
			w.member("role", "user")
			w.key("content")
			w.inputContent(m.content)
			w.close("}")
			continue
		}
		w.outputItems(m)
	}
	w.close("]}")
	return w.b
}

// outputItems writes what an assistant thought, said and called, and what came back.
func (w *writer) outputItems(m *exchange) {
	for i := range m.content {
		switch p := &m.content[i]; p.form {
		case words:
			w.open('{')
			w.member("role", "assistant")
			w.member("content", p.text)
			w.close("}")
		case thought, sealed:
			w.reasoning(p)
		}
	}
	for i := range m.calls {
		c := &m.calls[i]
		w.open('{')
		w.member("type", "function_call")
		w.member("call_id", c.sent)
		w.member("name", c.name)
		w.member("arguments", argumentText(c.arguments))
		w.close("}")
	}
	for i := range m.results {
		r := &m.results[i]
		w.open('{')
		w.member("type", "function_call_output")
		w.member("call_id", m.calls[r.call].sent)
		w.key("output")
		if len(r.content) == 1 && r.content[0].form == words {
			w.text(r.content[0].text)
		} else {
			w.inputContent(r.content)
		}
		w.close("}")
	}
}

func (w *writer) reasoning(p *piece) {
	if p.whole {
		w.object(p.data)
		return
	}
	w.open('{')
	w.member("type", "reasoning")
	w.key("summary")
	w.open('[')
	if p.text != "" {
		w.open('{')
		w.member("type", "summary_text")
		w.member("text", p.text)
		w.close("}")
	}
	w.close("]")
	w.member("encrypted_content", p.data)
	w.close("}")
}

func (w *writer) inputText(s string) {
	w.open('{')
	w.member("type", "input_text")
	w.member("text", s)
	w.close("}")
}

func (w *writer) inputContent(content []piece) {
	w.open('[')
	for i := range content {
		switch p := &content[i]; {
		case p.form == words:
			w.inputText(p.text)
		case p.form != shown:
		case p.media.file && p.media.url != "":
			w.open('{')
			w.member("type", "input_file")
			w.member("file_url", p.media.url)
			w.close("}")
		case p.media.file:
			w.open('{')
			w.member("type", "input_file")
			w.member("filename", fileName(&p.media))
			w.member("file_data", p.media.dataURL())
			w.close("}")
		default:
			w.open('{')
			w.member("type", "input_image")
			w.member("image_url", p.media.address())
			w.close("}")
		}
	}
	w.close("]")
}
