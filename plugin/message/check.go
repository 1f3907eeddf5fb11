package message

import (
	"strconv"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/abi/wire"
	"github.com/ctxplan/ctxplan/plugin/calendar"
)

// Check says what is wrong with a message by itself, nil when nothing is. Paths in the error are relative to path.
func Check(w *abi.Message, path string) *wire.Error {
	if w.Time != "" {
		if _, ok := calendar.Parse(w.Time); !ok {
			return invalid(path+".time", "a time is RFC 3339 with an offset, such as 2026-05-22T22:45:00+08:00")
		}
	}
	if len(w.ToolCalls) > 0 && w.Role != abi.RoleAssistant {
		return invalid(path+".tool_calls", "only an assistant message has tool calls")
	}
	if w.Role == abi.RoleTool && w.ToolCallID == "" {
		return invalid(path+".tool_call_id", "a tool message names the call that it answers")
	}
	if w.Role != abi.RoleTool && w.ToolCallID != "" {
		return invalid(path+".tool_call_id", "only a tool message answers a call")
	}
	if w.Content.Empty() && len(w.ToolCalls) == 0 && w.ToolCallID == "" {
		return invalid(path+".content", "a message has content or tool calls")
	}
	for i := range w.ToolCalls {
		at := path + ".tool_calls[" + strconv.Itoa(i) + "]"
		c := &w.ToolCalls[i]
		if c.ID == "" {
			return invalid(at+".id", "a tool call has an id")
		}
		if c.Name == "" {
			return invalid(at+".name", "a tool call has a name")
		}
		for j := range i {
			if w.ToolCalls[j].ID == c.ID {
				return invalid(at+".id", "two calls of one message have the same id")
			}
		}
	}
	if len(w.Meta) > abi.MetaBytes {
		return invalid(path+".meta", "meta has at most 4,096 bytes")
	}
	for i, a := range w.ACL {
		if a == "" {
			return invalid(path+".acl["+strconv.Itoa(i)+"]", "a name in an acl is not empty")
		}
	}
	for i := range w.Content.Parts {
		if e := checkPart(&w.Content.Parts[i], path+".content["+strconv.Itoa(i)+"]"); e != nil {
			return e
		}
	}
	return nil
}

func checkPart(p *abi.Part, path string) *wire.Error {
	if (p.Type == "text" || p.Type == "thinking") && (p.Alt != "" || p.URL != "" || len(p.JSON) > 0) {
		return invalid(path, "a "+p.Type+" part has only a text")
	}
	if p.Type == "opaque" && (p.Provider == "" || p.Data == "") {
		return invalid(path, "an opaque part has a provider and data")
	}
	if p.Type != "opaque" && (p.Tokens != 0 || p.Type != "thinking" && (p.Provider != "" || p.Data != "")) {
		return invalid(path, "provider and data belong to opaque and thinking parts, tokens to opaque ones")
	}
	if p.Type == "json" && len(p.JSON) == 0 {
		return invalid(path+".json", "a json part has a value")
	}
	if p.Type == "image" && p.Text != "" {
		return invalid(path+".text", "the words of an image are its alt")
	}
	return nil
}

func invalid(path, message string) *wire.Error {
	return &wire.Error{Code: abi.CodeInvalidRequest, Message: message, Path: path}
}
