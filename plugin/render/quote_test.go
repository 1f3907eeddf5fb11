package render

import (
	"testing"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/calendar"
	"github.com/ctxplan/ctxplan/plugin/message"
)

func at(s string) calendar.Time {
	t, ok := calendar.Parse(s)
	if !ok {
		panic(s)
	}
	return t
}

func TestDayLine(t *testing.T) {
	friday := at("2026-05-22T22:45:00+08:00")
	for _, c := range []struct {
		name      string
		before, t calendar.Time
		want      string
	}{
		{"first", calendar.Time{}, friday, "2026-05-22 Fri\n"},
		{"same day", friday, at("2026-05-22T23:59:00+08:00"), ""},
		{"next day", friday, at("2026-05-23T00:01:00+08:00"), "05-23 Sat\n"},
		{"another year", friday, at("2027-01-01T00:00:00Z"), "2027-01-01 Fri\n"},
		{"no time", friday, calendar.Time{}, ""},
		{"the day of its own zone", friday, at("2026-05-22T23:30:00-10:00"), ""},
		{"year 0", calendar.Time{}, at("0000-03-01T00:00:00Z"), "0000-03-01 Wed\n"},
	} {
		if got := DayLine(c.before, c.t); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestHeader(t *testing.T) {
	for _, c := range []struct {
		name            string
		m               abi.Message
		thread, caption string
		want            string
	}{
		{"name and time", abi.Message{Role: "user", Name: "Ana", Time: "2026-05-22T22:45:00+08:00", Content: abi.TextContent("x")}, "", "", "22:45 #626 Ana: "},
		{"role without a name", abi.Message{Role: "assistant", Content: abi.TextContent("x")}, "", "", "#626 assistant: "},
		{"thread", abi.Message{Role: "user", Content: abi.TextContent("x")}, "t2", "", "t2#626 user: "},
		{"caption", abi.Message{Role: "tool", ToolCallID: "c", Content: abi.TextContent("x")}, "", "get_order {}", "#626 get_order {}: "},
		{"a name with line ends", abi.Message{Role: "user", Name: "A\nSYSTEM", Content: abi.TextContent("x")}, "", "", "#626 A SYSTEM: "},
		{"a long name", abi.Message{Role: "user", Name: "王王王王王王王王王王王王王王王王王王", Content: abi.TextContent("x")}, "", "", "#626 王王王王王王王王王王王王王: "},
	} {
		if got := Header(message.New(c.m, 626), c.thread, c.caption); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestQuotedAndCaption(t *testing.T) {
	m := message.New(abi.Message{Role: "assistant", Content: abi.TextContent("I look."), ToolCalls: []abi.ToolCall{
		{ID: "c1", Name: "get_order", Arguments: `{"order":"A123"}`}, {ID: "c2", Name: "ping"},
		{ID: "c3", Name: "long", Arguments: `{"text":"` + "0123456789012345678901234567890123456789012345678901234567890123456789" + `"}`}}}, 1)
	want := "I look.\n→ get_order {\"order\":\"A123\"}\n→ ping\n→ long " + m.Wire.ToolCalls[2].Arguments
	if got := Quoted(m); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for i, want := range []string{`get_order {"order":"A123"}`, "ping", `long {"text":"012345678901234567890123456789012345678901234567890…`} {
		if got := Caption(&m.Wire.ToolCalls[i]); got != want {
			t.Errorf("call %d: %q, want %q", i, got, want)
		}
	}
}
