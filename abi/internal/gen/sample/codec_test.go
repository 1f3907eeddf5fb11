package sample

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/ctxplan/ctxplan/abi/internal/twin"
	"github.com/ctxplan/ctxplan/abi/wire"
)

var unions = map[reflect.Type]map[byte]string{
	reflect.TypeFor[Mixed]():  {'"': "Text", '[': "List"},
	reflect.TypeFor[Change](): {'{': "Raw"},
}

func everything() twin.Codec { return new(Everything) }

const (
	small = `{"name":"n","yes":true,"count":-7,"exact":0.5,"list":["a"],"inner":{"c":"c"},"null":null,"ranks":{}}`
	full  = ` {"name":"n\u00e9\n","yes":false,"count":9007199254740991,"small":-2147483648,"plain":3,"bound":12,"short":"four",
 "colour":"green","share":-0.5,"exact":-12.000001,"meta":{"a":[1, 2.5e3 ,{"b":null}]},"bytes":"AQID","list":[],"few":[1,2,3],
 "spans":[[1,2],[3,4]],"grid":[[true],[],[false,true]],"inner":{"a":"","b":false,"c":"明日","d":["x","y"],"again":{"c":"z"}},
 "maybe":{"c":"\ud83d\ude00"},"null":{"c":"\ud800"},"number":0,"inners":[{"c":"1"},{"c":"2"}],"words":{"b":"2","a":"1"},
 "ranks":{"lexical":6,"dense":1040},"deep":{"k":[{"c":"d"}],"e":[]},"mixed":[{"c":"m"}],"mixes":["t",null,[{"c":"u"}]],
 "change":{"turns":null,"part":{"on":true}}} `
)

// with returns the small document with one more or one other member.
func with(key, value string) string {
	var b strings.Builder
	b.WriteString(`{"`)
	b.WriteString(key)
	b.WriteString(`":`)
	b.WriteString(value)
	for _, m := range strings.Split(small[1:len(small)-1], `,"`) {
		m = `"` + strings.TrimPrefix(m, `"`)
		if !strings.HasPrefix(m, `"`+key+`":`) {
			b.WriteString("," + m)
		}
	}
	return b.String() + "}"
}

