package render

import (
	"strings"

	"github.com/ctxplan/ctxplan/abi"
)

const (
	// suffixLetters is the length of a suffix. There are 26^5 = 11,881,376 of them, and a text spends at least 11 bytes to
	// rule one out: no plan that fits into a response can rule out all.
	suffixLetters = 5
	suffixes      = 26 * 26 * 26 * 26 * 26
)

// fences are the suffixes of the tags.
type fences struct {
	tags     []string
	suffixes []string
}

// of is what stands behind the name of a tag.
func (f *fences) of(tag string) string {
	for i, t := range f.tags {
		if t == tag {
			return f.suffixes[i]
		}
	}
	return ""
}

// fence chooses what makes each tag differ from everything in the texts of the items: nothing when no text has such a tag,
// else the first suffix that no text has. Each has its own, so that a text which names one does not change the others and
// with them what a provider has cached. Texts of the system do not count where they stand by themselves: they may tell the
// model what the tags mean.
func (d *dialect) fence(items []abi.Item) fences {
	seen := make([]tagSeen, len(d.tags))
	look := func(s string) { look(s, d.tags, seen) }
	for i := range items {
		it := &items[i]
		quoted := it.Kind == abi.KindPinned || it.Kind == abi.KindRetrieved || it.Kind == abi.KindEvidence
		if (it.Role == abi.RoleSystem || it.Role == abi.RoleDeveloper) && !quoted && !d.fencesSystem {
			continue
		}
		look(it.Header)
		look(it.Text)
		look(it.Name)
		look(it.ToolCallID)
		for j := range it.Parts {
			p := &it.Parts[j]
			look(p.Text)
			look(p.Name)
			look(p.Alt)
			look(string(p.JSON))
		}
		for j := range it.ToolCalls {
			c := &it.ToolCalls[j]
			look(c.ID)
			look(c.Name)
			look(c.Arguments)
		}
	}
	f := fences{tags: d.tags, suffixes: make([]string, len(d.tags))}
	for i := range seen {
		f.suffixes[i] = seen[i].free()
	}
	return f
}

// suffixOf is a hyphen and n in letters.
func suffixOf(n int) string {
	b := [suffixLetters + 1]byte{'-'}
	for i := suffixLetters; i > 0; i-- {
		b[i] = 'a' + byte(n%26)
		n /= 26
	}
	return string(b[:])
}

// tagSeen notes how a tag occurs in texts.
type tagSeen struct {
	any bool
	// numbers has a bit for each suffix that was seen, nil while none was.
	numbers []uint64
}

// free is the suffix that makes the tag differ.
func (t *tagSeen) free() string {
	if !t.any {
		return ""
	}
	n := 0
	for t.numbers != nil && n < suffixes-1 && t.numbers[n/64]&(1<<(n%64)) != 0 {
		n++
	}
	return suffixOf(n)
}

// suffix notes what follows the name of the tag.
func (t *tagSeen) suffix(s string) {
	t.any = true
	if len(s) <= suffixLetters || s[0] != '-' {
		return
	}
	n := 0
	for i := 1; i <= suffixLetters; i++ {
		c := s[i] | 0x20
		if c < 'a' || c > 'z' {
			return
		}
		n = n*26 + int(c-'a')
	}
	if t.numbers == nil {
		t.numbers = make([]uint64, (suffixes+63)/64)
	}
	t.numbers[n/64] |= 1 << (n % 64)
}

// look notes the tags that occur in a text, in any case of letters, opening and closing, with or without spaces.
func look(s string, tags []string, seen []tagSeen) {
	for i := 0; i < len(s); {
		c := s[i]
		if c != '<' && c != '&' && c != bracketLead {
			i++
			continue
		}
		n := bracket(s[i:])
		i += max(n, 1)
		if n == 0 {
			continue
		}
		rest := strings.TrimLeft(s[i:min(len(s), i+64)], " \t\r\n/\\\u3000\uFF0F")
		for j, tag := range tags {
			if len(rest) >= len(tag) && equalFold(rest[:len(tag)], tag) {
				seen[j].suffix(rest[len(tag):])
			}
		}
	}
}

// bracketLead is the first byte of the full-width and the small bracket in UTF-8.
const bracketLead = 0xEF

// bracket is the length of what a tag may begin with: <, its full-width and small forms, and its entity.
func bracket(s string) int {
	switch {
	case s[0] == '<':
		return 1
	case strings.HasPrefix(s, "\uFF1C"), strings.HasPrefix(s, "\uFE64"):
		return 3
	case len(s) >= 4 && equalFold(s[:4], "&lt;"):
		return 4
	}
	return 0
}

// equalFold compares with a text in lower case, without regard to the case of ASCII letters. The tables of the standard
// library differ between toolchains.
func equalFold(s, lower string) bool {
	if len(s) != len(lower) {
		return false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}
