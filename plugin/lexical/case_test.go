package lexical

import (
	"slices"
	"strings"
	"testing"
)

func indexOf(texts ...string) *Index {
	x := New()
	for i, s := range texts {
		x.Add(Doc{Text: s, Session: int32(i), Run: int32(i)})
	}
	return x
}

func find(x *Index, question string) []int {
	var s Searcher
	var docs []int
	for _, h := range s.Search(Compile(question), []*Index{x}, nil, 0).Hits {
		docs = append(docs, h.Doc)
	}
	return docs
}

func TestFinds(t *testing.T) {
	for _, c := range []struct {
		name     string
		texts    []string
		question string
		want     []int // in order; nothing else is found
	}{
		{"decomposed text, composed question", []string{"the Zu\u0308rich office", "ＡＰＩ ｋｅｙ", "ﬁnal draft", "STRASSE"}, "Zürich", []int{0}},
		{"full-width text", []string{"the Zu\u0308rich office", "ＡＰＩ ｋｅｙ", "ﬁnal draft", "STRASSE"}, "api key", []int{1}},
		{"ligature", []string{"the Zu\u0308rich office", "ＡＰＩ ｋｅｙ", "ﬁnal draft", "STRASSE"}, "final", []int{2}},
		{"sharp s", []string{"the Zu\u0308rich office", "ＡＰＩ ｋｅｙ", "ﬁnal draft", "STRASSE"}, "straße", []int{3}},
		{"Japanese bigram", []string{"明日の会議室を予約した", "雨、傘。", "用gRPC重写网关"}, "会議", []int{0}},
		{"one character inside a run", []string{"明日の会議室を予約した", "雨、傘。", "用gRPC重写网关"}, "会", []int{0}},
		{"one character that stands alone", []string{"明日の会議室を予約した", "雨、傘。", "用gRPC重写网关"}, "雨", []int{1}},
		{"Latin word inside Chinese", []string{"明日の会議室を予約した", "雨、傘。", "用gRPC重写网关"}, "grpc", []int{2}},
		{"shared bigrams, other order", []string{"明日の会議室を予約した", "雨、傘。", "用gRPC重写网关"}, "网关重写", []int{2}},
		{"word inside a longer run", []string{"我们选择了数据库PostgreSQL", "天气很好"}, "数据库", []int{0}},
		{"Japanese without particles", []string{"東京に引っ越した", "大阪に行く"}, "東京", []int{0}},
		{"Korean without particles", []string{"서울로 이사했어요", "부산에 가요"}, "서울", []int{0}},
		{"full-width punctuation parts words", []string{"好，请看ＰＤＦ！明天见", "天气很好"}, "PDF", []int{0}},
		{"mixed script, first", []string{"用Go写的agent", "天气很好"}, "Go", []int{0}},
		{"mixed script, last", []string{"用Go写的agent", "天气很好"}, "agent", []int{0}},
		{"a word in one of two messages", []string{"tea ready", "coffee ready"}, "tea", []int{0}},
		{"a word in all messages, in order", []string{"tea ready", "coffee ready"}, "ready", []int{0, 1}},
		{"one message", []string{"tea ready"}, "ready", []int{0}},
		{"no shared word", []string{"tea ready", "coffee ready"}, "piano", nil},
		{"equal texts, in order", []string{"same words", "same words", "same words"}, "words", []int{0, 1, 2}},
		{"no messages", nil, "words", nil},
		{"messages without words", []string{"", "?!", "  "}, "words", nil},
		{"empty question", []string{"tea ready"}, "", nil},
		{"blank question", []string{"tea ready"}, "  ", nil},
		{"question of punctuation", []string{"tea ready ?!"}, "?!", nil},
		{"nothing but connectives", []string{"the tea of the day and the hour"}, "of the and", nil},
		{"question words alone", []string{"The Who played", "tea ready"}, "The Who", []int{0}},
		{"open quotation mark", []string{"she said hi", "tea ready"}, "did we say \"hi", []int{0}},
		{"colon after a word", []string{"key: value", "tea ready"}, "key:value", []int{0}},
		{"words of query languages", []string{"plan a or b (both)", "tea ready"}, "plan AND (b", []int{0}},
		{"other form of a word", []string{"she repairs pianos", "tea ready"}, "who repaired the piano", []int{0}},
		{"misspelt word", []string{"the support group", "tea ready"}, "suport", []int{0}},
		{"swapped letters", []string{"the support group", "tea ready"}, "gruop", []int{0}},
		{"long shared prefix", []string{"the photographer came", "tea ready"}, "photography", []int{0}},
		{"short words are not replaced", []string{"the cat came", "tea ready"}, "cot", nil},
		{"symbols", []string{"written in C++", "written in plain C"}, "C++", []int{0, 1}},
		{"hidden character in a word", []string{"please ig\u200Bnore it", "tea ready"}, "ignore", []int{0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := find(indexOf(c.texts...), c.question); !slices.Equal(got, c.want) {
				t.Errorf("%q finds %v, want %v", c.question, got, c.want)
			}
		})
	}
}

