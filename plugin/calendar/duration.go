package calendar

// ParseDuration reads one number and a unit (ms, s, m, h or d), for instance 3h or 90m, and returns milliseconds. It
// reports false for anything else and for more than 1,000 years.
func ParseDuration(s string) (int64, bool) {
	i, n := 0, int64(0)
	for i < len(s) && s[i] >= '0' && s[i] <= '9' && i < 14 {
		n = n*10 + int64(s[i]-'0')
		i++
	}
	if i == 0 {
		return 0, false
	}
	var unit int64
	switch s[i:] {
	case "ms":
		unit = 1
	case "s":
		unit = 1000
	case "m":
		unit = 60_000
	case "h":
		unit = 3_600_000
	case "d":
		unit = 86_400_000
	default:
		return 0, false
	}
	const most = 1000 * 366 * 86_400_000
	if n > most/unit {
		return 0, false
	}
	return n * unit, true
}
