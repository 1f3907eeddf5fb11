package lexical

// Bitmap is a set of messages of one thread by number. Messages beyond its end are not in it.
type Bitmap []uint64

// NewBitmap returns an empty set for n messages.
func NewBitmap(n int) Bitmap { return make(Bitmap, (n+63)/64) }

// Set puts a message in.
func (b Bitmap) Set(doc int) { b[doc>>6] |= 1 << (doc & 63) }

// Has says whether a message is in.
func (b Bitmap) Has(doc int) bool { return doc>>6 < len(b) && b[doc>>6]>>(doc&63)&1 != 0 }

// view is what a search sees of a thread: the visible messages that were not removed, numbered anew in their order, with
// their runs, sessions and sentences. It is kept until the index or the set of visible messages changes.
type view struct {
	generation uint64
	all        bool
	bits       Bitmap

	rank []int32 // by message: its number here, -1 if not visible
	doc  []int32 // by rank: the message
	// By rank: run and session, numbered from 0, the first sentence, and the length of the context in eighths of a token.
	run, session, sent, context []int32
	runLength, sessionLength    []int64  // in halves of a token
	sentLength                  []uint16 // with the name of the speaker
	speakers                    []int32  // by speaker: visible messages

	length, contextLength, sentTotal int64
}

// look returns the view for a set of visible messages, nil for all.
func (x *Index) look(visible Bitmap, all bool) *view {
	v := &x.view
	if v.generation == x.generation && v.all == all && (all || equalBits(v.bits, visible)) {
		return v
	}
	v.generation, v.all = x.generation, all
	v.bits = append(v.bits[:0], visible...)
	v.fill(x)
	return v
}

// sentences is how many sentences a message has.
func (v *view) sentences(rank int) int {
	to := len(v.sentLength)
	if rank+1 < len(v.sent) {
		to = int(v.sent[rank+1])
	}
	return to - int(v.sent[rank])
}

func equalBits(a, b Bitmap) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func (v *view) fill(x *Index) {
	n := len(x.docs)
	v.rank = grow(v.rank, n)
	v.speakers = grow(v.speakers, len(x.speakers.list))
	clear(v.speakers)
	v.doc, v.run, v.session, v.sent, v.context = v.doc[:0], v.run[:0], v.session[:0], v.sent[:0], v.context[:0]
	v.runLength, v.sessionLength, v.sentLength = v.runLength[:0], v.sessionLength[:0], v.sentLength[:0]
	v.length, v.contextLength, v.sentTotal = 0, 0, 0
	var before docInfo
	for doc := range x.docs {
		d := x.docs[doc]
		if d.removed || !v.all && !v.bits.Has(doc) {
			v.rank[doc] = -1
			continue
		}
		first := len(v.doc) == 0
		if first || d.session != before.session {
			v.sessionLength = append(v.sessionLength, 0)
		}
		if first || d.run != before.run {
			v.runLength = append(v.runLength, 0)
		}
		before = d
		v.rank[doc] = int32(len(v.doc))
		v.doc = append(v.doc, int32(doc))
		v.run = append(v.run, int32(len(v.runLength)-1))
		v.session = append(v.session, int32(len(v.sessionLength)-1))
		v.runLength[len(v.runLength)-1] += int64(d.length)
		v.sessionLength[len(v.sessionLength)-1] += int64(d.length)
		v.length += int64(d.length)
		v.sent = append(v.sent, int32(len(v.sentLength)))
		name := 0
		if d.speaker >= 0 {
			v.speakers[d.speaker]++
			name = len(x.speakers.list[d.speaker].stems)
		}
		from, to := x.sentencesOf(doc)
		for _, l := range x.sentLen[from:to] {
			n := min(int(l)+name, maxSentence)
			v.sentLength = append(v.sentLength, uint16(n))
			v.sentTotal += int64(n)
		}
	}
	v.fillContext(x)
}

// kernel spreads a message over its neighbours, in quarters: two before to two after.
var kernel = [5]int32{1, 2, 4, 2, 1}

const reach = 2

// fillContext sums up the lengths of neighbours in the same session. Lengths are halves and the kernel quarters, hence
// eighths.
func (v *view) fillContext(x *Index) {
	n := len(v.doc)
	v.context = grow(v.context, n)
	for i := range v.context {
		var sum int64
		for j := max(0, i-reach); j <= min(n-1, i+reach); j++ {
			if v.session[j] == v.session[i] {
				sum += int64(kernel[j-i+reach]) * int64(x.docs[v.doc[j]].length)
			}
		}
		v.context[i] = int32(min(sum, 1<<31-1))
		v.contextLength += int64(v.context[i])
	}
}

// grow returns a slice of n values of any content, in the same memory if it is large enough.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}
