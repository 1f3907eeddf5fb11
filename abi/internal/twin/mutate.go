package twin

import (
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"strings"
)

// pool holds values that take the place of others.
var pool = []string{`null`, `true`, `false`, `0`, `-0`, `1`, `-1`, `2`, `12`, `13`, `1.5`, `0.25`, `1e3`, `-0.0000001`,
	`9007199254740991`, `9007199254740992`, `-9007199254740992`, `99999999999999999999`, `""`, `"a"`, `"user"`, `"\ud800"`,
	`"\u0061\ud83d\ude00"`, `"AQID"`, `"AQ=="`, `"明日"`, `[]`, `{}`, `[null]`, `["a","b"]`, `[[1,2]]`, `{"a":1}`, `{"a":"b"}`,
	`{"text":"x"}`, `[{}]`, `[[]]`}

// broken holds what makes a document unsound.
var broken = []string{`,`, `:`, `]`, `}`, `[`, `{`, `"`, `\`, `nul`, `01`, `.`, "\x00", "\xff", "/**/", `'`, "\uFEFF", `+1`}

// Mutate returns a document like doc, which must be sound, with one to three changes: values replaced, members dropped,
// doubled, renamed or moved, names spelled with escapes, and now and then a piece of garbage.
func Mutate(rng *rand.Rand, doc []byte) []byte {
	root := parse(doc)
	for range 1 + rng.IntN(3) {
		var all []*node
		collect(root, &all)
		n := all[rng.IntN(len(all))]
		switch rng.IntN(8) {
		case 0, 1:
			*n = *parse([]byte(pool[rng.IntN(len(pool))]))
		case 2:
			*n = *all[rng.IntN(len(all))].copy()
		default:
			change(rng, n)
		}
	}
	text := write(rng, nil, root)
	if rng.IntN(8) == 0 {
		at := rng.IntN(len(text) + 1)
		piece := broken[rng.IntN(len(broken))]
		text = []byte(string(text[:at]) + piece + string(text[at:]))
	}
	return text
}

// change does something to the members or elements of a node, when it has any.
func change(rng *rand.Rand, n *node) {
	if len(n.kids) == 0 {
		return
	}
	i, j := rng.IntN(len(n.kids)), rng.IntN(len(n.kids))
	switch rng.IntN(4) {
	case 0:
		n.kids = append(n.kids[:i:i], n.kids[i+1:]...)
		if n.keys != nil {
			n.keys = append(n.keys[:i:i], n.keys[i+1:]...)
		}
	case 1:
		n.kids = append(n.kids, n.kids[i].copy())
		if n.keys != nil {
			n.keys = append(n.keys, n.keys[i])
		}
	case 2:
		n.kids[i], n.kids[j] = n.kids[j], n.kids[i]
		if n.keys != nil && rng.IntN(2) == 0 {
			n.keys[i], n.keys[j] = n.keys[j], n.keys[i]
		}
	case 3:
		if n.keys != nil {
			n.keys[i] = []string{"", "x", "a.b", n.keys[j], strings.ToUpper(n.keys[i]), n.keys[i] + "x"}[rng.IntN(6)]
		}
	}
}

func collect(n *node, all *[]*node) {
	*all = append(*all, n)
	for _, kid := range n.kids {
		collect(kid, all)
	}
}

func (n *node) copy() *node {
	c := *n
	c.keys = append([]string(nil), n.keys...)
	c.kids = make([]*node, len(n.kids))
	for i, kid := range n.kids {
		c.kids[i] = kid.copy()
	}
	return &c
}

func write(rng *rand.Rand, b []byte, n *node) []byte {
	space := func() {
		if rng.IntN(30) == 0 {
			b = append(b, " \t\r\n"[rng.IntN(4)])
		}
	}
	space()
	switch n.kind {
	case '[', '{':
		b = append(b, n.kind)
		for i, kid := range n.kids {
			if i > 0 {
				b = append(b, ',')
			}
			space()
			if n.kind == '{' {
				b = append(b, spell(rng, n.keys[i])...)
				space()
				b = append(b, ':')
			}
			b = write(rng, b, kid)
		}
		b = append(b, n.kind+2)
	case '"':
		b = append(b, spell(rng, n.text)...)
	default:
		b = append(b, n.raw...)
	}
	space()
	return b
}

// spell writes a string, sometimes with escapes that it does not need.
func spell(rng *rand.Rand, s string) string {
	if rng.IntN(20) > 0 {
		b, err := json.Marshal(s)
		if err != nil {
			panic(err)
		}
		return string(b)
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		if r > 0xFFFF {
			b.WriteRune(r)
			continue
		}
		b.WriteString(`\u` + strings.Repeat("0", 4-len(strconv.FormatInt(int64(r), 16))) + strconv.FormatInt(int64(r), 16))
	}
	b.WriteByte('"')
	return b.String()
}
