package text

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// terms writes the tokens of s: words as they are, numbers with #, grams in brackets, symbolic ones in braces.
func terms(s string) string {
	var sc Scanner
	return termsOf(&sc, s)
}

func termsOf(sc *Scanner, s string) string {
	var out []string
	sc.Scan(s, func(t Token) {
		f := [...]string{Word: "", Number: "#", Gram: "[", Symbolic: "{"}[t.Kind]
		out = append(out, f+string(t.Term)+[...]string{Word: "", Number: "", Gram: "]", Symbolic: "}"}[t.Kind])
	})
	return strings.Join(out, " ")
}

func TestScan(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"empty", "", ""},
		{"white space", " \t\n\u3000\u00a0", ""},
		{"punctuation alone", "?! ... -- #", ""},
		{"function words stay", "of the and", "of the and"},
		{"sentence", "Hello, World. Next!", "hello world next"},
		{"quote left open", `did we say "hi`, "did we say hi"},
		{"key and value", "key:value", "key value"},
		{"query operators", "a AND (b", "a and b"},
		{"negation stays whole", "I don't, can’t and won't", "i don't can't and won't"},
		{"possessive and contractions", "Ana’s it's we'll I'm they've", "ana it we i they"},
		{"name with an apostrophe", "O'Brien l'eau", "o brien l eau"},
		{"thousands and decimals", "1,500 1,234,567.25 3.14 50,000円", "#1500 #1234567.25 #3.14 #50000 [円]"},
		{"commas that are no thousands", "1,2,3 1234,567 1,50", "#1 #2 #3 #1234 #567 #1 #50"},
		{"versions, dates, times", "1.2.3 2024-05-08 10:30", "{1.2.3} #1 #2 #3 {2024-05-08} #2024 #05 #08 {10:30} #10 #30"},
		{"range of decimals", "1.5-2.5", "{1.5-2.5} #1.5 #2.5"},
		{"letters and digits", "v2 10km A123 7f3a", "{v2} v #2 {10km} #10 km {a123} a #123 7f3a"},
		{"programming languages", "C++, C# F# C++17", "{c++} c {c#} c {f#} f {c++17} c #17"},
		{"file names", ".env node.js .env.local", "{.env} env {node.js} node js {.env.local} env local"},
		{"paths and addresses", "/srv/app/config.yml ana@example.com",
			"{srv/app/config.yml} srv app config yml {ana@example.com} ana example com"},
		{"address of a page", "https://ex.org/a?b=c", "https {ex.org/a} ex org a b c"},
		{"identifiers", "user_id __init__ a__b", "{user_id} user id init {a_b} a b"},
		{"hyphens", "e-mail GPT-4 well‑known", "{email} e mail {gpt4} gpt #4 {wellknown} well known"},
		{"dashes do not join", "word--word – and — so", "word word and so"},
		{"money, shares, signs", "$50 €1,200 50% 50+ LGBTQ+", "{$50} #50 {€1200} #1200 {50%} #50 {50+} #50 {lgbtq+} lgbtq"},
		{"numbers and names with a sign", "#626 @ana --force issue#12", "{#626} #626 {@ana} ana {--force} force issue {#12} #12"},
		{"a dot at the end does not join", "see node.js. Then R&D.", "see {node.js} node js then {r&d} r d"},
		{"a sentence without a space", "end...Next", "end next"},

		{"decomposed", "Zu\u0308rich office", "zürich office"},
		{"full-width", "ＡＰＩ ｋｅｙ", "api key"},
		{"ligature", "ﬁnal draft", "final draft"},
		{"sharp s", "STRASSE straße", "strasse strasse"},
		{"cyrillic and greek", "Москва ΟΔΟΣ", "москва οδοσ"},
		{"fractions and circles", "½ x² ① 1½", "#1 #2 {x2} x #2 #1 #1 #1 #2"},
		{"keycap", "1️⃣ first", "#1 first"},
		{"roman numeral", "Ⅷ", "viii"},

		{"japanese by scripts", "明日の会議室を予約した", "[明日] [の] [会議] [議室] [を] [予約] [した]"},
		{"single characters", "雨、傘。", "[雨] [傘]"},
		{"latin within chinese", "用gRPC重写网关", "[用] grpc [重写] [写网] [网关]"},
		{"mixed script", "用Go写的agent", "[用] go [写的] agent"},
		{"a database", "我们选择了数据库PostgreSQL", "[我们] [们选] [选择] [择了] [了数] [数据] [据库] postgresql"},
		{"full-width punctuation parts", "买茶，买米！ＰＤＦ：好", "[买茶] [买米] pdf [好]"},
		{"long vowel mark belongs to its kana", "ラーメン", "[ラー] [ーメ] [メン]"},
		{"half-width kana", "ﾊﾟｿｺﾝ", "[パソ] [ソコ] [コン]"},
		{"iteration mark", "人々が", "[人々] [が]"},
		{"korean", "서울로 이사", "[서울] [울로] [이사]"},
		{"korean in jamo", "\u1109\u1165\u110b\u116e\u11af", "[서울]"},
		{"thai keeps marks with their letter", "สวัสดี", "[สวั] [วัส] [สดี]"},
		{"compatibility ideograph", "\uf900\u4e00", "[豈一]"},
		{"ideographic zero", "二〇二六", "[二〇] [〇二] [二六]"},
		{"digits between ideographs", "第3章", "[第] #3 [章]"},

		{"zero width space in a word", "ig\u200bnore", "ignore"},
		{"override", "abc\u202edef", "abcdef"},
		{"tags", "run\U000e0041\U000e0042", "run"},
		{"variation selector after an ideograph", "葛\U000e0100飾", "[葛飾]"},
		{"persian with a non-joiner", "می\u200cخواهم", "میخواهم"},
		{"hebrew with points", "שָׁלוֹם", fold("שָׁלוֹם")},
		{"hindi", "नमस्ते दुनिया", "नमस्ते दुनिया"},
		{"emoji", "nice 👨\u200d👩\u200d👧 🔥day", "nice day"},
		{"NUL and bad bytes", "W\x00s\x00\xff", "w s"},
		{"bad bytes within a word", "ab\xffcd", "ab cd"},
	} {
		if got := terms(c.in); got != c.want {
			t.Errorf("%s: Scan(%+q)\n got %s\nwant %s", c.name, c.in, got, c.want)
		}
	}
}

