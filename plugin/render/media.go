package render

import (
	"strings"

	"github.com/ctxplan/ctxplan/abi"
)

// media is an image or a file that can be sent: data in base64, or an https URL.
type media struct {
	mime string
	data string
	url  string
	name string
	file bool
}

// dataURL is the data as a data URL (RFC 2397).
func (m *media) dataURL() string { return "data:" + m.mime + ";base64," + m.data }

// source reads the URL of a part. It reports false when there is none that a provider could follow: other schemes, data
// that is not base64, a URL with spaces.
func source(p *abi.Part) (media, bool) {
	m := media{mime: mediaType(p.MIME), name: p.Name, file: p.Type == "file"}
	if len(p.URL) > 5 && equalFold(p.URL[:5], "data:") {
		head, data, found := strings.Cut(p.URL[5:], ",")
		kind, base64 := strings.CutSuffix(head, ";base64")
		if !found || !base64 || !isBase64(data) {
			return m, false
		}
		kind, _, _ = strings.Cut(kind, ";")
		if t := mediaType(kind); t != "" {
			m.mime = t
		}
		m.data = data
		return m, m.mime != ""
	}
	if len(p.URL) > 8 && equalFold(p.URL[:8], "https://") {
		m.url = p.URL
		for i := 0; i < len(m.url); i++ {
			if m.url[i] <= ' ' || m.url[i] == 0x7f {
				return m, false
			}
		}
		return m, true
	}
	return m, false
}

// mediaType is a media type in lower case without parameters, empty when it is none.
func mediaType(s string) string {
	s, _, _ = strings.Cut(s, ";")
	b := []byte(strings.Trim(s, " "))
	slash := false
	for i, c := range b {
		switch {
		case c >= 'A' && c <= 'Z':
			b[i] = c + 'a' - 'A'
		case c == '/':
			if slash || i == 0 || i == len(b)-1 {
				return ""
			}
			slash = true
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || strings.IndexByte("!#$&-^_.+", c) >= 0:
		default:
			return ""
		}
	}
	if !slash {
		return ""
	}
	if t := string(b); t != "image/jpg" {
		return t
	}
	return "image/jpeg"
}

// isBase64 reports whether s is base64 of the standard alphabet with its padding (RFC 4648), and not empty.
func isBase64(s string) bool {
	if s == "" || len(s)%4 != 0 {
		return false
	}
	n := len(s)
	for n > len(s)-2 && s[n-1] == '=' {
		n--
	}
	for i := 0; i < n; i++ {
		c := s[i]
		if !(c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '/') {
			return false
		}
	}
	return true
}

// describe says in brackets what could not be sent.
func describe(p *abi.Part) string {
	what := p.Type
	switch {
	case p.Alt != "":
		return "[" + what + ": " + p.Alt + "]"
	case p.Name != "":
		return "[" + what + ": " + p.Name + "]"
	}
	return "[" + what + "]"
}
