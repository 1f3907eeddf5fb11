package render

import (
	"regexp"
	"strings"
	"unicode"
)

// checkAnthropic follows Anthropic's reference of the Messages API and its pages on tool use ("Tool result blocks must
// immediately follow their corresponding tool use blocks … the tool_result blocks must come FIRST in the content array"),
// on extended thinking, vision and PDF support, and what the service answers: "roles must alternate", "first message must
// use the user role", "tool_use ids must be unique", "tool_use ids were found without tool_result blocks immediately
// after", "unexpected tool_use_id found in tool_result blocks", "text content blocks must contain non-whitespace text",
// "content cannot be empty if is_error is true", "final assistant content cannot end with trailing whitespace", "The final
// block in an assistant message cannot be thinking".
func checkAnthropic(f *faults, doc object) {
	f.keys(doc, "request", "system", "messages")
	if v, ok := doc["system"]; ok {
		list := f.list(v, "system")
		if len(list) == 0 {
			f.add("system: an empty list")
		}
		for i, b := range list {
			f.keys(b, "system", "type", "text")
			f.said(b["text"], "system["+itoa(i)+"]")
		}
	}
	ids := map[string]bool{}
	var waiting []string
	messages := f.list(doc["messages"], "messages")
	before := ""
	for i, m := range messages {
		where := "messages[" + itoa(i) + "]"
		f.keys(m, where, "role", "content")
		role, _ := m["role"].(string)
		last := i == len(messages)-1
		switch {
		case role != "user" && role != "assistant":
			f.add("%s: role %q", where, role)
		case i == 0 && role != "user":
			f.add("%s: the first message is not a user's", where)
		case role == before:
			f.add("%s: roles must alternate", where)
		}
		before = role
		blocks := f.list(m["content"], where)
		if len(blocks) == 0 {
			f.add("%s: no content", where)
			continue
		}
		if role == "user" {
			waiting = f.anthropicUser(blocks, where, waiting, last)
		} else {
			waiting = f.anthropicAssistant(blocks, where, ids, last)
		}
	}
}

// anthropicUser returns the calls that still wait.
func (f *faults) anthropicUser(blocks []object, where string, waiting []string, last bool) []string {
	text := false
	for i, b := range blocks {
		at := where + ".content[" + itoa(i) + "]"
		switch b["type"] {
		case "tool_result":
			f.keys(b, at, "type", "tool_use_id", "content", "is_error")
			if text {
				f.add("%s: tool_result blocks must come first", at)
			}
			id, _ := b["tool_use_id"].(string)
			found := false
			for j, w := range waiting {
				if w == id {
					waiting = append(waiting[:j:j], waiting[j+1:]...)
					found = true
					break
				}
			}
			if !found {
				f.add("%s: unexpected tool_use_id %s", at, id)
			}
			if _, ok := b["content"].(string); ok {
				f.said(b["content"], at)
				continue
			}
			list := f.list(b["content"], at)
			if len(list) == 0 {
				f.add("%s: blank content", at)
			}
			for _, x := range list {
				f.anthropicBlock(x, at)
			}
		case "tool_use", "thinking", "redacted_thinking":
			f.add("%s: %s of a user", at, b["type"])
		default:
			text = true
			f.anthropicBlock(b, at)
		}
	}
	if len(waiting) > 0 && (!last || text) {
		f.add("%s: tool_use ids %v without tool_result immediately after", where, waiting)
	}
	return nil
}

func (f *faults) anthropicBlock(b object, at string) {
	s, _ := b["source"].(object)
	switch b["type"] {
	case "text":
		f.keys(b, at, "type", "text")
		f.said(b["text"], at)
	case "image", "document":
		types := webTypes
		if b["type"] == "document" {
			types = []string{"application/pdf"}
			f.keys(b, at, "type", "source", "title")
		} else {
			f.keys(b, at, "type", "source")
		}
		if s["type"] == "url" {
			f.keys(s, at, "type", "url")
			f.address(s["url"], at)
		} else {
			f.keys(s, at, "type", "media_type", "data")
			mime, _ := s["media_type"].(string)
			data, _ := s["data"].(string)
			f.image(mime, data, at, types...)
		}
	default:
		f.add("%s: block %v", at, b["type"])
	}
}

var toolUsePattern = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,128}$`)

func (f *faults) anthropicAssistant(blocks []object, where string, ids map[string]bool, last bool) []string {
	var calls []string
	for i, b := range blocks {
		at := where + ".content[" + itoa(i) + "]"
		if len(calls) > 0 && b["type"] != "tool_use" {
			f.add("%s: %v behind a call", at, b["type"])
		}
		switch b["type"] {
		case "text":
			s := f.said(b["text"], at)
			if last && i == len(blocks)-1 && s != strings.TrimRightFunc(s, unicode.IsSpace) {
				f.add("%s: final assistant content ends with trailing whitespace", at)
			}
		case "thinking":
			f.keys(b, at, "type", "thinking", "signature")
			if s, _ := b["signature"].(string); s == "" {
				f.add("%s: thinking without a signature", at)
			}
		case "redacted_thinking":
			f.said(b["data"], at)
		case "compaction":
		case "tool_use":
			f.keys(b, at, "type", "id", "name", "input")
			id, _ := b["id"].(string)
			name, _ := b["name"].(string)
			if _, ok := b["input"].(object); !ok || !toolUsePattern.MatchString(id) || !toolUsePattern.MatchString(name) {
				f.add("%s: call %q of %q", at, id, name)
			}
			if ids[id] {
				f.add("%s: tool_use ids must be unique: %s", at, id)
			}
			ids[id] = true
			calls = append(calls, id)
		default:
			f.add("%s: %v of an assistant", at, b["type"])
		}
	}
	if t := blocks[len(blocks)-1]["type"]; t == "thinking" || t == "redacted_thinking" {
		f.add("%s: the final block in an assistant message cannot be %s", where, t)
	}
	return calls
}
