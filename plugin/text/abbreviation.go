package text

import "unicode/utf8"

// abbreviated reports whether a full stop after sentence leaves it open, given the rest of the line from the next word
// on.
func abbreviated(sentence, rest string) bool {
	i := len(sentence)
	for i > 0 && len(sentence)-i <= longestAbbreviation && wordOrDot(sentence[i-1]) {
		i--
	}
	word := sentence[i:]
	if word == "" || len(word) > longestAbbreviation {
		return false
	}
	follow, w := utf8.DecodeRuneInString(rest)
	p := propsOf(follow)
	if a, _ := trim(sentence, 0, i); a == i && listNumber(word) {
		return true
	}
	if len(word) == 1 && word[0]-'A' < 26 && word[0] != 'I' {
		return p.has(propUpper) && (afterName(sentence[:i]) || w < len(rest) && rest[w] == '.')
	}
	var low [longestAbbreviation]byte
	lower(low[:copy(low[:], word)])
	switch string(low[:len(word)]) {
	case "mr", "mrs", "ms", "mx", "dr", "prof", "st", "rev", "gen", "col", "capt", "lt", "sgt", "sen", "gov", "messrs",
		"e.g", "i.e", "vs", "cf", "viz", "approx", "resp":
		return true
	case "no", "nos", "nr", "p", "pp", "fig", "figs", "eq", "sec", "ch", "vol", "art", "tel", "ext", "ca",
		"jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec",
		"mon", "tue", "tues", "wed", "thu", "thur", "thurs", "fri", "sat", "sun":
		return p.class() == Digit
	case "etc", "inc", "ltd", "co", "corp", "jr", "sr", "bros", "al", "dept", "est", "a.m", "p.m", "u.s", "u.k", "ph.d":
		return p.has(propLower) || p.class() == Digit
	}
	return false
}

const longestAbbreviation = 6

func wordOrDot(c byte) bool {
	return c == '.' || c < utf8.RuneSelf && asciiKinds[c]&asciiWord != 0
}

// listNumber is true of what numbers an item: up to three digits, or one letter.
func listNumber(word string) bool {
	if len(word) == 1 {
		return word[0] != '.'
	}
	for i := range len(word) {
		if word[i]-'0' >= 10 {
			return false
		}
	}
	return len(word) <= 3
}

// afterName reports whether s ends in a capitalised word or an initial, as before the W. in George W. Bush, or is blank.
func afterName(s string) bool {
	_, end := trim(s, 0, len(s))
	i := end
	for i > 0 && s[i-1] != ' ' && end-i < 40 {
		i--
	}
	if i == end {
		return true
	}
	r, _ := utf8.DecodeRuneInString(s[i:end])
	return propsOf(r).has(propUpper)
}
