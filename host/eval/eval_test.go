package eval_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxplan/ctxplan/host"
	"github.com/ctxplan/ctxplan/host/eval"
)

const conversations = `{"conv_id":"c1","lang":"en","sessions":[{"sid":"s1","date":"1:56 pm on 8 May, 2023","turns":[` +
	`{"tid":"t1","role":"user","speaker":"Ana","text":"The cellar key hangs behind the boiler."},` +
	`{"tid":"t2","role":"assistant","speaker":"assistant","text":"Good to know."}]},` +
	`{"sid":"s2","date":"March-15-2024","turns":[{"tid":"t3","role":"user","speaker":"Ana","text":"The plumber has the cellar key now."},` +
	`{"tid":"t4","role":"assistant","speaker":"assistant","text":"Tea is ready."}]}]}

{"conv_id":"c2","lang":"zh","sessions":[{"sid":"s1","date":"","turns":[{"tid":"t1","role":"user","speaker":"user","text":"地下室的钥匙在楼上。"}]}]}
`

const questions = `{"qid":"q1","conv_id":"c1","lang":"en","type":"single","question":"Where does the cellar key hang?","ev_turns":["t1"],"abstain":false}
{"qid":"q2","conv_id":"c1","lang":"en","type":"multi","question":"Who has the cellar key?","ev_turns":["t1","t3","t3"],"abstain":false}
{"qid":"q3","conv_id":"c1","lang":"en","type":"single","question":"Who won?","ev_turns":[],"abstain":true}
{"qid":"q4","conv_id":"c2","lang":"zh","type":"single","question":"钥匙在哪里","ev_turns":["t1"],"abstain":false}
`

func write(t *testing.T, dir, name, content string) {
	t.Helper()
	data := []byte(content)
	if strings.HasSuffix(name, ".gz") {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write(data)
		z.Close()
		data = b.Bytes()
	}
	if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func smallSet(t *testing.T) (string, *eval.Set) {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "small.conv.jsonl.gz", conversations)
	write(t, dir, "small.q.jsonl", questions)
	set, err := eval.Load(dir, "small")
	if err != nil {
		t.Fatal(err)
	}
	return dir, set
}

func TestLoad(t *testing.T) {
	dir, set := smallSet(t)
	if len(set.Conversations) != 2 || len(set.Questions) != 4 {
		t.Fatalf("%d conversations, %d questions", len(set.Conversations), len(set.Questions))
	}
	if n := len(set.Answerable()); n != 3 {
		t.Errorf("%d answerable questions, want 3", n)
	}
	if n := len(set.Answerable("multi")); n != 1 {
		t.Errorf("%d of type multi, want 1", n)
	}
	if c := set.Conversation("c2"); c == nil || c.Language != "zh" || set.Conversation("c9") != nil {
		t.Errorf("conversation c2 is %+v", c)
	}
	write(t, dir, "broken.conv.jsonl.gz", conversations+"{\n")
	if _, err := eval.Load(dir, "broken"); err == nil || !strings.Contains(err.Error(), "broken.conv.jsonl.gz:4:") {
		t.Errorf("a broken line gives %v", err)
	}
	write(t, dir, "bare.conv.jsonl.gz", conversations)
	if s, err := eval.Load(dir, "bare"); err != nil || len(s.Questions) != 0 {
		t.Errorf("a set without questions gives %v", err)
	}
	if _, err := eval.Load(dir, "absent"); err == nil {
		t.Error("a set that is not there was read")
	}
}

func TestParseDate(t *testing.T) {
	for s, want := range map[string]string{
		"1:56 pm on 8 May, 2023":           "2023-05-08T13:56:00Z",
		"March-15-2024":                    "2024-03-15T00:00:00Z",
		"2023-04-27":                       "2023-04-27T00:00:00Z",
		"2023/05/30 (Tue) 21:48":           "2023-05-30T21:48:00Z",
		"2026-05-15T11:51:46.295338+00:00": "2026-05-15T11:51:46Z",
		"":                                 "",
		"yesterday":                        "",
	} {
		d, ok := eval.ParseDate(s)
		got := ""
		if ok {
			got = d.Format("2006-01-02T15:04:05Z07:00")
		}
		if got != want {
			t.Errorf("%q is %q, want %q", s, got, want)
		}
	}
}

