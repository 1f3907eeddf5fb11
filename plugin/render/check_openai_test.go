package render

import (
	"strings"
)

// checkChat follows OpenAI's reference of chat completions (messages: system, developer, user, assistant and tool
// messages, ChatCompletionRequest*Message in its OpenAPI file) and what the service answers: "An assistant message with
// 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'", "messages with role 'tool' must be a
// response to a preceding message with 'tool_calls'", "Image URLs are only allowed for messages with role 'user'",
// "Expected a string with maximum length 40" for ids of calls, and the pattern of names.
func checkChat(f *faults, doc object) {
	f.keys(doc, "request", "messages")
	ids := map[string]bool{}
	waiting := map[string]bool{}
	said := false
	for i, m := range f.list(doc["messages"], "messages") {
		where := "messages[" + itoa(i) + "]"
		role, _ := m["role"].(string)
		if name, ok := m["name"]; ok {
			if s, _ := name.(string); !namePattern.MatchString(s) {
				f.add("%s: name %q does not match the pattern", where, name)
			}
		}
		if role != "tool" && len(waiting) > 0 {
			f.add("%s: calls must be followed by their results", where)
			waiting = map[string]bool{}
		}
		if role != "system" && role != "developer" && !said {
			said = true
			if role != "user" {
				f.add("%s: the first message is of the %s", where, role)
			}
		}
		switch role {
		case "system", "developer":
			f.keys(m, where, "role", "name", "content")
			if said {
				f.add("%s: instructions behind messages", where)
			}
			chatContent(f, m["content"], where, "text")
		case "user":
			f.keys(m, where, "role", "name", "content")
			chatContent(f, m["content"], where, "text", "image_url", "file")
		case "assistant":
			f.keys(m, where, "role", "name", "content", "tool_calls")
			calls, ok := m["tool_calls"]
			if m["content"] == nil {
				if !ok {
					f.add("%s: neither content nor calls", where)
				}
			} else {
				chatContent(f, m["content"], where, "text")
			}
			if !ok {
				continue
			}
			list := f.list(calls, where+".tool_calls")
			if len(list) == 0 {
				f.add("%s: an empty list of calls", where)
			}
			for _, c := range list {
				id, _ := c["id"].(string)
				fn, _ := c["function"].(object)
				name, _ := fn["name"].(string)
				if c["type"] != "function" || !callIDPattern.MatchString(id) || !namePattern.MatchString(name) {
					f.add("%s: call %q of %q", where, id, name)
				}
				if _, ok := fn["arguments"].(string); !ok {
					f.add("%s: arguments are not a text", where)
				}
				if ids[id] {
					f.add("%s: id %s is used twice", where, id)
				}
				ids[id], waiting[id] = true, true
			}
		case "tool":
			f.keys(m, where, "role", "tool_call_id", "content")
			id, _ := m["tool_call_id"].(string)
			if !waiting[id] {
				f.add("%s: result %s without its call", where, id)
			}
			delete(waiting, id)
			chatContent(f, m["content"], where, "text")
		default:
			f.add("%s: role %q", where, role)
		}
	}
}

func chatContent(f *faults, v any, where string, types ...string) {
	if _, ok := v.(string); ok {
		f.said(v, where)
		return
	}
	parts := f.list(v, where+".content")
	if len(parts) == 0 {
		f.add("%s: no parts", where)
	}
	for i, p := range parts {
		at := where + ".content[" + itoa(i) + "]"
		kind, _ := p["type"].(string)
		if !strings.Contains(" "+strings.Join(types, " ")+" ", " "+kind+" ") {
			f.add("%s: %s is not allowed here", at, kind)
		}
		switch kind {
		case "text":
			f.keys(p, at, "type", "text")
			f.said(p["text"], at)
		case "image_url":
			u, _ := p["image_url"].(object)
			f.keys(u, at, "url", "detail")
			f.address(u["url"], at, webTypes...)
		case "file":
			u, _ := p["file"].(object)
			f.keys(u, at, "filename", "file_data")
			f.said(u["filename"], at)
			f.address(u["file_data"], at, "application/pdf")
		}
	}
}

