package main

import "strings"

// noBegin holds what does not stand at the beginning of a line in Chinese and
// Japanese.
const noBegin = "，。！？；：、）」』】》〉”’…ーっょゃゅァィゥェォッャュョ"

// wrap cuts a text into lines of at most width columns: at spaces, between wide
// characters, and inside a word only when it is longer than a line. Newlines of
// the text are kept, tabs become two spaces.
func wrap(s string, width int) []string {
	var lines []string
	for line := range strings.SplitSeq(strings.ReplaceAll(s, "\t", "  "), "\n") {
		lines = append(lines, wrapLine(cells(line), width)...)
	}
	return lines
}

func wrapLine(line []cell, width int) []string {
	var lines []string
	begin, used, chance := 0, 0, -1 // chance is the newest place for a break
	for i := 0; i < len(line); i++ {
		if i > begin && breakable(line[i-1], line[i]) {
			chance = i
		}
		used += line[i].width
		if used <= width || line[i].text == " " {
			continue
		}
		if chance <= begin {
			chance = max(i, begin+1)
		}
		lines = append(lines, strings.TrimRight(join(line[begin:chance]), " "))
		begin, used, chance = chance, 0, -1
		i = begin - 1
	}
	if begin == len(line) && begin > 0 {
		return lines
	}
	return append(lines, strings.TrimRight(join(line[begin:]), " "))
}

func breakable(before, after cell) bool {
	if before.text == " " {
		return after.text != " "
	}
	return (before.width == 2 || after.width == 2) && after.text != " " && !strings.Contains(noBegin, after.text)
}

func join(line []cell) string {
	var b strings.Builder
	for _, c := range line {
		b.WriteString(c.text)
	}
	return b.String()
}
