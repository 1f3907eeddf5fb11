package wire

import "unicode/utf8"

// cutAfter is the length in bytes above which a key is cut in a path, and pathLimit that above which nothing is added.
const (
	cutAfter  = 64
	pathLimit = 512
)

// walk follows a document from its beginning and knows at every point which value it is in. Up to the point that is
// asked for the document is known to be sound, unless it is nested too deeply: then nothing but the nesting is known.
type walk struct {
	doc    []byte
	tick   func()
	at     int
	after  bool // the newest token ended a value
	frames []frame
}

// frame is an open object or array.
type frame struct {
	array bool
	index int
	// begin and end hold the quoted key of the member that is being read; colon says that its value has begun.
	begin, end int
	colon      bool
}

// to advances to offset at, which is not before the last one.
func (w *walk) to(at int) {
	at = min(at, len(w.doc))
	next := w.at + tickBytes
	for w.at < at {
		if w.at >= next && w.tick != nil {
			w.tick()
			next = w.at + tickBytes
		}
		c := w.doc[w.at]
		switch c {
		case '{', '[':
			w.frames = append(w.frames, frame{array: c == '['})
			w.after = false
			w.at++
		case '}', ']':
			if len(w.frames) > 0 {
				w.frames = w.frames[:len(w.frames)-1]
			}
			w.after = true
			w.at++
		case ',':
			if f := w.top(); f != nil {
				f.index++
				f.colon = false
			}
			w.after = false
			w.at++
		case ':':
			if f := w.top(); f != nil {
				f.colon = true
			}
			w.after = false
			w.at++
		case '"':
			end := stringEnd(w.doc, w.at)
			if end > at {
				// The point lies inside this string; its value, if it is one, has begun.
				w.at = at
				return
			}
			if f := w.top(); f != nil && !f.array && !f.colon {
				f.begin, f.end = w.at, end
			} else {
				w.after = true
			}
			w.at = end
		case ' ', '\n', '\r', '\t':
			w.at++
		default:
			w.after = true
			w.at++
		}
	}
}

func (w *walk) top() *frame {
	if len(w.frames) == 0 {
		return nil
	}
	return &w.frames[len(w.frames)-1]
}

// path returns the path of the value that begins at the current point or has begun before it.
func (w *walk) path(prefix string) string {
	p := prefix
	for i := range w.frames {
		f := &w.frames[i]
		if i == len(w.frames)-1 && !w.inside(f) {
			break
		}
		if len(p) > pathLimit {
			return p + "…"
		}
		switch {
		case f.array:
			p += "[" + digits(f.index) + "]"
		case f.end-f.begin >= 2:
			p = appendName(p, name(w.doc[f.begin+1:f.end-1]))
		}
	}
	return p
}

// inside reports whether the point is in a value of the innermost frame and not between two.
func (w *walk) inside(f *frame) bool {
	if w.after {
		return false
	}
	if !f.array {
		return f.colon
	}
	return w.at >= len(w.doc) || w.doc[w.at] != ']'
}

// appendName adds a member to a path.
func appendName(p, name string) string {
	if len(name) > cutAfter {
		cut := cutAfter
		for cut > 0 && !utf8.RuneStart(name[cut]) {
			cut--
		}
		name = name[:cut] + "…"
	}
	plain := name != ""
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c <= ' ', c == 0x7f, c == '.', c == '[', c == ']', c == '"', c == '\\':
			plain = false
		}
	}
	switch {
	case !plain:
		return p + "[" + string(AppendString(nil, name)) + "]"
	case p == "":
		return name
	}
	return p + "." + name
}

// name returns a key without its escapes.
func name(raw []byte) string {
	text := make([]byte, len(raw))
	n, _ := unescape(text, raw, nil)
	return string(appendValid(nil, text[:n]))
}

// stringEnd returns the offset behind the string that begins at the quote at offset at, len(doc) when it has no end.
func stringEnd(doc []byte, at int) int {
	for i := at + 1; i < len(doc); {
		j, _ := scan(doc, i, len(doc))
		switch {
		case j >= len(doc):
			return j
		case doc[j] == '"':
			return j + 1
		case doc[j] == '\\':
			i = j + 2
		default:
			i = j + 1
		}
	}
	return len(doc)
}

func digits(n int) string { return string(AppendInt(nil, int64(n))) }

// resolveRepaired turns the places of repaired strings into paths, in one pass.
func (d *Decoder) resolveRepaired() {
	if len(d.repaired) == 0 {
		return
	}
	w := walk{doc: d.doc, tick: d.Tick}
	for _, r := range d.repaired {
		w.to(r.at)
		p := w.path(d.Prefix)
		if r.isKey {
			p = appendName(p, r.key)
		}
		d.Repaired = append(d.Repaired, p)
	}
}
