package lexical

// entry says how often a term occurs in one sentence of one message.
type entry struct{ doc, sent, tf int32 }

// term is a list of entries in order of message and sentence, one word each:
//
//	message − message before (16 bits) | sentence (11 bits) | tf (5 bits)
//
// The first message is counted from −1, so that the difference is 0 only for further sentences of one message. An entry
// that does not fit has 31 in place of the tf, and three words more, which hold it in full. A fixed width costs more than
// a variable one, but decodes without a branch for each byte, which WebAssembly is slow at.
type term struct {
	key     string
	buf     []uint32
	doc     int32 // of the last entry
	sent    int32
	docs    int32 // messages
	entries int32
	wide    bool // the last entry has four words
	touched bool
}

const (
	docShift, sentShift = 16, 5
	sentMask            = 1<<(docShift-sentShift) - 1
	escape              = 1<<sentShift - 1
)

func newTerm(key string) term { return term{key: key, doc: -1} }

// post adds an entry behind all others, or to the last one.
func (d *dictionary) post(id int32, e entry) {
	t := &d.terms[id]
	if t.doc == e.doc && t.sent == e.sent && t.entries > 0 {
		d.buffers += 4 * int64(t.raise(e.tf))
		return
	}
	if t.doc != e.doc {
		t.docs++
	}
	n := len(t.buf)
	delta := uint32(e.doc - t.doc)
	t.wide = delta>>16 != 0 || e.sent > sentMask || e.tf >= escape
	if t.wide {
		t.buf = append(t.buf, escape, delta, uint32(e.sent), uint32(e.tf))
	} else {
		t.buf = append(t.buf, delta<<docShift|uint32(e.sent)<<sentShift|uint32(e.tf))
	}
	d.buffers += 4 * int64(len(t.buf)-n)
	t.doc, t.sent = e.doc, e.sent
	t.entries++
	d.postings++
}

// raise adds to the frequency of the last entry and returns by how many words the buffer grew.
func (t *term) raise(tf int32) int {
	last := &t.buf[len(t.buf)-1]
	if t.wide || *last&escape+uint32(tf) < escape {
		*last += uint32(tf)
		return 0
	}
	w := *last
	*last = escape
	t.buf = append(t.buf, w>>docShift, w>>sentShift&sentMask, w&escape+uint32(tf))
	t.wide = true
	return 3
}

// decode appends all entries to dst.
func (t *term) decode(dst []entry) []entry {
	n := len(dst)
	dst = grow(dst, n+int(t.entries))
	out := dst[n:]
	doc := int32(-1)
	buf := t.buf
	k := 0
	for i := 0; i < len(buf); i++ {
		w := buf[i]
		e := entry{int32(w >> docShift), int32(w >> sentShift & sentMask), int32(w & escape)}
		if e.tf == escape {
			e = entry{int32(buf[i+1]), int32(buf[i+2]), int32(buf[i+3])}
			i += 3
		}
		doc += e.doc
		e.doc = doc
		out[k] = e
		k++
	}
	return dst
}

// rewrite replaces the entries of a term by those that keep lets through, and drops the term when none is left. The
// buffer is a new one of just the size, so that nothing stays behind the end of the old.
func (d *dictionary) rewrite(id int32, scratch []entry, keep func(doc int32) bool) []entry {
	t := &d.terms[id]
	scratch = t.decode(scratch[:0])
	d.postings -= int64(t.entries)
	d.buffers -= int64(len(t.buf)) * 4
	old := t.buf
	key := t.key
	*t = newTerm(key)
	t.buf = make([]uint32, 0, len(old))
	for _, e := range scratch {
		if keep(e.doc) {
			d.post(id, e)
		}
	}
	if t.entries == 0 {
		d.drop(id)
	} else if len(t.buf) < cap(t.buf)/2 {
		t.buf = append(make([]uint32, 0, len(t.buf)), t.buf...)
	}
	return scratch
}
