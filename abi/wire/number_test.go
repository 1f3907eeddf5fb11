package wire

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var numbers = []string{`0`, `-0`, `1`, `-1`, `10`, `01`, `-01`, `00`, `-`, `+1`, `1.`, `.1`, `1.5`, `1.50`, `1.123456`, `1.1234560`, `1.1234567`,
	`0.000001`, `-0.000001`, `0.0000001`, `1e3`, `1E3`, `1e-3`, `1e400`, `9007199254740991`, `9007199254740992`, `-9007199254740991`, `-9007199254740992`,
	`9223372036854775807`, `9223372036854775808`, `18446744073709551616`, `99999999999999999999999999`, `9007199254.740991`, `9007199254.740992`,
	`-9007199254.740991`, `-9007199254.740992`, `1000000000`, `-1000000000`, `1000000000.000001`, `999999999.999999`, `-999999999.999999`, `9007199255`, `90071992547`, `900719925474099`, `1x`, `1 1`, `0x1`, `NaN`, `1_0`, `--1`, `1-1`, `1.2.3`, `1.-2`,
	`"1"`, `null`, `true`, `[1]`, ``, ` 7 `, strings.Repeat("1", 400), `0.` + strings.Repeat("1", 400)}

func checkNumber(t *testing.T, doc string) {
	t.Helper()
	trimmed := strings.Trim(doc, " \t\r\n")
	inside := func(x *big.Rat, limit int64) bool {
		return x.Cmp(big.NewRat(limit, 1)) <= 0 && x.Cmp(big.NewRat(-limit, 1)) >= 0
	}

	n, _, err := decode(doc, (*Decoder).Int)
	ok := json.Valid([]byte(doc)) && regexp.MustCompile(`^-?[0-9]+$`).MatchString(trimmed)
	want := new(big.Rat)
	if ok {
		want.SetString(trimmed)
		ok = inside(want, MaxInteger)
	}
	if (err == nil) != ok || ok && want.Cmp(big.NewRat(n, 1)) != 0 {
		t.Errorf("%q: integer %d and %v, want %v and success %v", doc, n, err, want, ok)
	}

	f, _, err := decode(doc, (*Decoder).Fixed)
	ok = json.Valid([]byte(doc)) && regexp.MustCompile(`^-?[0-9]+(\.[0-9]{1,6})?$`).MatchString(trimmed)
	if ok {
		want.SetString(trimmed)
		want.Mul(want, big.NewRat(1_000_000, 1))
		ok = inside(want, int64(MaxFixed))
	}
	if (err == nil) != ok || ok && want.Cmp(big.NewRat(int64(f), 1)) != 0 {
		t.Errorf("%q: %d millionths and %v, want %v and success %v", doc, int64(f), err, want, ok)
	}
	if !ok {
		return
	}
	text := f.String()
	if again, _, err := decode(text, (*Decoder).Fixed); err != nil || again != f {
		t.Errorf("%q: written as %s, read as %d and %v", doc, text, int64(again), err)
	}
	// A float64 finds the same millionths, and needs no more digits than were written.
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || Fixed(math.Round(x*1e6)) != f {
		t.Errorf("%s is %v as a float64, which is not %d millionths", text, x, int64(f))
	}
}

func TestNumbersAgreeWithRationals(t *testing.T) {
	for _, doc := range numbers {
		checkNumber(t, doc)
	}
}

func FuzzNumbers(f *testing.F) {
	for _, doc := range numbers {
		f.Add(doc)
	}
	f.Fuzz(checkNumber)
}

func TestFixedIsWrittenShortest(t *testing.T) {
	for f, want := range map[Fixed]string{0: "0", One: "1", -One: "-1", 1_500_000: "1.5", 1: "0.000001", -10: "-0.00001",
		100_000: "0.1", 123_456_789: "123.456789", math.MaxInt64: "9223372036854.775807", math.MinInt64: "-9223372036854.775808"} {
		if got := f.String(); got != want {
			t.Errorf("%d millionths are written %s, want %s", int64(f), got, want)
		}
		if got, err := json.Marshal(f); err != nil || string(got) != want {
			t.Errorf("encoding/json writes %s and %v, want %s", got, err, want)
		}
	}
}

func TestBase64AgreesWithStandard(t *testing.T) {
	docs := []string{`""`, `"A"`, `"AA"`, `"AAA"`, `"AAAA"`, `"AA=="`, `"AB=="`, `"AAA="`, `"AAB="`, `"A==="`, `"===="`, `"AA=A"`, `"AAAAA==="`, `"AAAA===="`,
		`"=AAA"`, `"A=AA"`, `"AAAA="`, `"AA==AAAA"`, `"-_-_"`, `"+/+/"`, `"\u0041A=="`, `"AA\u003d="`, `" AAA"`, `"AAA "`, `"AA\n=="`, `"AAAé"`, `"é"`}
	for n := range 50 {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(i*37 + n*101)
		}
		docs = append(docs, string(AppendBytes(nil, b)))
	}
	docs = append(docs, `"`+strings.Repeat("QUJD", 20_000)+`"`, `"`+strings.Repeat("QUJD", 20_000)+`QQ=="`, `"`+strings.Repeat("QUJD", 5000)+`=`+strings.Repeat("QUJD", 5000)+`"`)
	for _, doc := range docs {
		got, _, err := decode(doc, (*Decoder).Bytes)
		var text string
		if e := json.Unmarshal([]byte(doc), &text); e != nil {
			t.Fatal(e)
		}
		want, wantErr := base64.StdEncoding.Strict().DecodeString(text)
		ok := wantErr == nil && !strings.ContainsAny(text, "\r\n")
		if (err == nil) != ok || ok && string(got) != string(want) {
			t.Errorf("%.60s: got %x and %v, want %x and success %v", doc, got, err, want, ok)
		}
		if ok {
			if back := string(AppendBytes(nil, got)); back != `"`+text+`"` {
				t.Errorf("%.60s is written %.60s", doc, back)
			}
		}
	}
}

func TestBytesMaxIsExact(t *testing.T) {
	for n := range 20 {
		doc := string(AppendBytes(nil, make([]byte, n)))
		for limit := range 20 {
			_, _, err := decode(doc, func(d *Decoder) []byte { return d.BytesMax(limit) })
			if (err == nil) != (n <= limit) {
				t.Errorf("%d bytes with limit %d: %v", n, limit, err)
			}
		}
	}
}
