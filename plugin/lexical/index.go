package lexical

import "github.com/ctxplan/ctxplan/plugin/text"

// Doc is what the index takes of a message.
type Doc struct {
	// Text is all that is to be found: the words of the message, texts of its parts, alternative texts of images.
	Text string
	// Speaker is the name of the person or tool, empty when there is none better than a role.
	Speaker string
	// Year, Month and Day are the local date of the message; all are 0 without a date.
	Year, Month, Day int
	// Session and Run number the sessions and the runs of the thread. Neither falls from one message to the next, and
	// both belong to the thread: hidden or removed messages do not merge them.
	Session, Run int32
}

// Index holds the postings of one thread, see New. It is not safe for concurrent use, searching included.
type Index struct {
	dictionary
	docs     []docInfo
	sentLen  []uint16 // tokens of each sentence and of the speaker's name, of all messages one after the other
	speakers speakers
	live     int

	scanner  text.Scanner
	emit     func(text.Token)
	spans    []text.Span
	name     int  // tokens in the name of the speaker
	sentence int  // being scanned
	inSent   int  // its tokens so far
	tokens   int  // of the message so far
	time     bool // it holds a word of time
	seen     []int32
	entries  []entry

	generation uint64 // changes with every change but Add
	view       view
}

// docInfo is what is kept of a message beside its postings.
type docInfo struct {
	length  int32 // of text, name and date, in halves of a token
	sent0   uint32
	session int32
	run     int32
	date    int32
	speaker int32 // -1 without
	time    bool
	empty   bool // holds no term
	removed bool
}

// Sizes of what is kept, in bytes, for Bytes. They are constants, so that the count is the same on every machine.
const (
	docBytes  = 28
	sentBytes = 2
)

// maxSentence bounds the length of a sentence that is kept.
const maxSentence = 1<<16 - 1

// A tf is counted in halves, so that the date's .5 is whole.
const (
	halvesToken = 2
	halvesDate  = 1
	dateLength  = 3 * halvesDate
)

// New returns an index without messages.
func New() *Index {
	x := &Index{dictionary: newDictionary(), speakers: newSpeakers(), generation: 1} // a view of generation 0 is none
	x.emit = x.add
	return x
}

// Len is the number of messages added. Removed ones count, since their numbers stay used.
func (x *Index) Len() int { return len(x.docs) }

// Live is the number of messages that hold a term and were not removed.
func (x *Index) Live() int { return x.live }

// Terms is the number of distinct terms in use.
func (x *Index) Terms() int { return len(x.terms) - len(x.freeTerms) }

// Postings is the number of pairs of a term and a sentence that holds it.
func (x *Index) Postings() int64 { return x.postings }

// Bytes is the size of what the index keeps, counted the same way on every machine. Scratch is not in it.
func (x *Index) Bytes() int64 {
	return int64(len(x.docs))*docBytes + int64(len(x.sentLen))*sentBytes + x.dictionary.size() + x.speakers.bytes
}

// SetTick makes the index call tick about every 4 kB of text that it scans. If tick panics the index is to be thrown away.
func (x *Index) SetTick(tick func()) { x.scanner.Tick = tick }

// Add indexes the next message. Its number is the Len before the call.
func (x *Index) Add(d Doc) {
	info := docInfo{sent0: uint32(len(x.sentLen)), session: d.Session, run: d.Run, date: packDate(d.Year, d.Month, d.Day)}
	info.speaker = x.addSpeaker(d.Speaker)
	x.name = x.nameLength(info.speaker)
	x.spans = text.Sentences(x.spans[:0], d.Text)
	x.sentence, x.inSent, x.tokens, x.time = 0, 0, 0, false
	x.scanner.Scan(d.Text, x.emit)
	x.endSentences(len(x.spans))
	info.length, info.time, info.empty = x.lengthOf(x.tokens, info), x.time, x.tokens == 0
	x.docs = append(x.docs, info)
	if !info.empty {
		x.live++
	}
}

func (x *Index) lengthOf(tokens int, d docInfo) int32 {
	n := halvesToken * int64(tokens+x.nameLength(d.speaker))
	if d.date != 0 {
		n += dateLength
	}
	return int32(min(n, 1<<30))
}

// tokensOf is the number of tokens in the text of a message.
func (x *Index) tokensOf(d *docInfo) int {
	n := d.length
	if d.date != 0 {
		n -= dateLength
	}
	return int(n)/halvesToken - x.nameLength(d.speaker)
}

// add puts one token of the message being added into the postings of its term.
func (x *Index) add(t text.Token) {
	for x.sentence+1 < len(x.spans) && t.Start >= x.spans[x.sentence].End {
		x.endSentences(x.sentence + 1)
	}
	x.tokens++
	x.inSent++
	s := &x.surfaces[x.intern(t)]
	s.count++
	x.time = x.time || s.time
	x.post(s.term, entry{int32(len(x.docs)), int32(x.sentence), 1})
}

func (x *Index) endSentences(next int) {
	for ; x.sentence < next; x.sentence++ {
		x.sentLen = append(x.sentLen, uint16(min(x.inSent+x.name, maxSentence)))
		x.inSent = 0
	}
}

// sentencesOf is the range in sentLen of a message.
func (x *Index) sentencesOf(doc int) (from, to int) {
	from, to = int(x.docs[doc].sent0), len(x.sentLen)
	if doc+1 < len(x.docs) {
		to = int(x.docs[doc+1].sent0)
	}
	return from, to
}
