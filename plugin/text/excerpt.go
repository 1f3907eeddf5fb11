package text

import (
	"strconv"
	"strings"
)

// Excerpt shortens s to at most limit bytes, marks included. It keeps the sentences that the spans of best touch, the
// first of them first, each as far as it fits, and then the sentences right before and after them; with no best, the
// head and the tail of s. It cuts between sentences; at a grapheme border within one only if that one is longer than
// half the limit and there would be nothing otherwise. Pieces stand in the order of s, on lines of their own, and a mark
// stands for what is left out: the first says how long s is, as in "[… 4100 bytes in all …]", the others are "[…]".
//
// What comes from within a fenced code block opens and closes with that block's fence, so that no fence is left open
// (unless s itself is returned). These fences are no part of spans, which are the ranges of s that were kept, in order.
//
// A text that fits comes back as it is with one span. A limit too small for a mark and some text gives "" and nil.
func Excerpt(s string, limit int, best []Span) (out string, spans []Span) {
	if s == "" {
		return "", nil
	}
	if len(s) <= limit {
		return s, []Span{{0, len(s)}}
	}
	e := &excerpt{text: s, limit: limit, first: -1, last: -1}
	e.size = "[… " + strconv.Itoa(len(s)) + " bytes in all …]"
	if limit < len(e.size)+2 {
		return "", nil
	}
	e.begin, e.end = trim(s, 0, len(s))
	e.read()
	if len(best) == 0 {
		e.keepEnds()
	} else {
		e.keepBest(best)
	}
	return e.render()
}

const shortMark = "[…]"

// excerpt chooses from pieces. Its total is kept up to date so that each choice costs constant time.
type excerpt struct {
	text       string
	limit      int
	size       string // the first mark
	begin, end int    // of the text without white space around it
	pieces     []piece
	blocks     []block

	first, last int // kept pieces, -1 for none
	runs        int // of neighbouring kept pieces
	bytes       int // of the runs, with the fences that they need
}

// piece is a sentence, or a part of one that is too long for the limit.
type piece struct {
	from, to   int  // what a run that begins or ends here takes of the text
	block      int  // fenced block, -1 for prose
	open, shut bool // a run that begins, or ends, here needs a fence of its own
	goesOn     bool // the next piece is of the same sentence
	kept       bool
}

// block is a fenced code block.
type block struct{ open, shut string }

// before and after are the bytes of the fences that a run needs which begins, or ends, with piece i.
func (e *excerpt) before(i int) int {
	if p := &e.pieces[i]; p.open {
		return len(e.blocks[p.block].open) + 1
	}
	return 0
}

func (e *excerpt) after(i int) int {
	if p := &e.pieces[i]; p.shut {
		return len(e.blocks[p.block].shut) + 1
	}
	return 0
}

// head and tail are a run's bounds with its fences counted in, so that their difference is its size.
func (e *excerpt) head(i int) int { return e.pieces[i].from - e.before(i) }
func (e *excerpt) tail(i int) int { return e.pieces[i].to + e.after(i) }

func (e *excerpt) kept(i int) bool { return i >= 0 && i < len(e.pieces) && e.pieces[i].kept }

// toggle keeps piece i, or leaves it out again.
func (e *excerpt) toggle(i int) {
	left, right := e.kept(i-1), e.kept(i+1)
	runs, bytes := 1, 0
	if left {
		runs--
		bytes -= e.tail(i - 1)
	} else {
		bytes -= e.head(i)
	}
	if right {
		runs--
		bytes += e.head(i + 1)
	} else {
		bytes += e.tail(i)
	}
	if p := &e.pieces[i]; p.kept {
		p.kept = false
		e.runs -= runs
		e.bytes -= bytes
	} else {
		p.kept = true
		e.runs += runs
		e.bytes += bytes
	}
}

// fits reports whether the whole would fit with its outermost pieces at first and last.
func (e *excerpt) fits(first, last, limit int) bool {
	marks := e.runs - 1
	if e.pieces[first].from > e.begin {
		marks++
	}
	if e.pieces[last].to < e.end {
		marks++
	}
	total := e.bytes + e.runs - 1
	if marks > 0 {
		total += len(e.size) + 1 + (marks-1)*(len(shortMark)+1)
	}
	return total <= limit
}