// checkResponses follows OpenAI's reference of responses (EasyInputMessage, FunctionToolCall, FunctionCallOutput,
// Reasoning in its OpenAPI file) and what the service answers: "No tool output found for function call", "No tool call
// found for function call output with call_id", "Item of type 'reasoning' was provided without its required following
// item", "Expected a string with maximum length 64" for call ids.
func checkResponses(f *faults, doc object) {
	f.keys(doc, "request", "instructions", "input")
	if v, ok := doc["instructions"]; ok {
		f.said(v, "instructions")
	}
	ids := map[string]bool{}
	waiting := map[string]bool{}
	said, reasoning := false, false
	for i, m := range f.list(doc["input"], "input") {
		where := "input[" + itoa(i) + "]"
		role, _ := m["role"].(string)
		kind, _ := m["type"].(string)
		if reasoning && role != "assistant" && kind != "function_call" && kind != "reasoning" {
			f.add("%s: reasoning without its required following item", where)
		}
		reasoning = kind == "reasoning"
		if role != "" && len(waiting) > 0 {
			f.add("%s: No tool output for %d calls", where, len(waiting))
			waiting = map[string]bool{}
		}
		if role != "system" && role != "developer" && !said {
			said = true
			if role != "user" {
				f.add("%s: the first message is of the %q", where, role+kind)
			}
		}
		switch {
		case role == "system" || role == "developer":
			f.keys(m, where, "role", "content")
			if said {
				f.add("%s: instructions behind messages", where)
			}
			inputContent(f, m["content"], where, "input_text")
		case role == "user":
			f.keys(m, where, "role", "content")
			inputContent(f, m["content"], where, "input_text", "input_image", "input_file")
		case role == "assistant":
			f.keys(m, where, "role", "content")
			f.said(m["content"], where)
		case kind == "reasoning":
			if m["encrypted_content"] == "" || m["summary"] == nil {
				f.add("%s: reasoning without content", where)
			}
		case kind == "compaction":
		case kind == "function_call":
			f.keys(m, where, "type", "call_id", "name", "arguments")
			id, _ := m["call_id"].(string)
			name, _ := m["name"].(string)
			if _, ok := m["arguments"].(string); !ok || !callIDPattern.MatchString(id) || !namePattern.MatchString(name) {
				f.add("%s: call %q of %q", where, id, name)
			}
			if ids[id] {
				f.add("%s: id %s is used twice", where, id)
			}
			ids[id], waiting[id] = true, true
		case kind == "function_call_output":
			f.keys(m, where, "type", "call_id", "output")
			id, _ := m["call_id"].(string)
			if !waiting[id] {
				f.add("%s: output %s without its call", where, id)
			}
			delete(waiting, id)
			if _, ok := m["output"].(string); ok {
				f.said(m["output"], where)
			} else {
				inputContent(f, m["output"], where, "input_text", "input_image", "input_file")
			}
		default:
			f.add("%s: role %q, type %q", where, role, kind)
		}
	}
	if reasoning {
		f.add("reasoning at the end without its required following item")
	}
}

func inputContent(f *faults, v any, where string, types ...string) {
	parts := f.list(v, where)
	if len(parts) == 0 {
		f.add("%s: no parts", where)
	}
	for i, p := range parts {
		at := where + "[" + itoa(i) + "]"
		kind, _ := p["type"].(string)
		if !strings.Contains(" "+strings.Join(types, " ")+" ", " "+kind+" ") {
			f.add("%s: %s is not allowed here", at, kind)
		}
		switch kind {
		case "input_text":
			f.said(p["text"], at)
		case "input_image":
			f.address(p["image_url"], at, webTypes...)
		case "input_file":
			if p["file_url"] != nil {
				f.keys(p, at, "type", "file_url")
				f.address(p["file_url"], at)
			} else {
				f.said(p["filename"], at)
				f.address(p["file_data"], at, "application/pdf")
			}
		}
	}
}
