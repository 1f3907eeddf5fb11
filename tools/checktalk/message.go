package checktalk

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// Roles of a message.
const (
	RoleUser      = "user"
	RoleAssistant = "assistant"
	RoleTool      = "tool"
)

// Message is one line of a conversation, with the fields that these conversations use.
type Message struct {
	Role       string  `json:"role"`
	Name       string  `json:"name,omitempty"`
	Time       string  `json:"time"`
	Content    *string `json:"content"`
	ToolCalls  []Call  `json:"tool_calls,omitempty"`
	ToolCallID string  `json:"tool_call_id,omitempty"`
}

// Call is one tool call; Arguments is the text of a JSON object.
type Call struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// Text is the content, "" for null.
func (m *Message) Text() string {
	if m.Content == nil {
		return ""
	}
	return *m.Content
}

// instant parses the time; the offset must be written out, as Z tells nothing about the place of the speaker.
func (m *Message) instant() (time.Time, error) {
	return time.Parse("2006-01-02T15:04:05-07:00", m.Time)
}

// Question is one line of the questions. Evidence holds line numbers of the conversation, from 1, ascending.
type Question struct {
	ID       string `json:"id"`
	Lang     string `json:"lang"`
	Question string `json:"question"`
	Evidence []int  `json:"evidence"`
	Answer   string `json:"answer"`
	Type     string `json:"type"`
}

// ReadMessages reads a conversation; an error names the line.
func ReadMessages(r io.Reader) ([]Message, error) { return readLines[Message](r) }

// ReadQuestions reads questions; an error names the line.
func ReadQuestions(r io.Reader) ([]Question, error) { return readLines[Question](r) }

// readLines decodes one value a line and refuses fields that T does not have, empty lines, and more than one value.
func readLines[T any](r io.Reader) ([]T, error) {
	var all []T
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		d.DisallowUnknownFields()
		var v T
		if err := d.Decode(&v); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if _, err := d.Token(); err != io.EOF {
			return nil, fmt.Errorf("line %d: more than one value", n)
		}
		all = append(all, v)
	}
	return all, lines.Err()
}