func TestTurnsOfASessionFollowOneAnother(t *testing.T) {
	s := eval.Session{Date: "11:50 pm on 8 May, 2023", Turns: make([]eval.Turn, 40)}
	s.Turns[3].Date = "2023-05-08T23:59:00Z"
	last := ""
	for i := range s.Turns {
		if i == 3 {
			if s.When(i) != "2023-05-08T23:59:00Z" {
				t.Errorf("a turn with a date of its own is at %s", s.When(i))
			}
			continue
		}
		when := s.When(i)
		if when < last || when > "2023-05-08T23:59:59Z" {
			t.Fatalf("turn %d is at %s, after %s", i, when, last)
		}
		last = when
	}
	if none := (&eval.Session{Turns: make([]eval.Turn, 1)}).When(0); none != "" {
		t.Errorf("a turn without any date is at %s", none)
	}
}

func TestChars4(t *testing.T) {
	for s, want := range map[string]int{"": 4, "a": 5, "four": 5, "fives": 6, "地下室": 7, "键 key": 6, "é": 5} {
		if got := eval.Chars4(s); got != want {
			t.Errorf("%q costs %d, want %d", s, got, want)
		}
	}
}

func TestTally(t *testing.T) {
	_, set := smallSet(t)
	var tally eval.Tally
	in := map[string]bool{"t1": true}
	for _, q := range set.Answerable() {
		tally.Add(&q, func(turn string) bool { return in[turn] }, 100)
	}
	total := tally.Total()
	if total.Questions != 3 || total.Mean() != 2.5/3 || total.All() != 2./3 || total.Tokens != 300 {
		t.Errorf("total %+v", total)
	}
	names, sums := tally.ByType()
	if strings.Join(names, " ") != "multi single" || sums[0].Mean() != .5 || sums[1].All() != 1 {
		t.Errorf("by type %v %+v", names, sums)
	}
	var b bytes.Buffer
	tally.Write(&b, "small", true)
	if s := b.String(); !strings.Contains(s, ".833/.667") || !strings.Contains(s, "1.000/1.000") || strings.Count(s, "\n") != 3 {
		t.Errorf("printed %q", s)
	}
}

func TestHaystacks(t *testing.T) {
	dir, _ := smallSet(t)
	write(t, dir, "hay.jsonl.gz", `{"id":"h1","lang":"en","length":15000,"segments":[{"src":"small","conv":"c2","a":0,"b":1},`+
		`{"src":"small","conv":"c1","a":1,"b":4}],"questions":["q2","q4"]}
{"id":"h2","lang":"en","length":15000,"segments":[{"src":"small","conv":"c1","a":3,"b":9}],"questions":[]}
`)
	hs, err := eval.LoadHaystacks(filepath.Join(dir, "hay.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	sets, err := eval.LoadSets(dir, hs)
	if err != nil {
		t.Fatal(err)
	}
	c, err := hs[0].Build(sets)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, s := range c.Sessions {
		for _, turn := range s.Turns {
			ids = append(ids, turn.ID)
		}
		ids = append(ids, "|")
	}
	if got := strings.Join(ids, " "); got != "c2:t1 | c1:t2 | c1:t3 c1:t4 |" {
		t.Errorf("turns %s", got)
	}
	qs := hs[0].Ask(sets)
	if len(qs) != 2 || strings.Join(qs[0].Evidence, " ") != "c1:t1 c1:t3 c1:t3" || qs[0].Conversation != "h1" {
		t.Errorf("questions %+v", qs)
	}
	if sets["small"].Questions[1].Evidence[0] != "t1" {
		t.Error("the questions of the set were changed")
	}
	if _, err := hs[1].Build(sets); err == nil {
		t.Error("a segment beyond the end of its conversation was built")
	}
}

func TestRunMeasuresPlans(t *testing.T) {
	_, set := smallSet(t)
	rt, err := host.New(context.Background(), host.Native())
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close(context.Background())
	for _, c := range []struct {
		budget int64
		mean   float64
		all    int
	}{
		{200, 1, 3},
		{28, 2.5 / 3, 2}, // room for one message of the English conversation
	} {
		var r eval.Report
		for _, a := range set.ByConversation(set.Answerable()) {
			if err := r.Run(context.Background(), rt, a, eval.Options{Budget: c.budget, Profile: "chars4", Strategy: "fused"}); err != nil {
				t.Fatal(err)
			}
		}
		total := r.Tally.Total()
		if total.Mean() != c.mean || total.Complete != c.all || total.Tokens > 3*int(c.budget) {
			t.Errorf("budget %d: %+v", c.budget, total)
		}
		if r.Messages != 5 || len(r.Plans) != 3 || r.Quantile(.5) <= 0 || r.Quantile(.95) < r.Quantile(.5) {
			t.Errorf("budget %d: %d messages, %d plans", c.budget, r.Messages, len(r.Plans))
		}
	}
}