func TestErrorsNameCodeAndPath(t *testing.T) {
	for _, c := range []struct{ name, doc, code, path string }{
		{"unknown field", with("hue", "1"), "unknown_field", "hue"},
		{"unknown field inside", with("inner", `{"c":"","e":1}`), "unknown_field", "inner.e"},
		{"unknown field in an element", with("inners", `[{"c":""},{"x y":1}]`), "unknown_field", `inners[1]["x y"]`},
		{"another case", with("Name", `""`), "unknown_field", "Name"},
		{"empty name", with("", `""`), "unknown_field", `[""]`},
		{"duplicate", with("inner", `{"c":"","c":""}`), "invalid_request", "inner.c"},
		{"duplicate by escape", with("inner", `{"c":"","\u0063":""}`), "invalid_request", "inner.c"},
		{"duplicate after null", with("inner", `{"c":"","a":null,"a":""}`), "invalid_request", "inner.a"},
		{"duplicate in a map", with("words", `{"k":"","k":""}`), "invalid_request", "words.k"},
		{"duplicate in a map by escape", with("words", `{"\u006b":"","k":""}`), "invalid_request", "words.k"},
		{"duplicate by lone surrogates", with("words", `{"\ud800":"","\udfff":""}`), "invalid_request", "words.\uFFFD"},
		{"missing", `{}`, "invalid_request", "name"},
		{"missing the second", `{"name":""}`, "invalid_request", "yes"},
		{"missing inside", with("inners", `[{"c":""},{"a":""}]`), "invalid_request", "inners[1].c"},
		{"missing before a later error", with("inner", `{}`) + "x", "invalid_request", "inner.c"},
		{"first of two", with("count", `"a"`) + "x", "invalid_request", "count"},
		{"null for required", with("name", "null"), "invalid_request", "name"},
		{"null in a list", with("list", `["a",null]`), "invalid_request", "list[1]"},
		{"null in a map", with("ranks", `{"a":null}`), "invalid_request", "ranks.a"},
		{"text for number", with("count", `"1"`), "invalid_request", "count"},
		{"number for text", with("list", `["",1]`), "invalid_request", "list[1]"},
		{"object for list", with("list", `{}`), "invalid_request", "list"},
		{"fraction", with("count", "1.0"), "invalid_request", "count"},
		{"exponent", with("count", "1e2"), "invalid_request", "count"},
		{"above the largest", with("count", "9007199254740992"), "invalid_request", "count"},
		{"far above", with("count", strings.Repeat("9", 400)), "invalid_request", "count"},
		{"far above with exponent", with("exact", "1e400"), "invalid_request", "exact"},
		{"below 32 bits", with("small", "-2147483649"), "invalid_request", "small"},
		{"below min", with("bound", "-4"), "invalid_request", "bound"},
		{"above max", with("bound", "13"), "invalid_request", "bound"},
		{"share above max", with("share", "1.250001"), "invalid_request", "share"},
		{"seven digits", with("exact", "0.1234567"), "invalid_request", "exact"},
		{"seven digits of zero", with("exact", "0.0000000"), "invalid_request", "exact"},
		{"leading zero", with("count", "01"), "invalid_request", "count"},
		{"minus alone", with("count", "-"), "invalid_request", "count"},
		{"plus", with("count", "+1"), "invalid_request", "count"},
		{"point alone", with("exact", ".5"), "invalid_request", "exact"},
		{"point at the end", with("exact", "5."), "invalid_request", "exact"},
		{"not a number", with("count", "NaN"), "invalid_request", "count"},
		{"infinity", with("exact", "Infinity"), "invalid_request", "exact"},
		{"hexadecimal", with("count", "0x1"), "invalid_request", ""},
		{"long", with("short", `"fourx"`), "invalid_request", "short"},
		{"long by bytes", with("short", `"ééé"`), "invalid_request", "short"},
		{"enum", with("colour", `"pink"`), "invalid_request", "colour"},
		{"empty enum", with("colour", `""`), "invalid_request", "colour"},
		{"base64 without padding", with("bytes", `"AQ"`), "invalid_request", "bytes"},
		{"base64 with left-over bits", with("bytes", `"AR=="`), "invalid_request", "bytes"},
		{"base64 for URLs", with("bytes", `"-_-_"`), "invalid_request", "bytes"},
		{"base64 with a line break", with("bytes", `"AQ\n=="`), "invalid_request", "bytes"},
		{"base64 too long", with("bytes", `"AAAAAAAAAA=="`), "invalid_request", "bytes"},
		{"too many", with("few", "[1,2,3,4]"), "invalid_request", "few[3]"},
		{"pair of one", with("spans", "[[1,2],[3]]"), "invalid_request", "spans[1]"},
		{"pair of three", with("spans", "[[1,2,3]]"), "invalid_request", "spans[0][2]"},
		{"union of none", with("mixed", "true"), "invalid_request", "mixed"},
		{"inside a union", with("mixes", `[null,[{"c":""},{"c":7}]]`), "invalid_request", "mixes[1][1].c"},
		{"invalid UTF-8", with("name", "\"a\xffb\""), "invalid_request", "name"},
		{"invalid UTF-8 in raw", with("meta", "{\"a\":[\"\xc3\"]}"), "invalid_request", "meta.a[0]"},
		{"invalid UTF-8 in a name", with("inner", "{\"\xff\":1}"), "invalid_request", "inner"},
		{"surrogate in UTF-8", with("name", "\"\xed\xa0\x80\""), "invalid_request", "name"},
		{"control character", with("name", "\"a\nb\""), "invalid_request", "name"},
		{"NUL", with("name", "\"a\x00b\""), "invalid_request", "name"},
		{"escape that is none", with("name", `"\x41"`), "invalid_request", "name"},
		{"escape cut off", with("name", `"\u00"`), "invalid_request", "name"},
		{"single quotes", with("name", `'a'`), "invalid_request", "name"},
		{"comma at the end", with("list", `["a",]`), "invalid_request", "list"},
		{"comma at the end of an object", with("inner", `{"c":"",}`), "invalid_request", "inner"},
		{"no comma", with("list", `["a" "b"]`), "invalid_request", "list"},
		{"comment", with("list", `[/* none */]`), "invalid_request", "list[0]"},
		{"wrong bracket", with("list", `["a"}`), "invalid_request", "list"},
		{"word cut off", with("yes", `tru`), "invalid_request", "yes"},
		{"word too long", with("yes", `truely`), "invalid_request", ""},
		{"two documents", small + small, "invalid_request", ""},
		{"byte order mark", "\uFEFF" + small, "invalid_request", ""},
		{"empty", "", "invalid_request", ""},
		{"space alone", " \n", "invalid_request", ""},
		{"array", "[]", "invalid_request", ""},
		{"null", "null", "invalid_request", ""},
		{"deep", with("meta", strings.Repeat("[", 64)+strings.Repeat("]", 64)), "invalid_request", "meta" + strings.Repeat("[0]", 63)},
		{"very deep", strings.Repeat("[", 100_000), "invalid_request", strings.Repeat("[0]", 64)},
		{"very deep objects", strings.Repeat(`{"a":`, 100_000), "invalid_request", "a" + strings.Repeat(".a", 63)},
		{"deep after an error", with("count", `""`) + strings.Repeat("[", 65), "invalid_request", strings.Repeat("[0]", 64)},
		{"long name", with(strings.Repeat("é", 1000), "1"), "unknown_field", strings.Repeat("é", 32) + "…"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := wire.Decoder{Strict: true}
			err := d.Decode([]byte(c.doc), new(Everything))
			e, ok := err.(*wire.Error)
			if !ok {
				t.Fatalf("got %v, want an error", err)
			}
			if e.Code != c.code || e.Path != c.path || e.Message == "" {
				t.Errorf("got %s at %q (%s), want %s at %q", e.Code, e.Path, e.Message, c.code, c.path)
			}
			if d := (&twin.Reader{Strict: true, Unions: unions}).Compare([]byte(c.doc), everything); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestAgreesWithTwin(t *testing.T) {
	for _, doc := range []string{
		small, full,
		with("count", "-0"), with("exact", "-0.0"), with("exact", "1000000000.0"), with("exact", "-999999999.999999"),
		with("exact", "1000000000.000001"), with("exact", "0.000001"), with("exact", "100"), with("exact", "1.10"),
		with("maybe", "null"), with("number", "null"), with("number", "0"), with("mixed", "null"), with("mixed", "[]"),
		with("mixed", `""`), with("meta", " \t[ 1 , 2 ]\n"), with("meta", "null"), with("meta", "1e400"),
		with("bytes", `""`), with("bytes", `"AAAAAAAA"`), with("bytes", `"\u0041AA="`), with("bytes", `"\/\/\/\/"`),
		with("name", `"\ud83d\ude00\ude00\ud83d\ud83d\ude00x"`), with("name", `"\ud83dA"`), with("name", `"\ud83d\n"`),
		with("name", `"\u0000\u001f\u007f\u2028\"\\\/\b\f\n\r\t"`),
		with("name", "\"\u2028 \U0010FFFF \uFFFD\""),
		with("deep", `{"":[],"a.b":[{"c":"x"}]}`),
		with("meta", strings.Repeat("[", 63)+strings.Repeat("]", 63)),
		with("change", `{"x":{"y":[1]}}`), with("change", "{}"), with("change", "null"), with("change", "[]"),
		with("words", `{"`+strings.Repeat("k", 40_000)+`":"`+strings.Repeat(`\u00e9`, 40_000)+`"}`),
		with("name", `"`+strings.Repeat("明", 40_000)+`"`),
		with("name", `"`+strings.Repeat("a", 16_383)+"é"+strings.Repeat("a", 16_380)+"\xff"+`"`),
		with("list", "["+strings.Repeat(`"abc",`, 30_000)+`"d"]`),
		with("later", `{"new":[1,"\ud800",{"a":1,"a":2}]}`),
	} {
		for _, strict := range []bool{true, false} {
			r := twin.Reader{Strict: strict, Unions: unions}
			if d := r.Compare([]byte(doc), everything); d != "" {
				t.Errorf("strict %v, %.300s: %s", strict, doc, d)
			}
		}
	}
}

func TestEveryCutIsAnError(t *testing.T) {
	doc := strings.TrimSpace(full)
	for i := range len(doc) {
		for _, strict := range []bool{true, false} {
			d := wire.Decoder{Strict: strict}
			if d.Decode([]byte(doc[:i]), new(Everything)) == nil {
				t.Errorf("accepted when cut at %d: …%s", i, doc[max(0, i-20):i])
			}
		}
	}
}

func TestRepairedStringsAreNamed(t *testing.T) {
	var d wire.Decoder
	var v Everything
	doc := with("list", `["a","\ud800","b\udc00\ud801c"]`)
	doc = strings.Replace(doc, `"ranks":{}`, `"ranks":{"\ud83d":1},"words":{"k":"\ude00"},"meta":"\ud800"`, 1)
	if err := d.Decode([]byte(doc), &v); err != nil {
		t.Fatal(err)
	}
	want := []string{"list[1]", "list[2]", "ranks.\uFFFD", "words.k"}
	if !reflect.DeepEqual(d.Repaired, want) || d.RepairedCount != 5 {
		t.Errorf("got %q and %d, want %q and 5", d.Repaired, d.RepairedCount, want)
	}
	if v.List[2] != "b\uFFFD\uFFFDc" {
		t.Errorf("got %q", v.List[2])
	}
	many := with("list", "["+strings.Repeat(`"\ud800",`, 40)+`""]`)
	if err := d.Decode([]byte(many), new(Everything)); err != nil {
		t.Fatal(err)
	}
	if len(d.Repaired) != 16 || d.RepairedCount != 40 || d.Repaired[15] != "list[15]" {
		t.Errorf("got %d paths and %d, want 16 and 40", len(d.Repaired), d.RepairedCount)
	}
}

func TestAliasingIsByChoice(t *testing.T) {
	for _, alias := range []bool{false, true} {
		doc := []byte(with("words", `{"key":"word"}`))
		d := wire.Decoder{Alias: alias}
		var v Everything
		if err := d.Decode(doc, &v); err != nil {
			t.Fatal(err)
		}
		for i := range doc {
			doc[i] = '#'
		}
		if shared := v.Name == "#"; shared != alias {
			t.Errorf("alias %v: name is %q after the document was overwritten", alias, v.Name)
		}
		if _, kept := v.Words["key"]; kept == alias {
			t.Errorf("alias %v: keys are %v after the document was overwritten", alias, v.Words)
		}
	}
}

func TestPrefixStandsBeforePaths(t *testing.T) {
	for doc, want := range map[string]string{`{"a":""}`: "settings.c", `{"c":1}`: "settings.c", `[]`: "settings"} {
		d := wire.Decoder{Prefix: "settings"}
		err := d.Decode([]byte(doc), new(Inner))
		if e, ok := err.(*wire.Error); !ok || e.Path != want {
			t.Errorf("%s: got %v, want an error at %s", doc, err, want)
		}
	}
}

func TestEmptyAndOptionalTypes(t *testing.T) {
	for doc, want := range map[string]string{
		`{}`:                  `{}`,
		`{"b":"x"}`:           `{"b":"x"}`,
		`{"c":{"d":1},"a":1}`: `{"a":1,"c":{"d":1}}`,
	} {
		var v Optional
		if err := wire.Unmarshal([]byte(doc), &v); err != nil {
			t.Fatal(err)
		}
		if got := string(v.AppendWire(nil)); got != want {
			t.Errorf("%s: wrote %s, want %s", doc, got, want)
		}
	}
	var e Empty
	if got := string(e.AppendWire(nil)); got != "{}" {
		t.Errorf("wrote %s", got)
	}
	strict := wire.Decoder{Strict: true}
	if err := strict.Decode([]byte(`{"a":1}`), &e); err == nil || err.(*wire.Error).Code != wire.CodeUnknownField {
		t.Errorf("got %v", err)
	}
}

func TestWritesCanonically(t *testing.T) {
	var v Everything
	if err := wire.Unmarshal([]byte(full), &v); err != nil {
		t.Fatal(err)
	}
	const want = `{"name":"né\n","yes":false,"count":9007199254740991,"small":-2147483648,"plain":3,"bound":12,` +
		`"short":"four","colour":"green","share":-0.5,"exact":-12.000001,"meta":{"a":[1, 2.5e3 ,{"b":null}]},` +
		`"bytes":"AQID","list":[],"few":[1,2,3],"spans":[[1,2],[3,4]],"grid":[[true],[],[false,true]],` +
		`"inner":{"b":false,"c":"明日","d":["x","y"],"again":{"c":"z"}},"maybe":{"c":"😀"},"null":{"c":"` + "\uFFFD" + `"},` +
		`"number":0,"inners":[{"c":"1"},{"c":"2"}],"words":{"a":"1","b":"2"},"ranks":{"dense":1040,"lexical":6},` +
		`"deep":{"e":[],"k":[{"c":"d"}]},"mixed":[{"c":"m"}],"mixes":["t",null,[{"c":"u"}]],` +
		`"change":{"turns":null,"part":{"on":true}}}`
	if got := string(v.AppendWire(nil)); got != want {
		t.Errorf("wrote\n%s\nwant\n%s", got, want)
	}
}

func FuzzEverything(f *testing.F) {
	for _, doc := range []string{small, full, with("mixes", `["\ud800",[]]`), with("extra", "[[1]]")} {
		f.Add([]byte(doc), true)
		f.Add([]byte(doc), false)
	}
	f.Fuzz(func(t *testing.T, doc []byte, strict bool) {
		r := twin.Reader{Strict: strict, Unions: unions}
		if d := r.Compare(doc, everything); d != "" {
			t.Error(d)
		}
	})
}

func TestMutantsAgreeWithTwin(t *testing.T) {
	accepted, refused := 0, 0
	for seed := range uint64(8000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		doc := twin.Mutate(rng, []byte([]string{small, full}[rng.IntN(2)]))
		r := twin.Reader{Strict: rng.IntN(2) == 0, Unions: unions}
		if d := r.Compare(doc, everything); d != "" {
			t.Fatalf("strict %v, seed %d, %s: %s", r.Strict, seed, doc, d)
		}
		if wire.Unmarshal(doc, new(Everything)) == nil {
			accepted++
		} else {
			refused++
		}
	}
	if accepted < 1000 || refused < 1000 {
		t.Errorf("%d accepted and %d refused: the mutants show too little", accepted, refused)
	}
}