func TestScanPositions(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"source of a folded word", "in Zu\u0308rich.", "in Zu\u0308rich"},
		{"full-width", "ＡＰＩ, ok", "ＡＰＩ ok"},
		{"hidden characters are inside", "ig\u200bnore it", "ig\u200bnore it"},
		{"compound, then parts", "(C++17)", "C++17 C 17"},
		{"prefix and suffix", "$1,500 50%", "$1,500 1,500 50% 50"},
		{"possessive ends before its s", "Ana's cat", "Ana cat"},
		{"contraction is whole", "don't", "don't"},
		{"bigrams overlap", "数据库", "数据 据库"},
		{"half-width kana with voicing marks", "ﾊﾟﾝ", "ﾊﾟﾝ"},
	} {
		var got []string
		var s Scanner
		s.Scan(c.in, func(t Token) { got = append(got, c.in[t.Start:t.End]) })
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("%s: sources %q, want %q", c.name, g, c.want)
		}
	}
}

func TestScanSingles(t *testing.T) {
	s := Scanner{Singles: true}
	for _, c := range []struct{ in, want string }{
		{"数据库", "[数] [数据] [据] [据库] [库]"},
		{"雨、傘。", "[雨] [傘]"},
		{"会議を", "[会] [会議] [議] [を]"},
		{"数据库里有", "[数] [数据] [据] [据库] [库] [库里] [里] [里有] [有]"},
	} {
		if got := termsOf(&s, c.in); got != c.want {
			t.Errorf("Singles: Scan(%q) = %s, want %s", c.in, got, c.want)
		}
	}
}

func TestQueriesMeetStoredText(t *testing.T) {
	for _, c := range []struct{ name, stored, query string }{
		{"composed finds decomposed", "Zu\u0308rich office", "Zürich"},
		{"plain finds full-width", "ＡＰＩ ｋｅｙ", "api key"},
		{"word finds ligature", "ﬁnal draft", "final"},
		{"sharp s finds capitals", "STRASSE", "straße"},
		{"two characters", "明日の会議室を予約した", "会議"},
		{"one character before punctuation", "雨、傘。", "雨"},
		{"latin within chinese", "用gRPC重写网关", "grpc"},
		{"other order", "用gRPC重写网关", "网关重写"},
		{"three characters", "我们选择了数据库PostgreSQL", "数据库"},
		{"place in japanese", "東京に引っ越した", "東京"},
		{"place in korean with a particle", "서울로 이사했어요", "서울"},
		{"format in full-width letters", "请发ＰＤＦ，谢谢！", "PDF"},
		{"name in mixed script", "用Go写的agent", "go"},
		{"last word in mixed script", "用Go写的agent", "agent"},
		{"hidden character", "ig\u200bnore", "ignore"},
		{"hyphen or none", "send an e-mail", "email"},
		{"none or hyphen", "the GPT4 bill", "GPT-4"},
	} {
		stored := map[string]bool{}
		var s Scanner
		s.Scan(c.stored, func(t Token) { stored[string(t.Term)] = true })
		hit := false
		s.Scan(c.query, func(t Token) { hit = hit || stored[string(t.Term)] })
		if !hit {
			t.Errorf("%s: %q does not meet %q", c.name, c.query, c.stored)
		}
	}
	single := Scanner{Singles: true}
	if got := termsOf(&single, "会議室"); !strings.Contains(got, "[会]") {
		t.Errorf("with Singles, 会議室 gives %s and no 会", got)
	}
}

