package text

// Sentences appends the sentence spans of s to dst.
func Sentences(dst []Span, s string) []Span {
	start := 0
	for i, r := range s {
		switch r {
		case '\n', '.', '!', '?', '。', '！', '？':
			end := i + len(string(r))
			dst = appendTrimmed(dst, s, start, end)
			start = end
		}
	}
	return appendTrimmed(dst, s, start, len(s))
}

func appendTrimmed(dst []Span, s string, a, b int) []Span {
	for a < b && s[a] <= ' ' {
		a++
	}
	for b > a && s[b-1] <= ' ' {
		b--
	}
	if a < b {
		dst = append(dst, Span{a, b})
	}
	return dst
}
