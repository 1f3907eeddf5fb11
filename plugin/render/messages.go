package render

import (
	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/abi/wire"
)

// The formats of Messages.
const (
	FormatOpenAIChat      = "openai.chat"
	FormatOpenAIResponses = "openai.responses"
	FormatAnthropic       = "anthropic.messages"
	FormatGemini          = "gemini.contents"
	FormatText            = "text"
)

// Formats lists the formats. It must not be changed by callers.
var Formats = []string{FormatOpenAIChat, FormatOpenAIResponses, FormatAnthropic, FormatGemini, FormatText}

// Texts that stand where a provider refuses to have none.
const (
	// EmptyMessage is the text of a user message that says nothing.
	EmptyMessage = "(empty message)"
	// EmptyResult is the text of a tool result that says nothing.
	EmptyResult = "(empty result)"
	// AssistantBegins is the user message before a conversation that begins with another role.
	AssistantBegins = "(The assistant begins.)"
)

// failedMark stands before the text of a failed result in formats that have no field for failure.
const failedMark = "[error] "

// Messages writes the items of a plan as the parts of a request body that hold the conversation:
//
//	openai.chat         {"messages":[…]}
//	openai.responses    {"instructions":"…","input":[…]}
//	anthropic.messages  {"system":[…],"messages":[…]}
//	gemini.contents     {"system_instruction":{…},"contents":[…]}
//	text                {"text":"…"}
//
// The caller adds model, tools and limits. The system member is left out when there is no system text. The list is empty
// when no item is a message and nothing is quoted; providers want at least one, so the caller then adds its question. A
// plan whose last items are open calls needs their results before it can be sent.
//
// The error says which item is of an unknown kind or role. The items are not changed, and the result shares no memory with
// them. Messages may be called by several goroutines at once.
func Messages(format string, items []abi.Item) (wire.Raw, *wire.Error) {
	d := lookup(format)
	if d == nil {
		return nil, invalid("format", "there is no such format")
	}
	c, e := d.converse(items)
	if e != nil {
		return nil, e
	}
	c.settle(d)
	if d.inOrder {
		return d.write(c), nil
	}
	c.place()
	c.trim(d)
	return d.write(c), nil
}

func invalid(path, message string) *wire.Error {
	return &wire.Error{Code: wire.CodeInvalid, Message: message, Path: path}
}
