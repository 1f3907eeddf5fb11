package lexical

import "github.com/ctxplan/ctxplan/plugin/text"

// Remove takes a message out, given as it was added: its postings, the words that no other message holds, its name if no
// other message has it, its lengths and date. Its number stays used. It reports false, and changes nothing, when there
// is no such message or d is not it as far as its length tells.
func (x *Index) Remove(doc int, d Doc) bool {
	return x.RemoveAll([]int{doc}, func(int) Doc { return d })
}

// RemoveAll removes several messages at the cost of one pass over each posting list concerned; get returns a message as
// it was added. It is all or nothing, see Remove. A number given twice counts once.
func (x *Index) RemoveAll(docs []int, get func(doc int) Doc) bool {
	for _, doc := range docs {
		if doc < 0 || doc >= len(x.docs) || x.docs[doc].removed || !x.same(doc, get(doc)) {
			return false
		}
	}
	x.seen = x.seen[:0]
	for _, doc := range docs {
		info := &x.docs[doc]
		if info.removed {
			continue
		}
		x.scanner.Scan(get(doc).Text, x.takeOut)
		from, to := x.sentencesOf(doc)
		clear(x.sentLen[from:to])
		x.removeSpeaker(info.speaker)
		if !info.empty {
			x.live--
		}
		*info = docInfo{sent0: info.sent0, speaker: -1, removed: true}
	}
	for _, id := range x.seen {
		x.entries = x.rewrite(id, x.entries, func(doc int32) bool { return !x.docs[doc].removed })
	}
	x.forgetScratch()
	x.generation++
	return true
}

// same says whether a message has the length, speaker and date of the one that was added, and words that are known.
func (x *Index) same(doc int, d Doc) bool {
	info := x.docs[doc]
	speaker := int32(-1)
	if d.Speaker != "" {
		id, ok := x.speakers.byName[d.Speaker]
		if !ok {
			return false
		}
		speaker = id
	}
	n, known := 0, true
	x.scanner.Scan(d.Text, func(t text.Token) {
		n++
		_, ok := x.words[string(t.Term)]
		known = known && ok
	})
	return known && speaker == info.speaker && info.date == packDate(d.Year, d.Month, d.Day) && info.length == x.lengthOf(n, info)
}

func (x *Index) takeOut(t text.Token) {
	id, ok := x.words[string(t.Term)]
	if !ok {
		return
	}
	word := &x.terms[x.surfaces[id].term]
	if !word.touched {
		word.touched = true
		x.seen = append(x.seen, x.surfaces[id].term)
	}
	x.release(t.Term, id)
}

// forgetScratch drops buffers that may hold words of a removed message.
func (x *Index) forgetScratch() {
	x.scanner = text.Scanner{Tick: x.scanner.Tick}
	x.stem, x.entries, x.view = nil, nil, view{}
}
