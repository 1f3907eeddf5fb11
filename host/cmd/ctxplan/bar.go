package main

import (
	"strings"

	"github.com/ctxplan/ctxplan/abi"
)

// account is one part of the budget as it is shown.
type account struct {
	name   string
	letter byte
	tokens int64
	colour string
}

// accounts lists the parts of a budget. Capitals are what the host brings,
// small letters what the memory takes.
func accounts(b *abi.Budget) []account {
	return []account{
		{"output", 'O', b.Output, grey},
		{"margin", 'M', b.Margin, grey},
		{"system", 'S', b.System, blue},
		{"tools", 'T', b.Tools, blue},
		{"evidence", 'E', b.Evidence, green},
		{"input", 'I', b.Input, cyan},
		{"instructions", 'i', b.Used.Instructions, magenta},
		{"pinned", 'p', b.Used.Pinned, magenta},
		{"retrieved", 'r', b.Used.Retrieved, yellow},
		{"recent", 'c', b.Used.Recent, cyan},
		{"free", '.', b.Free, grey},
	}
}

// shares divides width columns among tokens in proportion. Whatever is above
// zero gets a column at least while there are enough, and the sum is width.
func shares(parts []account, width int) []int {
	out := make([]int, len(parts))
	var sum int64
	for _, p := range parts {
		sum += max(p.tokens, 0)
	}
	if sum == 0 {
		return out
	}
	left := width
	for i, p := range parts {
		if p.tokens > 0 {
			out[i] = max(1, int(float64(p.tokens)/float64(sum)*float64(width)))
			left -= out[i]
		}
	}
	// Rounding goes to, or comes from, the largest part.
	for left != 0 {
		largest := 0
		for i := range out {
			if out[i] > out[largest] {
				largest = i
			}
		}
		if left < 0 && out[largest] <= 1 {
			break
		}
		step := 1
		if left < 0 {
			step = -1
		}
		out[largest] += step
		left -= step
	}
	return out
}

// bar draws the budget and explains its letters.
func (v *view) bar(b *abi.Budget) {
	parts := accounts(b)
	widths := shares(parts, v.width-2)
	v.text("[")
	for i, p := range parts {
		v.coloured(p.colour, strings.Repeat(string(p.letter), widths[i]))
	}
	v.text("]\n")
	var legend []string
	for _, p := range parts {
		if p.tokens != 0 || p.letter == '.' {
			legend = append(legend, string(p.letter)+" "+p.name+" "+group(p.tokens))
		}
	}
	for _, line := range wrapWords(legend, "   ", v.width-1) {
		v.text(" " + line + "\n")
	}
}

// wrapWords puts words that are not to be cut into lines.
func wrapWords(words []string, between string, width int) []string {
	var lines []string
	line := ""
	for _, w := range words {
		switch {
		case line == "":
			line = w
		case columns(line)+columns(between)+columns(w) > width:
			lines = append(lines, line)
			line = w
		default:
			line += between + w
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
