package render

// writeGemini writes contents of Google's generateContent: turns of user and model, with parts. The results of a message
// are a turn of their own, in the order of the calls and without ids: there one goes by place and name, and not every
// service knows the ids. Images of results follow in the user's turn behind it. A signature goes to the part behind the
// one that brings it, and where there is none to the part before.
func writeGemini(c *conversation) []byte {
	w := &writer{}
	w.open('{')
	if len(c.system) > 0 {
		w.key("system_instruction")
		w.open('{')
		w.key("parts")
		w.open('[')
		for i := range c.system {
			for _, t := range c.system[i].texts {
				w.geminiText(t, "")
			}
		}
		w.close("]}")
	}
	w.key("contents")
	w.open('[')
	t := turns{w: w, member: "parts"}
	for i := range c.messages {
		m := &c.messages[i]
		if m.user {
			t.turn("user")
		} else {
			t.turn("model")
		}
		w.geminiParts(m)
		if len(m.results) > 0 {
			t.turn("user")
			for _, r := range m.byCall() {
				w.functionResponse(m, r)
			}
			t.end()
		}
		if content := m.asides(); len(content) > 0 {
			t.turn("user")
			w.geminiParts(&exchange{user: true, content: content})
		}
	}
	t.end()
	w.close("]}")
	return w.b
}

func (w *writer) geminiParts(m *exchange) {
	signature := "" // for the next part
	for i := range m.content {
		switch p := &m.content[i]; p.form {
		case thought:
			signature = p.data
		case sealed:
			if p.whole {
				w.object(p.data)
			} else {
				signature = p.data
			}
		case words:
			if signature == "" && i+2 == len(m.content) {
				signature = m.content[i+1].signature()
			}
			w.geminiText(p.text, signature)
			signature = ""
		case shown:
			w.geminiMedia(&p.media)
		}
	}
	for i := range m.calls {
		w.open('{')
		w.key("functionCall")
		w.open('{')
		w.member("name", m.calls[i].name)
		w.key("args")
		w.arguments(m.calls[i].arguments)
		w.close("}")
		w.signature(m.calls[i].signature)
		w.close("}")
	}
}

// signature is what a piece brings for another part.
func (p *piece) signature() string {
	if p.form == thought || p.form == sealed && !p.whole {
		return p.data
	}
	return ""
}

func (w *writer) signature(s string) {
	if s != "" {
		w.member("thoughtSignature", s)
	}
}

func (w *writer) geminiText(s, signature string) {
	w.open('{')
	w.member("text", s)
	w.signature(signature)
	w.close("}")
}

func (w *writer) geminiMedia(m *media) {
	w.open('{')
	if m.url != "" {
		w.key("fileData")
		w.open('{')
		w.member("mimeType", m.mime)
		w.member("fileUri", m.url)
	} else {
		w.key("inlineData")
		w.open('{')
		w.member("mimeType", m.mime)
		w.member("data", m.data)
	}
	w.close("}}")
}

func (w *writer) functionResponse(m *exchange, r *result) {
	w.open('{')
	w.key("functionResponse")
	w.open('{')
	w.member("name", m.calls[r.call].name)
	w.key("response")
	w.open('{')
	if r.failed {
		w.key("error")
	} else {
		w.key("output")
	}
	if texts := r.texts(); len(texts) == 1 {
		w.text(texts[0])
	} else {
		w.open('[')
		for _, t := range texts {
			w.text(t)
		}
		w.close("]")
	}
	w.close("}}}")
}
