package calendar

// Time is an instant and the local date and time of day of the place that wrote it. The zero Time is no time.
type Time struct {
	// Unix is the instant in seconds since 1970-01-01T00:00:00Z, fractions cut off.
	Unix int64
	// Nano is the fraction of the second, 0 to 999,999,999.
	Nano int32
	// Offset from UTC in minutes.
	Offset int16
	Year   int16
	Month  int8
	Day    int8
	Hour   int8
	Minute int8
	Valid  bool
}

// Parse reads an RFC 3339 time with an offset (section 5.6): date, T or t or a space, time with optional fraction, Z or
// ±hh:mm. It reports false for anything else, also for days that do not exist.
func Parse(s string) (Time, bool) {
	var t Time
	if len(s) < 20 {
		return t, false
	}
	year, ok1 := digits(s, 0, 4)
	month, ok2 := digits(s, 5, 2)
	day, ok3 := digits(s, 8, 2)
	hour, ok4 := digits(s, 11, 2)
	minute, ok5 := digits(s, 14, 2)
	second, ok6 := digits(s, 17, 2)
	if !(ok1 && ok2 && ok3 && ok4 && ok5 && ok6) || s[4] != '-' || s[7] != '-' || s[13] != ':' || s[16] != ':' {
		return t, false
	}
	if s[10] != 'T' && s[10] != 't' && s[10] != ' ' {
		return t, false
	}
	if month < 1 || month > 12 || day < 1 || day > DaysIn(year, month) || hour > 23 || minute > 59 || second > 60 {
		return t, false
	}
	i := 19
	nano, scale := 0, 100_000_000
	if s[i] == '.' {
		i++
		start := i
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			nano += int(s[i]-'0') * scale
			scale /= 10
			i++
		}
		if i == start {
			return t, false
		}
	}
	offset, ok := parseOffset(s[i:])
	if !ok {
		return t, false
	}
	if second == 60 {
		second, nano = 59, 999_999_999
	}
	unix := DayNumber(year, month, day)*86400 + int64(hour)*3600 + int64(minute)*60 + int64(second) - int64(offset)*60
	return Time{Unix: unix, Nano: int32(nano), Offset: int16(offset), Year: int16(year), Month: int8(month), Day: int8(day),
		Hour: int8(hour), Minute: int8(minute), Valid: true}, true
}

// Before reports whether t is an earlier instant than u.
func (t Time) Before(u Time) bool {
	if t.Unix != u.Unix {
		return t.Unix < u.Unix
	}
	return t.Nano < u.Nano
}

// SameDay reports whether both have a date and it is the same local date.
func (t Time) SameDay(u Time) bool {
	return t.Valid && u.Valid && t.Year == u.Year && t.Month == u.Month && t.Day == u.Day
}

// Weekday of the local date: 0 is Sunday.
func (t Time) Weekday() int {
	n := (DayNumber(int(t.Year), int(t.Month), int(t.Day)) + 4) % 7
	if n < 0 {
		n += 7
	}
	return int(n)
}

// DayNumber counts days from 1970-01-01 in the proleptic Gregorian calendar.
func DayNumber(year, month, day int) int64 {
	y, m := int64(year), int64(month)
	if m <= 2 {
		y--
	}
	era := y / 400
	if y < 0 {
		era = (y - 399) / 400
	}
	yoe := y - era*400
	mp := (m + 9) % 12
	doy := (153*mp+2)/5 + int64(day) - 1
	doe := yoe*365 + yoe/4 - yoe/100 + doy
	return era*146097 + doe - 719468
}

// DaysIn is the number of days of a month.
func DaysIn(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

func digits(s string, at, n int) (int, bool) {
	v := 0
	for _, c := range []byte(s[at : at+n]) {
		if c < '0' || c > '9' {
			return 0, false
		}
		v = v*10 + int(c-'0')
	}
	return v, true
}

func parseOffset(s string) (int, bool) {
	if s == "Z" || s == "z" {
		return 0, true
	}
	if len(s) != 6 || (s[0] != '+' && s[0] != '-') || s[3] != ':' {
		return 0, false
	}
	h, ok1 := digits(s, 1, 2)
	m, ok2 := digits(s, 4, 2)
	if !ok1 || !ok2 || h > 23 || m > 59 {
		return 0, false
	}
	if s[0] == '-' {
		return -(h*60 + m), true
	}
	return h*60 + m, true
}