// try keeps the pieces from i up to j, all or none.
func (e *excerpt) try(i, j, limit int) bool {
	first, last := e.first, e.last
	var added []int
	for k := i; k < j; k++ {
		if !e.pieces[k].kept {
			e.toggle(k)
			added = append(added, k)
		}
	}
	if first < 0 || i < first {
		first = i
	}
	if last < j-1 {
		last = j - 1
	}
	if e.fits(first, last, limit) {
		e.first, e.last = first, last
		return true
	}
	for k := len(added) - 1; k >= 0; k-- {
		e.toggle(added[k])
	}
	return false
}

// sentence widens piece i to the pieces of its sentence.
func (e *excerpt) sentence(i int) (from, to int) {
	from, to = i, i
	for from > 0 && e.pieces[from-1].goesOn {
		from--
	}
	for e.pieces[to].goesOn {
		to++
	}
	return from, to + 1
}

func (e *excerpt) keepBest(best []Span) {
	var chosen []Span
	for _, b := range best {
		for i := e.at(b.Start); i < len(e.pieces) && e.pieces[i].from < b.End; {
			from, to := e.sentence(i)
			if e.try(from, to, e.limit) || e.first < 0 && e.fill(i, to, e.limit) {
				chosen = append(chosen, Span{from, to})
			}
			i = to
		}
	}
	for _, c := range chosen {
		if c.End < len(e.pieces) {
			from, to := e.sentence(c.End)
			e.try(from, to, e.limit)
		}
		if c.Start > 0 {
			from, to := e.sentence(c.Start - 1)
			e.try(from, to, e.limit)
		}
	}
}

// fill keeps as many pieces from i on, and below j, as fit, and reports whether one did.
func (e *excerpt) fill(i, j, limit int) bool {
	from := i
	for i < j && e.try(i, i+1, limit) {
		i++
	}
	return i > from
}

// keepEnds gives the head three fifths of the room and the tail the rest, and what is then left to the head.
func (e *excerpt) keepEnds() {
	if len(e.pieces) == 0 {
		return
	}
	mark := len(e.size) + 1
	share := mark + (e.limit-mark)*3/5
	i, j := e.keepFrom(0, len(e.pieces), share), len(e.pieces)
	if i == 0 {
		_, to := e.sentence(0)
		if !e.try(0, to, e.limit) {
			e.fill(0, to, share)
		}
		for e.kept(i) {
			i++
		}
	}
	for j > i {
		from, _ := e.sentence(j - 1)
		if from < i || !e.try(from, j, e.limit) {
			break
		}
		j = from
	}
	if j == len(e.pieces) {
		for from, _ := e.sentence(j - 1); j > max(i, from) && e.try(j-1, j, e.limit); {
			j--
		}
	}
	if e.keepFrom(i, j, e.limit); e.first < 0 {
		e.fill(0, len(e.pieces), e.limit)
	}
}

// keepFrom keeps whole sentences from piece i on, below j, while they fit, and returns where it stopped.
func (e *excerpt) keepFrom(i, j, limit int) int {
	for i < j {
		_, to := e.sentence(i)
		if to > j || !e.try(i, to, limit) {
			break
		}
		i = to
	}
	return i
}

// render writes the kept pieces.
func (e *excerpt) render() (string, []Span) {
	if e.first < 0 {
		return "", nil
	}
	var b strings.Builder
	var spans []Span
	mark := e.size
	cut := func() {
		b.WriteString(mark)
		b.WriteByte('\n')
		mark = shortMark
	}
	if e.pieces[e.first].from > e.begin {
		cut()
	}
	for i := e.first; i <= e.last; i++ {
		if !e.kept(i) {
			continue
		}
		j := i
		for e.kept(j + 1) {
			j++
		}
		if i > e.first {
			cut()
		}
		p, q := &e.pieces[i], &e.pieces[j]
		if p.open {
			b.WriteString(e.blocks[p.block].open)
			b.WriteByte('\n')
		}
		b.WriteString(e.text[p.from:q.to])
		b.WriteByte('\n')
		if q.shut {
			b.WriteString(e.blocks[q.block].shut)
			b.WriteByte('\n')
		}
		spans = append(spans, Span{p.from, q.to})
		i = j
	}
	if e.pieces[e.last].to < e.end {
		cut()
	}
	out := b.String()
	return out[:len(out)-1], spans
}