func TestScanLongWords(t *testing.T) {
	for _, unit := range []string{"a", "é", "Q", "7", "^", "가", "中", "\u0301", "\u200b", "a.", "a-b/", "+", "=", "\xff", "한\u11a8"} {
		n := 200_000
		if unit == "a" || unit == "^" {
			n = 1_000_000
		}
		text := strings.Repeat(unit, n)
		small := text[:len(text)/10]
		var s Scanner
		longest := 0
		emit := func(t Token) { longest = max(longest, len(t.Term)) }
		a, b := cost(func() { s.Scan(small, emit) }), cost(func() { s.Scan(text, emit) })
		if longest > MaxTerm {
			t.Errorf("%q: a term of %d bytes", unit, longest)
		}
		if b > 15*a && b.Milliseconds() > 200 {
			t.Errorf("%q: ten times the text took %v against %v", unit, b, a)
		}
	}
}

func TestScanTicks(t *testing.T) {
	n := 0
	s := Scanner{Tick: func() { n++ }}
	s.Scan(strings.Repeat("some words 一些文字 ", 10_000), func(Token) {})
	if n < 30 {
		t.Errorf("%d ticks", n)
	}
}

func TestScanAllocatesNothing(t *testing.T) {
	var s Scanner
	emit := func(Token) {}
	for _, c := range benchTexts {
		s.Scan(c.text, emit)
		if n := testing.AllocsPerRun(20, func() { s.Scan(c.text, emit) }); n > 0 {
			t.Errorf("%s: %v allocations", c.name, n)
		}
	}
}

// slowly scans without the short ways for plain words and ideographs.
func slowly(s *Scanner, text string, emit func(Token)) {
	s.emit = emit
	for i := 0; i < len(text); {
		i = s.step(text, i)
	}
	s.flush()
}

func FuzzScan(f *testing.F) {
	for _, c := range benchTexts {
		f.Add(c.text)
	}
	for _, s := range []string{"a\u0301 1,500.5% C++17 don't", "ﾊﾟｿ 한\u11a8 人々 สวัสดี", "x²½①1️⃣", "--a.b_c-d/e@f&g+h:1:2,333'll", "ig\u200bnore \u202eabc", "\xff\xe4\xb8",
		strings.Repeat("ab-", 40), strings.Repeat("x", 100) + "1", "中\U000e0100文字文字"} {
		f.Add(s)
	}
	f.Fuzz(checkScan)
}

// checkScan holds the promises of Scan.
func checkScan(t *testing.T, s string) {
	t.Helper()
	type kept struct {
		term       string
		start, end int
		kind       Kind
	}
	var fast, slow []kept
	var a, b Scanner
	a.Scan(s, func(t Token) { fast = append(fast, kept{string(t.Term), t.Start, t.End, t.Kind}) })
	slowly(&b, s, func(t Token) { slow = append(slow, kept{string(t.Term), t.Start, t.End, t.Kind}) })
	last := 0
	for i, k := range fast {
		if i >= len(slow) || slow[i] != k {
			t.Fatalf("%+q: token %d is %+v the short way and not the long way: %+v", s, i, k, slow)
		}
		if k.start < last || k.end <= k.start || k.end > len(s) {
			t.Fatalf("%+q: token %+v after start %d", s, k, last)
		}
		last = k.start
		if k.term == "" || len(k.term) > MaxTerm || !utf8.ValidString(k.term) || fold(k.term) != k.term {
			t.Fatalf("%+q: term %+q is not a folded term", s, k.term)
		}
		if strings.ContainsRune(k.term, 0) {
			t.Fatalf("%+q: a NUL in %+q", s, k.term)
		}
		if k.kind == Word && len(k.term) < MaxTerm/2 && utf8.ValidString(s) {
			src := fold(strings.ReplaceAll(s[k.start:k.end], "’", "'"))
			if !strings.Contains(src, k.term) {
				t.Fatalf("%+q: term %+q is not in its source %+q", s, k.term, src)
			}
		}
		if again := terms(k.term); k.kind == Word && len(k.term) <= MaxTerm-utf8.UTFMax && again != k.term && !strings.Contains(again, "{") {
			t.Fatalf("%+q: term %+q scans as %s", s, k.term, again)
		}
	}
	if len(slow) != len(fast) {
		t.Fatalf("%+q: %d tokens the short way, %d the long way", s, len(fast), len(slow))
	}
}
