package lexical

import (
	"strings"

	"github.com/ctxplan/ctxplan/plugin/text"
)

// date is a calendar date or the part of one that is known; 0 is unknown.
type date struct{ year, month, day int }

func (d date) with(e date) date {
	if e.year != 0 {
		d.year = e.year
	}
	if e.month != 0 {
		d.month = e.month
	}
	if e.day != 0 {
		d.day = e.day
	}
	return d
}

// packDate keeps a date in one number, 0 for none or for one that is out of range.
func packDate(year, month, day int) int32 {
	if year < 1 || year > 9999 || month < 1 || month > 12 || day < 1 || day > 31 {
		return 0
	}
	return int32(year<<9 | month<<5 | day)
}

func unpackDate(p int32) date { return date{int(p >> 9), int(p >> 5 & 15), int(p & 31)} }

// matches counts the parts of a message's date that a term names.
func (d date) matches(packed int32) int32 {
	if packed == 0 {
		return 0
	}
	m := unpackDate(packed)
	var n int32
	if d.year != 0 && d.year == m.year {
		n++
	}
	if d.month != 0 && d.month == m.month {
		n++
	}
	if d.day != 0 && d.day == m.day {
		n++
	}
	return n
}

// covers says whether a named date and that of a message agree in all that is named.
func (d date) covers(packed int32) bool {
	m := unpackDate(packed)
	return packed != 0 && d.month == m.month && (d.day == 0 || d.day == m.day) && (d.year == 0 || d.year == m.year)
}

// roleOf says which part of a date a token of a question may be: the name of a month, a year, a day, and a number before
// 月 a month.
func roleOf(s string, t text.Token) date {
	word := string(t.Term)
	if t.Kind == text.Word {
		for i, m := range months {
			if word == m {
				return date{month: i + 1}
			}
		}
	}
	n, digits := leadingNumber(word)
	rest := word[digits:]
	switch {
	case digits == 0 || rest != "" && !ordinal(rest):
	case digits <= 2 && n >= 1 && n <= 12 && strings.HasPrefix(s[t.End:], "月"):
		return date{month: n}
	case digits <= 2 && n >= 1 && n <= 31:
		return date{day: n}
	case digits == 4 && rest == "" && n >= 1900 && n < 2100:
		return date{year: n}
	}
	return date{}
}

func leadingNumber(s string) (n, digits int) {
	for digits < len(s) && digits < 9 && s[digits] >= '0' && s[digits] <= '9' {
		n = n*10 + int(s[digits]-'0')
		digits++
	}
	return n, digits
}

func ordinal(s string) bool { return s == "st" || s == "nd" || s == "rd" || s == "th" }

// namedDate finds the date, or the month, that a question names: 8 May 2023, May 8th, May, 2023-05-08, 2023年5月8日, 五月八日.
// A day without a month or a year alone is none. The first one counts.
func namedDate(s string) date {
	ws := dateWords(s)
	for i, w := range ws {
		if w.month == 0 || w.doubtful && !besideDay(ws, i) && !w.upper {
			continue
		}
		d := date{month: w.month, year: w.year, day: w.day}
		if d.day == 0 {
			d.day = nearDay(ws, i)
		}
		for _, v := range ws {
			if d.year == 0 && v.fourDigits {
				d.year = v.number
			}
		}
		return d
	}
	return date{}
}

// dateWord is a word or number of a question, as far as dates go.
type dateWord struct {
	number            int
	fourDigits        bool
	year, month, day  int
	doubtful          bool // march and may are also verbs
	upper, of, dayish bool
}

// dateWords cuts a question into words and numbers. A date in digits or in Chinese is one word.
func dateWords(s string) []dateWord {
	var out []dateWord
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c >= '0' && c <= '9' || numeral(s[i:]) > 0:
			w, n := numberWord(s[i:])
			out = append(out, w)
			i += n
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			j := i
			for j < len(s) && s[j]|0x20 >= 'a' && s[j]|0x20 <= 'z' {
				j++
			}
			out = append(out, monthWord(s[i:j], len(out) > 0))
			i = j
		default:
			i++
		}
	}
	return out
}

func monthWord(word string, inside bool) dateWord {
	low := string(text.Fold(nil, word))
	w := dateWord{of: low == "of", upper: inside && word[0] < 'a'}
	for i, m := range months {
		if low == m || len(low) == 3 && low == m[:3] || low == "sept" && m == "september" {
			w.month = i + 1
			w.doubtful = low == "may" || low == "mar" || low == "march" || low == "dec" || low == "jan"
		}
	}
	return w
}

