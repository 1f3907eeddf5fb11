package wire

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestTicksComeOften reads long documents of every kind and looks how far apart the ticks are.
func TestTicksComeOften(t *testing.T) {
	const size = 4 << 20
	long := func(piece string) string { return strings.Repeat(piece, size/len(piece)) }
	skip := func(d *Decoder) int { d.Skip(); return 0 }
	text := func(d *Decoder) int { return len(d.String()) }
	for _, c := range []struct {
		name, doc string
		read      func(*Decoder) int
	}{
		{"plain text", `"` + long("a") + `"`, text},
		{"other script", `"` + long("明") + `"`, text},
		{"escapes", `"` + long(`\n`) + `"`, text},
		{"skipped text", `"` + long("a") + `"`, skip},
		{"numbers", "[" + long("1,") + "1]", skip},
		{"space", long(" ") + "1", skip},
		{"empty objects", "[" + long("{},") + "1]", skip},
		{"members", "{" + long(`"a":1,`) + `"a":1}`, skip},
		{"base64", `"` + long("AAAA") + `"`, func(d *Decoder) int { return len(d.Bytes()) }},
	} {
		ticks, last, widest := 0, 0, 0
		var d Decoder
		d.Tick = func() {
			ticks++
			widest = max(widest, d.pos-last)
			last = d.pos
		}
		if err := d.DecodeFunc([]byte(c.doc), func(d *Decoder) { c.read(d) }); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		// One pass looks at the nesting, at least one reads.
		if least := 2 * (len(c.doc)/tickBytes - 1); ticks < least {
			t.Errorf("%s: %d ticks, want %d", c.name, ticks, least)
		}
		if widest > tickBytes+64 {
			t.Errorf("%s: %d bytes without a tick", c.name, widest)
		}
	}
}

func TestTickMayAbandonTheDocument(t *testing.T) {
	defer func() {
		if recover() != "stop" {
			t.Error("the panic of the tick was lost")
		}
	}()
	d := Decoder{Tick: func() { panic("stop") }}
	t.Errorf("decoded: %v", d.DecodeFunc([]byte(`"`+strings.Repeat("a", 100_000)+`"`), (*Decoder).Skip))
}

func TestPeekTellsTheKind(t *testing.T) {
	for doc, want := range map[string]Kind{"null": KindNull, "true": KindBool, "false": KindBool, "-1": KindNumber, "7": KindNumber, `""`: KindString, "[]": KindArray, "{}": KindObject} {
		got, _, err := decode(doc, func(d *Decoder) Kind { k := d.Peek(); d.Skip(); return k })
		if got != want || err != nil {
			t.Errorf("%s: got %d and %v, want %d", doc, got, err, want)
		}
	}
}

func TestRawIsByteEqual(t *testing.T) {
	for _, text := range []string{`{"b": 1,"a" :[ 1e400, "\ud800\/" ]}`, `""`, `0`, `false`, `[]`, `"é"`} {
		for _, alias := range []bool{false, true} {
			doc := []byte(" " + text + "\n")
			d := Decoder{Alias: alias}
			var r Raw
			if err := d.DecodeFunc(doc, func(d *Decoder) { r = d.Raw() }); err != nil || string(r) != text {
				t.Errorf("%s: got %s and %v", text, r, err)
			}
			if got := string(AppendRaw(nil, r)); got != text {
				t.Errorf("%s is written %s", text, got)
			}
		}
	}
	if r, _, err := decode("null", (*Decoder).Raw); r != nil || err != nil || string(AppendRaw(nil, r)) != "null" {
		t.Errorf("null is read as %q", r)
	}
	var r Raw
	if err := json.Unmarshal([]byte(`{"a": 1}`), &r); err != nil || string(r) != `{"a": 1}` {
		t.Errorf("encoding/json reads %s and %v", r, err)
	}
}

// TestOneErrorAndThenNothing uses every method after an error: none may loop, fail otherwise or return more than a zero.
func TestOneErrorAndThenNothing(t *testing.T) {
	var d Decoder
	err := d.DecodeFunc([]byte(`[1,"x",{"a":[true,null,1.5]}]`), func(d *Decoder) {
		d.Array()
		if s := d.String(); s != "" {
			t.Errorf("got %q for a number", s)
		}
		for range 100 {
			if d.Array() || d.Element() || d.Object() || d.Member() || d.Null() || d.Bool() || d.Peek() != 0 {
				t.Error("something was read after an error")
			}
			if d.Int() != 0 || d.Fixed() != 0 || d.String() != "" || d.Enum([]string{"a"}) != "" || d.Raw() != nil || d.Bytes() != nil {
				t.Error("something was read after an error")
			}
			d.Skip()
			d.Unknown()
			d.Duplicate()
			d.Missing(0, 1, "a")
			d.Length()
			d.TooMany()
			d.Invalid("later")
		}
	})
	e, ok := err.(*Error)
	if !ok || e.Path != "[0]" || e.Message != "expected a string, found a number" || !d.Failed() {
		t.Errorf("got %#v", err)
	}
	if err.Error() != "[0]: expected a string, found a number" {
		t.Errorf("got %s", err)
	}
}

func TestDecoderIsReusable(t *testing.T) {
	var d Decoder
	for range 2 {
		if err := d.DecodeFunc([]byte(`["\ud800"]`), func(d *Decoder) {
			for ok := d.Array(); ok; ok = d.Element() {
				_ = d.String()
			}
		}); err != nil || len(d.Repaired) != 1 || d.RepairedCount != 1 {
			t.Errorf("got %v, %q, %d", err, d.Repaired, d.RepairedCount)
		}
		if err := d.DecodeFunc([]byte(`[`), (*Decoder).Skip); err == nil || d.Repaired != nil {
			t.Errorf("got %v, %q", err, d.Repaired)
		}
	}
}