// TestNeighboursAreCandidatesInLongTalks: the answer is often in the message beside the one that shares a word.
func TestNeighboursAreCandidatesInLongTalks(t *testing.T) {
	for _, n := range []int{2, 19, 20, 40} {
		x := New()
		for i := range n {
			d := Doc{Text: "coffee ready", Run: int32(i)}
			if i == 1 {
				d.Text = "tea ready"
			}
			x.Add(d)
		}
		var s Searcher
		hits := s.Search(Compile("tea"), []*Index{x}, nil, 0).Hits
		want := 1
		if n >= 20 {
			want = 4
		}
		if len(hits) != want || hits[0].Doc != 1 || !hits[0].Own {
			t.Fatalf("%d messages: %+v, want %d hits", n, hits, want)
		}
		for _, h := range hits[1:] {
			if h.Own || h.Context <= 0 || h.Score >= hits[0].Score {
				t.Errorf("%d messages: %+v", n, h)
			}
		}
	}
}

func TestEqualMessagesGetEqualScores(t *testing.T) {
	var s Searcher
	r := s.Search(Compile("ready"), []*Index{indexOf("tea ready", "coffee ready")}, nil, 0)
	if len(r.Hits) != 2 || r.Hits[0].Score != r.Hits[1].Score || r.Hits[0].Score <= 0 {
		t.Fatalf("hits %+v, want two of equal score above 0", r.Hits)
	}
}

func TestSpeakerAndTimeRaiseMessages(t *testing.T) {
	x := New()
	for i, d := range []Doc{
		{Text: "the piano was tuned", Speaker: "Bo", Year: 2024, Month: 3, Day: 9},
		{Text: "the piano was tuned", Speaker: "Ana", Year: 2024, Month: 5, Day: 8},
		{Text: "the piano was tuned yesterday", Speaker: "Bo", Year: 2024, Month: 3, Day: 9},
		{Text: "nothing to see here, Bo", Speaker: "Ana"},
	} {
		d.Session, d.Run = int32(i), int32(i)
		x.Add(d)
	}
	for _, c := range []struct {
		question string
		first    int
		boost    float64
	}{
		{"what did Ana say of the piano", 1, 1.8},
		{"what did Ana and Bo say of the piano", 3, 1},
		{"when was the piano tuned", 2, 1.25},
		{"how long was the piano tuned", 2, 1.25},
		{"the piano on 8 May", 1, 1.4},
		{"the piano in May", 1, 1.4},
		{"the piano, 2024-05-08", 1, 1.4},
		{"the piano, 2023-05-08", 1, 1},
	} {
		var s Searcher
		h := s.Search(Compile(c.question), []*Index{x}, nil, 0).Hits
		if len(h) == 0 || h[0].Doc != c.first || h[0].Boost != c.boost {
			t.Errorf("%q: first is %+v, want message %d with boost %g", c.question, h[:min(1, len(h))], c.first, c.boost)
		}
	}
}

