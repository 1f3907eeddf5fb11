package tokens

import (
	"unicode/utf8"

	"github.com/ctxplan/ctxplan/abi"
)

// Profile estimates tokens for a family of models. Its zero value is chars4.
type Profile uint8

// The profiles. Count is how many there are, for tables indexed by profile.
const (
	Chars4 Profile = iota
	Generic
	Count
)

// Names of the profiles, in the order of their values.
var Names = [Count]string{"chars4", "generic"}

// Lookup finds a profile by name.
func Lookup(name string) (Profile, bool) {
	for i, n := range Names {
		if n == name {
			return Profile(i), true
		}
	}
	return 0, false
}

// Flat prices, in tokens.
const (
	// MessageOverhead is charged once for each message: its role and its frame.
	MessageOverhead = 4
	// CallOverhead is charged for each tool call: its id and its frame.
	CallOverhead = 8
	// ImagePrice is charged once for each image, whatever its bytes.
	ImagePrice = 1600
	// ToolOverhead is charged for the frame of a list of tool schemas.
	ToolOverhead = 8
)

// unit is the fraction of a token in which weights are counted.
const unit = 16

// weights in sixteenths of a token.
const (
	wLower      = 4
	wUpper      = 5
	wDigit      = 8
	wSpace      = 3
	wNewline    = 6
	wPunct      = 8
	wTransition = 7 // lower to upper case, letter to digit and back: where tokenizers cut
	wAccented   = 8
	wAlphabet   = 10 // Cyrillic, Greek, Arabic, Hebrew and other alphabets
	wIndic      = 14 // Devanagari, Thai and their relatives
	wCJK        = 20 // Han, kana, Hangul
	wSymbol     = 24
	wAstral     = 48 // emoji and rare scripts beyond the basic plane
)

type class uint8

const (
	cOther class = iota
	cLower
	cUpper
	cDigit
)

var asciiWeight, asciiClass = asciiTables()

func asciiTables() (w [128]uint8, k [128]class) {
	for c := range w {
		switch {
		case c >= 'a' && c <= 'z':
			w[c], k[c] = wLower, cLower
		case c >= 'A' && c <= 'Z':
			w[c], k[c] = wUpper, cUpper
		case c >= '0' && c <= '9':
			w[c], k[c] = wDigit, cDigit
		case c == ' ':
			w[c] = wSpace
		case c == '\n' || c == '\r' || c == '\t':
			w[c] = wNewline
		default:
			w[c] = wPunct
		}
	}
	return w, k
}

// Text is the cost of a text alone, without the frame of a message. It is 0 for the empty text only.
func (p Profile) Text(s string) int64 {
	if p == Generic {
		return ceil(generic(s), unit, len(s))
	}
	return ceil(quarters(s), 4, len(s))
}

func ceil(weight, per int64, bytes int) int64 {
	return min((weight+per-1)/per, int64(bytes))
}

func generic(s string) int64 {
	var sum int64
	last := cOther
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			k := asciiClass[c]
			sum += int64(asciiWeight[c])
			if k != last && k != cOther && last != cOther && !(last == cUpper && k == cLower) {
				sum += wTransition
			}
			last = k
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		sum += runeWeight(r)
		last = cOther
	}
	return sum
}

func runeWeight(r rune) int64 {
	switch {
	case r < 0x250:
		return wAccented
	case r < 0x900:
		return wAlphabet
	case r < 0x1100 || r >= 0x1780 && r < 0x1800:
		return wIndic
	case r < 0x2000:
		return wAlphabet + wLower
	case r < 0x2070:
		return wPunct * 2
	case CJK(r):
		return wCJK
	case r < 0x10000:
		return wSymbol
	}
	return wAstral
}

// CJK reports whether a character is one of those that chars4 counts as 0.75 tokens: Han, kana, Hangul, bopomofo, and CJK
// punctuation and full-width forms.
func CJK(r rune) bool {
	return r >= 0x2E80 && r <= 0x9FFF || r >= 0xAC00 && r <= 0xD7A3 || r >= 0x1100 && r <= 0x11FF || r >= 0xF900 && r <= 0xFAFF ||
		r >= 0xFE30 && r <= 0xFE4F || r >= 0xFF00 && r <= 0xFFEF || r >= 0x20000 && r <= 0x3FFFF
}

func quarters(s string) int64 {
	var sum int64
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			sum++
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		if CJK(r) {
			sum += 3
		} else {
			sum++
		}
	}
	return sum
}

// Message is the cost of a whole message: its frame, its name, every part that is sent, and its calls.
func (p Profile) Message(m *abi.Message) int64 {
	return p.Frame(m) + p.Body(m)
}

// Frame is the cost of a message without the text of its body: what is left when the body is replaced by an excerpt.
func (p Profile) Frame(m *abi.Message) int64 {
	n := int64(MessageOverhead)
	if m.Name != "" {
		n += p.Text(m.Name)
	}
	for i := range m.ToolCalls {
		c := &m.ToolCalls[i]
		n += CallOverhead + p.Text(c.Name) + p.Text(c.Arguments)
	}
	for i := range m.Content.Parts {
		n += p.fixedPart(&m.Content.Parts[i])
	}
	return n
}

// Body is the cost of the texts of a message: what an excerpt replaces.
func (p Profile) Body(m *abi.Message) int64 {
	n := p.Payload(m.Content.Text)
	for i := range m.Content.Parts {
		part := &m.Content.Parts[i]
		if part.Type == "text" || part.Type == "file" || part.Type == "json" || part.Type == "opaque" {
			n += p.Payload(part.Text) + p.Payload(string(part.JSON))
		}
	}
	return n
}

func (p Profile) fixedPart(part *abi.Part) int64 {
	switch part.Type {
	case "image":
		return ImagePrice + p.Text(part.Alt)
	case "file":
		n := CallOverhead + p.Text(part.Name)
		if part.Text == "" {
			n += ImagePrice
		}
		return n
	case "thinking":
		return MessageOverhead + p.Text(part.Text) + p.Text(part.Data)
	case "opaque":
		if part.Tokens > 0 {
			return MessageOverhead + part.Tokens
		}
		return MessageOverhead + p.Text(part.Data)
	}
	return MessageOverhead
}

// Payload is the cost of a text in which data URLs of images are charged as images.
func (p Profile) Payload(s string) int64 {
	var n int64
	for {
		at, end := dataURL(s)
		if end == 0 {
			return n + p.Text(s)
		}
		n += p.Text(s[:at]) + ImagePrice
		s = s[end:]
	}
}
