package tokens

import "strings"

// minData is how long the data of a data URL must be before it counts as a file and not as text.
const minData = 64

// dataURL finds the first base64 data URL (RFC 2397) in s with at least minData characters of data and returns where it
// starts and ends; end is 0 when there is none.
func dataURL(s string) (start, end int) {
	for from := 0; ; {
		i := strings.Index(s[from:], "data:")
		if i < 0 {
			return 0, 0
		}
		start = from + i
		from = start + len("data:")
		head := s[from:min(len(s), from+128)]
		j := strings.Index(head, ";base64,")
		if j < 0 || !mediaType(head[:j]) {
			continue
		}
		data := from + j + len(";base64,")
		end = data
		for end < len(s) && base64Char(s[end]) {
			end++
		}
		if end-data >= minData {
			return start, end
		}
		from = end
	}
}

func mediaType(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c <= ' ' || c >= 0x7f || c == '"' || c == '\'' || c == ',' || c == '<' || c == '>' {
			return false
		}
	}
	return true
}

func base64Char(c byte) bool {
	return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '/' || c == '-' || c == '_' || c == '='
}