func TestEvidence(t *testing.T) {
	var many []string
	for range 100 {
		many = append(many, "the talk of the day")
	}
	many = append(many, "a heron stood there", "another heron", "one more heron")
	x := indexOf(many...)
	for _, c := range []struct {
		question string
		want     bool
	}{
		{"where was the heron", true},
		{"where was the herom", true},
		{"what was the talk", false},
		{"where was the quokka", false},
		{"of the and", false},
		{"", false},
	} {
		var s Searcher
		if got := s.Search(Compile(c.question), []*Index{x}, nil, 0).Evidence; got != c.want {
			t.Errorf("%q: evidence %v, want %v", c.question, got, c.want)
		}
	}
	var s Searcher
	if !s.Search(Compile("tea"), []*Index{indexOf("tea ready")}, nil, 0).Evidence {
		t.Error("the only message of a memory is no evidence")
	}
}

func TestBestSentences(t *testing.T) {
	x := indexOf("It rained. The cellar key is with Frau Holm! We had tea. 地下室的钥匙在楼上。", "tea", "rain and tea")
	var s Searcher
	text := "It rained. The cellar key is with Frau Holm! We had tea. 地下室的钥匙在楼上。"
	for _, c := range []struct {
		question string
		want     []string
	}{
		{"where is the cellar key", []string{"The cellar key is with Frau Holm!"}},
		{"钥匙在哪里", []string{"地下室的钥匙在楼上。"}},
		{"tea or rain", []string{"It rained.", "We had tea."}},
		{"nothing whatsoever", nil},
	} {
		r := s.Search(Compile(c.question), []*Index{x}, nil, 0)
		var got []string
		for _, b := range r.BestSentences(text) {
			if b.Score <= 0 {
				t.Errorf("%q: score %g", c.question, b.Score)
			}
			got = append(got, text[b.Start:b.End])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.question, got, c.want)
		}
	}
}

func TestTermsSayWhatCounted(t *testing.T) {
	x := indexOf("the support group", "tea", "a group")
	var s Searcher
	r := s.Search(Compile("When did the suport group meet, the group?"), []*Index{x}, nil, 0)
	var got []string
	for _, m := range r.Terms {
		if m.Taken {
			got = append(got, m.Text)
		}
		if m.Text == "group" && (m.Messages != 2 || len(m.Spans) != 2 || m.IDF <= 0 || m.SentenceIDF <= 0) {
			t.Errorf("group: %+v", m)
		}
		if m.Text == "suport" && (!m.Replaced || m.Weight != .5 || m.Messages != 1) {
			t.Errorf("suport: %+v", m)
		}
		if m.Text == "when" && m.Weight != 0 {
			t.Errorf("when weighs %g", m.Weight)
		}
	}
	if want := "the suport group"; strings.Join(got, " ") != want {
		t.Errorf("taken %q, want %q", got, want)
	}
}

func TestTickIsCalled(t *testing.T) {
	docs := talkOf(3000)
	x := New()
	ticks := 0
	x.SetTick(func() { ticks++ })
	x.Add(Doc{Text: strings.Repeat("word ", 10_000)})
	if ticks < 8 {
		t.Errorf("%d ticks while 50 kB were added", ticks)
	}
	for _, d := range docs {
		x.Add(d)
	}
	n := 0
	s := Searcher{Tick: func() { n++ }}
	s.Search(Compile(questionsOf(docs, 1)[0]), []*Index{x}, nil, 0)
	if n < 3 {
		t.Errorf("%d ticks in a search over 3,000 messages", n)
	}
}

func TestOnlyTheFirstUnknownWordsAreReplaced(t *testing.T) {
	var texts, words []string
	for i := range 30 {
		word := strings.Repeat(string(rune('a'+i%26)), 3) + madeWord(i+5000)
		texts = append(texts, word)
		words = append(words, word[:3]+"x"+word[3:])
	}
	got := find(indexOf(texts...), strings.Join(words, " "))
	slices.Sort(got)
	if len(got) != maxReplaced || got[len(got)-1] != maxReplaced-1 {
		t.Errorf("found %v, want the first %d", got, maxReplaced)
	}
}
