package main

import "fmt"

// The order of these lists is the order of the constants in plugin/text.
var (
	classes   = []string{"Other", "Letter", "Mark", "Digit", "Number", "Space", "Punct", "Symbol", "Control", "Format"}
	scripts   = []string{"Other", "Han", "Hiragana", "Katakana", "KanaMark", "Hangul", "Thai", "Lao", "Khmer", "Myanmar", "Cursive", "Indic"}
	graphemes = []string{"Other", "CR", "LF", "Control", "Extend", "ZWJ", "Regional_Indicator", "Prepend", "SpacingMark", "L", "V", "T", "LV", "LVT", "Extended_Pictographic"}
)

// Bits of a row: class 0-3, script 4-7, grapheme break 8-11, then flags.
const (
	flagIgnorable = 1 << (12 + iota)
	flagLower
	flagUpper
	flagRTL
	flagApart // a number that is a term by itself: a fraction, a circled digit
)

// indic are the scripts in which ZERO WIDTH JOINER and NON-JOINER choose a letter form.
var indic = map[string]bool{
	"Devanagari": true, "Bengali": true, "Gurmukhi": true, "Gujarati": true, "Oriya": true, "Tamil": true,
	"Telugu": true, "Kannada": true, "Malayalam": true, "Sinhala": true, "Tibetan": true, "Balinese": true,
	"Javanese": true, "Grantha": true, "Newa": true, "Tirhuta": true, "Chakma": true, "Brahmi": true, "Kaithi": true,
	"Sharada": true, "Modi": true, "Siddham": true, "Khojki": true, "Khudawadi": true, "Meetei_Mayek": true,
}

func index(list []string, name string) (uint32, error) {
	for i, n := range list {
		if n == name {
			return uint32(i), nil
		}
	}
	return 0, fmt.Errorf("no code for %q", name)
}

func (c *char) className() string {
	switch {
	case c.space:
		return "Space"
	case c.category == "Nd":
		return "Digit"
	case c.category == "Cc":
		return "Control"
	case c.category == "Cf":
		return "Format"
	}
	switch c.category[0] {
	case 'L':
		return "Letter"
	case 'M':
		return "Mark"
	case 'N':
		return "Number"
	case 'P':
		return "Punct"
	case 'S':
		return "Symbol"
	case 'Z':
		return "Space"
	}
	return "Other"
}

func (c *char) scriptName(r rune) string {
	switch {
	case r == 0x30FC || r == 0xFF70 || r == 0x3099 || r == 0x309A:
		return "KanaMark"
	case c.joins:
		return "Cursive"
	case indic[c.script]:
		return "Indic"
	}
	for _, s := range scripts {
		if s == c.script {
			return s
		}
	}
	return "Other"
}

func (db *database) props() ([]uint32, error) {
	out := make([]uint32, len(db.chars))
	for i := range db.chars {
		c := &db.chars[i]
		class, err := index(classes, c.className())
		if err != nil {
			return nil, err
		}
		script, err := index(scripts, c.scriptName(rune(i)))
		if err != nil {
			return nil, err
		}
		name := c.grapheme
		if c.pictograph {
			if name != "Other" {
				return nil, fmt.Errorf("U+%04X is a pictograph and %s", i, name)
			}
			name = "Extended_Pictographic"
		}
		grapheme, err := index(graphemes, name)
		if err != nil {
			return nil, err
		}
		row := class | script<<4 | grapheme<<8
		for _, f := range []struct {
			on  bool
			bit uint32
		}{
			{c.ignorable, flagIgnorable},
			{c.category == "Ll", flagLower},
			{c.category == "Lu" || c.category == "Lt", flagUpper},
			{c.category != "Cn" && (c.bidi == "R" || c.bidi == "AL"), flagRTL},
			{c.category == "No" && c.tag != "super" && c.tag != "sub", flagApart},
		} {
			if f.on {
				row |= f.bit
			}
		}
		out[i] = row
	}
	return out, nil
}
