package eval

import (
	"strconv"
	"strings"
	"time"
)

// ParseDate reads a date in one of the forms that the sets use:
//
//	1:56 pm on 8 May, 2023
//	March-15-2024
//	2023-04-27
//	2023/05/30 (Tue) 21:48
//	2026-05-15T11:51:46.295338+00:00
//
// Forms without a time are midnight, forms without a zone are UTC. The second result is false for anything else.
func ParseDate(s string) (time.Time, bool) {
	s = strings.TrimSpace(s)
	for _, layout := range []string{
		"3:04 pm on 2 January, 2006",
		"January-2-2006",
		"2006-01-02",
		"2006/01/02 (Mon) 15:04",
		time.RFC3339Nano,
	} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// When is the time of the n-th turn of a session: its own date or the session's, plus n minutes so that turns of a
// session follow one another. The result is RFC 3339, or empty without a date.
func (s *Session) When(n int) string {
	t, ok := ParseDate(s.Turns[n].Date)
	if ok && strings.Contains(s.Turns[n].Date, ":") {
		return t.Format(time.RFC3339)
	}
	if !ok {
		if t, ok = ParseDate(s.Date); !ok {
			return ""
		}
	}
	// A session never spreads over midnight or into the next one, however many turns it has.
	step := time.Minute
	if left := t.Truncate(24 * time.Hour).Add(24*time.Hour - time.Minute).Sub(t); time.Duration(len(s.Turns))*step > left {
		step = left / time.Duration(len(s.Turns)+1)
	}
	return t.Add(time.Duration(n) * step).Truncate(time.Second).Format(time.RFC3339)
}

// shortNumber formats a fraction as the tables of the literature do: .850.
func shortNumber(x float64) string {
	s := strconv.FormatFloat(x, 'f', 3, 64)
	return strings.TrimPrefix(s, "0")
}
