package lexical

// Bitmap is a set of messages of one thread by number. Messages beyond its end are not in it.
type Bitmap []uint64

// NewBitmap returns an empty set for n messages.
func NewBitmap(n int) Bitmap { return make(Bitmap, (n+63)/64) }

// Set puts a message in.
func (b Bitmap) Set(doc int) { b[doc>>6] |= 1 << (doc & 63) }

// Has says whether a message is in.
func (b Bitmap) Has(doc int) bool { return doc>>6 < len(b) && b[doc>>6]>>(doc&63)&1 != 0 }

// view is what a search sees of a thread: the visible messages that hold a word and were not removed, numbered anew in
// their order, with their runs and sessions. It is kept from search to search, and extended by what was added, until a
// message is removed or others become visible.
type view struct {
	generation uint64
	all        bool
	bits       Bitmap

	rank []int32 // by message: its number here, -1 if not visible
	doc  []int32 // by rank: the message
	// By rank: run and session, numbered from 0, and the length of the context in eighths of a token.
	run, session, context    []int32
	runLength, sessionLength []int64 // in halves of a token
	sessionFrom              []int32 // the first rank of each session
	length                   []int32 // by rank, in halves
	speakers                 []int32 // by speaker: visible messages
	sentences                int
	halves, eighths, tokens  int64 // sums of the lengths of messages, contexts, sentences
}

// look returns the view for a set of visible messages, or for all.
func (x *Index) look(visible Bitmap, all bool) *view {
	v := &x.view
	if v.generation != x.generation || v.all != all || !all && !equalBits(v.bits, visible) {
		*v = view{generation: x.generation, all: all, bits: append(v.bits[:0], visible...), rank: v.rank[:0], doc: v.doc[:0],
			run: v.run[:0], session: v.session[:0], context: v.context[:0], runLength: v.runLength[:0],
			sessionLength: v.sessionLength[:0], sessionFrom: v.sessionFrom[:0], length: v.length[:0], speakers: v.speakers[:0]}
	}
	if len(v.rank) < len(x.docs) {
		v.extend(x)
	}
	return v
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

// extend takes in the messages that were added since.
func (v *view) extend(x *Index) {
	for len(v.speakers) < len(x.speakers.list) {
		v.speakers = append(v.speakers, 0)
	}
	from := len(v.doc)
	last := &docInfo{session: -1, run: -1}
	if from > 0 {
		last = &x.docs[v.doc[from-1]]
	}
	for doc := len(v.rank); doc < len(x.docs); doc++ {
		d := &x.docs[doc]
		if d.removed || d.empty || !v.all && !v.bits.Has(doc) {
			v.rank = append(v.rank, -1)
			continue
		}
		if len(v.doc) == 0 || d.session != last.session {
			v.sessionLength = append(v.sessionLength, 0)
			v.sessionFrom = append(v.sessionFrom, int32(len(v.doc)))
		}
		if len(v.doc) == 0 || d.run != last.run {
			v.runLength = append(v.runLength, 0)
		}
		last = d
		v.rank = append(v.rank, int32(len(v.doc)))
		v.doc = append(v.doc, int32(doc))
		v.run = append(v.run, int32(len(v.runLength)-1))
		v.session = append(v.session, int32(len(v.sessionLength)-1))
		v.runLength[len(v.runLength)-1] += int64(d.length)
		v.sessionLength[len(v.sessionLength)-1] += int64(d.length)
		v.length = append(v.length, d.length)
		v.halves += int64(d.length)
		v.count(x, doc)
	}
	v.extendContext(x, from)
}

// count adds the sentences and the speaker of a message.
func (v *view) count(x *Index, doc int) {
	d := &x.docs[doc]
	from, to := x.sentencesOf(doc)
	name := 0
	if d.speaker >= 0 {
		v.speakers[d.speaker]++
		name = x.nameLength(d.speaker)
	}
	v.sentences += to - from
	v.tokens += int64(x.tokensOf(d) + name*(to-from))
}

// whole says whether the view shows every message that holds a term.
func (v *view) whole(x *Index) bool { return len(v.doc) == x.live }

// kernel spreads a message over its neighbours, in quarters: two before to two after.
var kernel = [5]int32{1, 2, 4, 2, 1}

const spread = 2

// extendContext adds up the lengths of neighbours in the same session, of the messages from a rank on and of those that
// they are neighbours of. Lengths are halves and the kernel quarters, hence eighths.
func (v *view) extendContext(x *Index, from int) {
	v.context = append(v.context, make([]int32, len(v.doc)-len(v.context))...)
	first, last := 0, -1
	for i := max(0, from-spread); i < len(v.doc); i++ {
		if i > last {
			first, last = v.sessionRange(i)
		}
		var sum int64
		for j := max(first, i-spread); j <= min(last, i+spread); j++ {
			sum += int64(kernel[j-i+spread]) * int64(v.length[j])
		}
		sum = min(sum, 1<<31-1)
		v.eighths += sum - int64(v.context[i])
		v.context[i] = int32(sum)
	}
}

// sessionRange is the first and the last rank of the session of a message.
func (v *view) sessionRange(rank int) (first, last int) {
	s := int(v.session[rank])
	last = len(v.doc) - 1
	if s+1 < len(v.sessionFrom) {
		last = int(v.sessionFrom[s+1]) - 1
	}
	return int(v.sessionFrom[s]), last
}

// grow returns a slice of n values: those of s, then any.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return append(make([]T, 0, n+n/4), s...)[:n]
	}
	return s[:n]
}
