package text

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// read fills e.pieces and e.blocks. Fences are no pieces: a run that begins with the first line of a block takes the
// opening fence with it, one that ends with the last line the closing one.
func (e *excerpt) read() {
	s := e.text
	var f fence
	var spans []Span
	inBlock := -1
	opened, empty := 0, true // the line that opened the block; no code in it yet
	for i := 0; i < len(s); {
		end, next := lineAt(s, i)
		line := s[i:end]
		switch f.next(line) {
		case prose:
			start := i
			spans = spans[:0]
			if mayOpen(line) {
				// It is prose for what stands later in the line; a part of it would open a block.
				e.pieces = append(e.pieces, piece{from: i, to: i + len(strings.TrimRight(line, " \t\r")), block: -1})
				break
			}
			spans = splitLine(spans, s, i, end)
			for _, sp := range spans {
				if sp.Start > start {
					sp.Start = pastFence(s, sp.Start, end)
				}
				e.cut(sp, end, -1)
			}
		case opener:
			inBlock, opened, empty = len(e.blocks), i, true
			e.blocks = append(e.blocks, newBlock(line, f))
		case code:
			if a, b := trim(s, i, end); a < b {
				n := len(e.pieces)
				e.cut(Span{i, b}, end, inBlock) // with its indentation
				if empty {
					e.pieces[n].from, e.pieces[n].open = opened, false
					empty = false
				}
			}
		case closer:
			if !empty {
				last := &e.pieces[len(e.pieces)-1]
				last.to, last.shut = i+len(strings.TrimRight(line, " \t\r")), false
			}
		}
		i = next
	}
}

// newBlock gives the fences with which a part of a block opens and closes: those of the block, indented and quoted
// like them.
func newBlock(line string, f fence) block {
	indent := []byte(line[:f.indent])
	for i, c := range indent {
		if c != '>' && c != '\t' {
			indent[i] = ' '
		}
	}
	marks := strings.Repeat(string(f.char), f.size)
	info := strings.TrimRight(line[f.indent+f.size:], " \t\r")
	if len(info) > maxInfo {
		info = ""
	}
	return block{open: string(indent) + marks + info, shut: string(indent) + marks}
}

const maxInfo = 40

// pastFence moves a start within a line past a run that could open a block if it stood at the start of a line.
func pastFence(s string, a, b int) int {
	for a < b {
		at, _, _, n := fenceStart(s[a:b])
		if n < 3 {
			break
		}
		for a += at + n; a < b && !border(s, a); {
			_, w := utf8.DecodeRuneInString(s[a:b])
			a += w
		}
	}
	a, _ = trim(s, a, b)
	return a
}

// cut appends a sentence of a line that ends at line as one piece or, if it is long for the limit, as several.
func (e *excerpt) cut(sp Span, line, block int) {
	if sp.Len() <= 0 {
		return
	}
	fenced := block >= 0
	if n := e.limit / 2; sp.Len() > n {
		size := max(e.limit/8, minPiece)
		for sp.Len() > size {
			part := e.text[sp.Start:sp.End]
			n := len(Prefix(part, size))
			if n == 0 {
				n = NextGrapheme(part)
			} else {
				n = comfortable(part[:n], n)
			}
			if n == len(part) || mayOpen(part) || mayOpen(e.text[sp.Start+n:line]) {
				break
			}
			e.pieces = append(e.pieces, piece{from: sp.Start, to: sp.Start + n, block: block, open: fenced, shut: fenced, goesOn: true})
			sp.Start += n
		}
	}
	e.pieces = append(e.pieces, piece{from: sp.Start, to: sp.End, block: block, open: fenced, shut: fenced})
}

const minPiece = 16

// mayOpen reports whether a block could open, or close, if s stood on a line of its own, or a part of s.
func mayOpen(s string) bool {
	_, _, _, n := fenceStart(s)
	return n >= 3
}

// at is the first piece that ends after p.
func (e *excerpt) at(p int) int {
	i, _ := slices.BinarySearchFunc(e.pieces, p+1, func(x piece, p int) int { return x.to - p })
	return i
}
