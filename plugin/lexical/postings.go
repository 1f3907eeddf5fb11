package lexical

import "encoding/binary"

// entry says how often a term occurs in one sentence of one message.
type entry struct{ doc, sent, tf int32 }

// term is a list of entries in order of message and sentence. All but the last are in buf:
//
//	uvarint (doc − doc before) << 1 | (tf > 1), uvarint sentence, uvarint tf if > 1
//
// The last one stays outside until the next comes, because a message may add to it. Most terms occur once, and have no
// buffer at all.
type term struct {
	key     string
	buf     []byte
	base    int32 // message of the last entry in buf
	last    entry
	docs    int32 // messages
	entries int32
	touched bool
}

// post adds an entry behind all others, or to the last one.
func (d *dictionary) post(id int32, e entry) {
	t := &d.terms[id]
	if t.entries > 0 {
		if t.last.doc == e.doc && t.last.sent == e.sent {
			t.last.tf += e.tf
			return
		}
		n := len(t.buf)
		t.flush()
		d.buffers += int64(len(t.buf) - n)
	}
	if t.entries == 0 || t.last.doc != e.doc {
		t.docs++
	}
	t.last = e
	t.entries++
	d.postings++
}

func (t *term) flush() {
	e := t.last
	head := uint64(e.doc-t.base) << 1
	if e.tf > 1 {
		head |= 1
	}
	t.buf = binary.AppendUvarint(t.buf, head)
	t.buf = binary.AppendUvarint(t.buf, uint64(e.sent))
	if e.tf > 1 {
		t.buf = binary.AppendUvarint(t.buf, uint64(e.tf))
	}
	t.base = e.doc
}

// decode appends all entries to dst.
func (t *term) decode(dst []entry) []entry {
	if t.entries == 0 {
		return dst
	}
	var doc int32
	buf := t.buf
	for i := 0; i < len(buf); {
		head := uint64(buf[i])
		i++
		if head >= 0x80 {
			head, i = uvarint(buf, i-1)
		}
		sent := uint64(buf[i])
		i++
		if sent >= 0x80 {
			sent, i = uvarint(buf, i-1)
		}
		tf := uint64(1)
		if head&1 != 0 {
			tf, i = uvarint(buf, i)
		}
		doc += int32(head >> 1)
		dst = append(dst, entry{doc, int32(sent), int32(tf)})
	}
	return append(dst, t.last)
}

func uvarint(buf []byte, i int) (uint64, int) {
	var x uint64
	for s := 0; ; s += 7 {
		b := buf[i]
		i++
		x |= uint64(b&0x7f) << s
		if b < 0x80 {
			return x, i
		}
	}
}

// rewrite replaces the entries of a term by those that keep lets through, and drops the term when none is left. The
// buffer is a new one of just the size, so that nothing stays behind the end of the old.
func (d *dictionary) rewrite(id int32, scratch []entry, keep func(doc int32) bool) []entry {
	t := &d.terms[id]
	scratch = t.decode(scratch[:0])
	d.postings -= int64(t.entries)
	d.buffers -= int64(len(t.buf))
	old := t.buf
	key := t.key
	*t = term{key: key, buf: make([]byte, 0, len(old))}
	for _, e := range scratch {
		if keep(e.doc) {
			d.post(id, e)
		}
	}
	if t.entries == 0 {
		d.drop(id)
	} else if len(t.buf) < cap(t.buf)/2 {
		t.buf = append(make([]byte, 0, len(t.buf)), t.buf...)
	}
	return scratch
}
