package tokens

import (
	"math/rand"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ctxplan/ctxplan/abi"
)

func TestScripts(t *testing.T) {
	for _, c := range []struct {
		name, text string
		least      int64
	}{
		{"Han", "会议改到周四上午九点请带合同原件与两份影印本签字", 24},
		{"Hangul", "가나다라마바사아자차카타파하거너더러머버서어저처", 24},
		{"Thai", "กขคงจฉชซญดตถทธนบปผพฟภมยร", 12},
		{"Latin", "abcdefghijklmnopqrstuvwx", 6},
	} {
		if n := utf8.RuneCountInString(c.text); n != 24 {
			t.Fatalf("%s has %d characters", c.name, n)
		}
		if got := Generic.Text(c.text); got < c.least {
			t.Errorf("%s: %d tokens, want at least %d", c.name, got, c.least)
		}
	}
}

func TestChars4IsThePublishedFormula(t *testing.T) {
	for text, want := range map[string]int64{"": 0, "a": 1, "abcd": 1, "abcde": 2, "会": 1, "会议": 2, "会议改到": 3, "会议改到a": 4, "é": 1} {
		if got := Chars4.Text(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	m := abi.Message{Role: abi.RoleUser, Content: abi.TextContent("abcdefgh")}
	if got := Chars4.Message(&m); got != 6 {
		t.Errorf("a message of 8 characters: %d, want 2 + 4", got)
	}
}

// Every part that is sent counts: tool calls, thinking, names.
func TestNothingIsFree(t *testing.T) {
	args := `{"rows":[` + strings.Repeat(`{"a":1,"b":"xyz"},`, 333) + `{}]}`
	m := abi.Message{Role: abi.RoleAssistant, ToolCalls: []abi.ToolCall{{ID: "c", Name: "save_rows", Arguments: args}},
		Content: abi.Content{Parts: []abi.Part{{Type: "thinking", Text: strings.Repeat("hm so ", 334)}}}}
	for p := range Count {
		if got, least := p.Message(&m), int64((len(args)+2000)/4+MessageOverhead+CallOverhead); got < least {
			t.Errorf("%s: %d, want at least %d", Names[p], got, least)
		}
		bare := m
		bare.ToolCalls = nil
		if p.Message(&bare) >= p.Message(&m) {
			t.Errorf("%s: the call is free", Names[p])
		}
		for _, part := range []abi.Part{{Type: "text", Text: "x"}, {Type: "thinking", Text: "x"}, {Type: "image", Alt: "x"},
			{Type: "image"}, {Type: "file", Name: "x"}, {Type: "file", Text: "x"}, {Type: "json", JSON: []byte("1")}} {
			more := m
			more.Content.Parts = append(append([]abi.Part{}, m.Content.Parts...), part)
			if p.Message(&more) <= p.Message(&m) {
				t.Errorf("%s: part %+v is free", Names[p], part)
			}
		}
	}
}

func TestImagesCostTheirPriceWhereverTheyStand(t *testing.T) {
	url := "data:image/png;base64," + strings.Repeat("iVBORw0KGgo/", 75_000)
	for p := range Count {
		part := abi.Message{Role: abi.RoleUser, Content: abi.Content{Parts: []abi.Part{{Type: "text", Text: "see chart"},
			{Type: "image", MIME: "image/png", URL: url}, {Type: "json", JSON: []byte(`{"v":"` + strings.Repeat("12 ", 1330) + `"}`)}}}}
		if got := p.Message(&part); got < ImagePrice+1000 || got > 5000 {
			t.Errorf("%s: parts cost %d", Names[p], got)
		}
		result := abi.Message{Role: abi.RoleTool, ToolCallID: "c", Content: abi.TextContent(`{"chart":"` + url + `","again":"` + url + `"}`)}
		if got := p.Message(&result); got < 2*ImagePrice || got > 2*ImagePrice+100 {
			t.Errorf("%s: a result with two data URLs costs %d", Names[p], got)
		}
		for name, text := range map[string]string{"a long word": strings.Repeat("iVBORw0KGgo/", 1000), "a short data URL": "data:image/png;base64,iVBORw0KGgo=",
			"no media type": "data: x;base64," + strings.Repeat("A", 100)} {
			if p.Payload(text) != p.Text(text) {
				t.Errorf("%s: %s is charged as an image", Names[p], name)
			}
		}
	}
}

func checkText(t *testing.T, p Profile, a, b string) {
	t.Helper()
	ca, cb, cab := p.Text(a), p.Text(b), p.Text(a+b)
	if cab > ca+cb+1 || cab < max(ca, cb) {
		t.Fatalf("%s: %q costs %d, %q costs %d, together %d", Names[p], a, ca, b, cb, cab)
	}
	if ca > int64(len(a)) || ca == 0 && a != "" {
		t.Fatalf("%s: %q (%d bytes) costs %d", Names[p], a, len(a), ca)
	}
}

func FuzzText(f *testing.F) {
	for _, s := range [][2]string{{"", ""}, {"abc", "DEF"}, {"a1", "b2"}, {"会议", "abc"}, {"\xff\xfe", "x"}, {"👨‍", "👩‍👧"}, {"12", "34"}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if !utf8.ValidString(a) || !utf8.ValidString(b) {
			t.Skip()
		}
		for p := range Count {
			checkText(t, p, a, b)
		}
	})
}

func TestTextAddsUp(t *testing.T) {
	r := rand.New(rand.NewSource(4))
	alphabet := []rune("aZ 0.\n{\"é我かเअم🔥\u200d_-")
	random := func() string {
		out := make([]rune, r.Intn(30))
		for i := range out {
			out[i] = alphabet[r.Intn(len(alphabet))]
		}
		return string(out)
	}
	for range 20_000 {
		a, b := random(), random()
		for p := range Count {
			checkText(t, p, a, b)
		}
	}
}

func BenchmarkText(b *testing.B) {
	s := strings.Repeat("The meeting moved to Thursday at nine; bring 2 copies of contract K-4417. ", 1000)
	for p := range Count {
		b.Run(Names[p], func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				p.Text(s)
			}
		})
	}
}