// numberWord reads a number and what belongs to it: 8th, 2023-05-08, 2023/5/8, 2023年5月8日, 5月, 八日.
func numberWord(s string) (dateWord, int) {
	n, i, digits := number(s)
	w := dateWord{number: n, fourDigits: digits == 4 && n >= 1900 && n < 2100}
	rest := s[i:]
	if w.fourDigits && rest != "" && (rest[0] == '-' || rest[0] == '/') {
		if m, j, _ := number(rest[1:]); j > 0 && m >= 1 && m <= 12 {
			if k := 1 + j; k < len(rest) && rest[k] == rest[0] {
				if d, l, _ := number(rest[k+1:]); l > 0 && d >= 1 && d <= 31 {
					w.year, w.month, w.day = n, m, d
					return w, i + k + 1 + l
				}
			}
		}
	}
	if strings.HasPrefix(rest, "年") {
		w.year = n
		m, j, _ := number(rest[len("年"):])
		if j == 0 || !strings.HasPrefix(rest[len("年")+j:], "月") {
			return w, i + len("年")
		}
		i += len("年") + j
		n, rest = m, s[i:]
	}
	if strings.HasPrefix(rest, "月") && n >= 1 && n <= 12 {
		w.month = n
		i += len("月")
		if d, j, _ := number(s[i:]); j > 0 && d >= 1 && d <= 31 && (strings.HasPrefix(s[i+j:], "日") || strings.HasPrefix(s[i+j:], "号")) {
			w.day = d
			i += j
		}
		return w, i
	}
	w.dayish = digits <= 2 && n >= 1 && n <= 31
	if len(rest) >= 2 && ordinal(string(text.Fold(nil, rest[:2]))) {
		i += 2
	}
	return w, i
}

// number reads digits or a Chinese numeral below 100.
func number(s string) (n, bytes, digits int) {
	if n, digits = leadingNumber(s); digits > 0 {
		return n, digits, digits
	}
	ten := false
	for bytes < len(s) {
		d := numeral(s[bytes:])
		if d == 0 {
			break
		}
		bytes += len("十")
		digits = 2
		switch {
		case d == 10 && !ten:
			n, ten = max(n, 1)*10, true
		case ten:
			n += d
		default:
			n = d
		}
	}
	return n, bytes, digits
}

// numeral is the value of the Chinese numeral that a text begins with, 0 if none.
func numeral(s string) int {
	if len(s) < 3 || s[0] < 0x80 {
		return 0
	}
	at := strings.Index("一二三四五六七八九十", s[:3])
	if at < 0 || at%3 != 0 {
		return 0
	}
	return at/3 + 1
}

func besideDay(ws []dateWord, i int) bool { return nearDay(ws, i) != 0 }

// nearDay is the day beside a month: May 8, 8 May, 8th of May.
func nearDay(ws []dateWord, i int) int {
	if i+1 < len(ws) && ws[i+1].dayish {
		return ws[i+1].number
	}
	if i > 0 && ws[i-1].dayish {
		return ws[i-1].number
	}
	if i > 1 && ws[i-1].of && ws[i-2].dayish {
		return ws[i-2].number
	}
	return 0
}

// askingTime are phrases that ask for a time: in lower case, and in scripts without spaces.
var (
	askingTime = []string{"what date", "which date", "what day", "which day", "what month", "which month", "what year", "which year",
		"what time", "which week", "what week", "how long", "how soon"}
	askingTimeUnspaced = []string{"什么时候", "什么时间", "何时", "哪天", "哪一天", "几号", "几月", "哪年", "哪一年", "哪个月", "哪个星期", "几点", "多久",
		"多长时间", "いつ", "언제"}
)

func asksWhen(s string, q *Query) bool {
	asking, unspaced := false, false
	for i := range q.terms {
		switch w := q.terms[i].word; {
		case w == "when":
			return true
		case w == "what" || w == "which" || w == "how":
			asking = true
		case q.terms[i].kind == text.Gram:
			unspaced = true
		}
	}
	return asking && holdsAny(string(text.Fold(nil, s)), askingTime) || unspaced && holdsAny(s, askingTimeUnspaced)
}

func holdsAny(s string, phrases []string) bool {
	for _, p := range phrases {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}
