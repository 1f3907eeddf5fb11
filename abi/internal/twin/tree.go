package twin

import (
	"bytes"
	"encoding/json"
	"strings"
)

// node is a JSON value.
type node struct {
	kind byte // one of n b 0 " [ {
	text string
	yes  bool
	keys []string
	kids []*node
	raw  []byte
}

// depth returns how deeply a document is nested, strings left out.
func depth(doc []byte) int {
	deepest, now := 0, 0
	quoted, escaped := false, false
	for _, c := range doc {
		switch {
		case escaped:
			escaped = false
		case quoted:
			escaped = c == '\\'
			quoted = c != '"'
		case c == '"':
			quoted = true
		case c == '{' || c == '[':
			now++
			deepest = max(deepest, now)
		case c == '}' || c == ']':
			now--
		}
	}
	return deepest
}

// parse reads a document that is known to be valid.
func parse(doc []byte) *node {
	d := json.NewDecoder(bytes.NewReader(doc))
	d.UseNumber()
	return value(d, doc)
}

func value(d *json.Decoder, doc []byte) *node {
	begin := int(d.InputOffset())
	for strings.IndexByte(" \t\r\n,:", doc[begin]) >= 0 {
		begin++
	}
	token, err := d.Token()
	if err != nil {
		panic(err)
	}
	n := &node{}
	switch t := token.(type) {
	case nil:
		n.kind = 'n'
	case bool:
		n.kind, n.yes = 'b', t
	case json.Number:
		n.kind, n.text = '0', string(t)
	case string:
		n.kind, n.text = '"', t
	case json.Delim:
		n.kind = byte(t)
		for d.More() {
			if t == '{' {
				key, err := d.Token()
				if err != nil {
					panic(err)
				}
				n.keys = append(n.keys, key.(string))
			}
			n.kids = append(n.kids, value(d, doc))
		}
		if _, err := d.Token(); err != nil {
			panic(err)
		}
	}
	n.raw = doc[begin:d.InputOffset()]
	return n
}
