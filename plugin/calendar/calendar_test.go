package calendar

import (
	"strings"
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		name, in string
		unix     int64
		day      int8
		ok       bool
	}{
		{"zulu", "2026-05-22T22:45:00Z", 1779489900, 22, true},
		{"offset keeps the local day", "2026-05-22T23:30:00+08:00", 1779463800, 22, true},
		{"negative offset", "2023-05-24T23:30:00-07:00", 1684996200, 24, true},
		{"same instant as naive zone maths", "2026-03-29T01:30:00+01:00", 1774744200, 29, true},
		{"leap second", "2016-12-31T23:59:60Z", 1483228799, 31, true},
		{"leap day", "2024-02-29T00:00:00Z", 1709164800, 29, true},
		{"fraction", "2024-02-29T00:00:00.123456789123Z", 1709164800, 29, true},
		{"lower case", "2024-02-29t00:00:00z", 1709164800, 29, true},
		{"year 9999", "9999-12-31T23:59:59Z", 253402300799, 31, true},
		{"year 0", "0000-01-01T00:00:00Z", -62167219200, 1, true},
		{"no zone", "2026-05-22T22:45:00", 0, 0, false},
		{"no such day", "2026-02-29T00:00:00Z", 0, 0, false},
		{"month 13", "2026-13-01T00:00:00Z", 0, 0, false},
		{"hour 24", "2026-01-01T24:00:00Z", 0, 0, false},
		{"empty fraction", "2026-01-01T23:00:00.Z", 0, 0, false},
		{"short offset", "2026-01-01T23:00:00+08", 0, 0, false},
		{"trailing", "2026-01-01T23:00:00Z ", 0, 0, false},
		{"empty", "", 0, 0, false},
		{"words", "1:56 pm on 8 May, 2023!!!", 0, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := Parse(c.in)
			if ok != c.ok || got.Unix != c.unix || got.Day != c.day {
				t.Fatalf("Parse(%q) = %+v, %v; want unix %d day %d ok %v", c.in, got, ok, c.unix, c.day, c.ok)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"2026-05-22T22:45:00+08:00", "2016-12-31T23:59:60Z", "2024-02-29T00:00:00.5-00:30", "x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, ok := Parse(s)
		want, err := time.Parse(time.RFC3339Nano, s)
		if err != nil {
			return // time.Parse refuses leap seconds, lower case and spaces that RFC 3339 allows
		}
		if len(s) > 19 && s[19] == ',' || len(s) < 19 || want.Format("2006-01-02T15:04:05") != s[:19] ||
			!strings.HasSuffix(s, want.Format("Z07:00")) && !strings.HasSuffix(s, want.Format("-07:00")) {
			return // time.Parse takes a comma for a point, T0:00 for T00:00 and +00:60
		}
		if _, off := want.Zone(); off%60 != 0 {
			return
		}
		if !ok {
			t.Fatalf("Parse(%q) refused, time.Parse gives %v", s, want)
		}
		if got.Unix != want.Unix() || got.Day != int8(want.Day()) || got.Weekday() != int(want.Weekday()) || int(got.Nano) != want.Nanosecond() {
			t.Fatalf("Parse(%q) = %+v, time.Parse gives %v", s, got, want)
		}
	})
}

func TestParseDuration(t *testing.T) {
	for in, want := range map[string]int64{"3h": 10_800_000, "90m": 5_400_000, "0s": 0, "250ms": 250, "2d": 172_800_000,
		"": -1, "h": -1, "3": -1, "3 h": -1, "-3h": -1, "3.5h": -1, "99999999999999999999h": -1, "400000d": -1} {
		got, ok := ParseDuration(in)
		if ok != (want >= 0) || ok && got != want {
			t.Errorf("ParseDuration(%q) = %d, %v; want %d", in, got, ok, want)
		}
	}
}
