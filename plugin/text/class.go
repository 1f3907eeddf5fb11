package text

// Class is a coarse general category.
type Class uint8

const (
	// Other is unassigned, private use, a surrogate, or not a code point at all.
	Other Class = iota
	Letter
	Mark
	// Digit is a decimal digit, Numeral any other number (½, Ⅷ, ①).
	Digit
	Numeral
	// Space has the property White_Space.
	Space
	Punct
	Symbol
	Control
	// Format is invisible: joiners, bidirectional controls, tags.
	Format
)

// script is as much of a character's script as tokens need.
type script uint8

const (
	scriptOther script = iota
	scriptHan
	scriptHiragana
	scriptKatakana
	scriptKanaMark // belongs to the kana before it
	scriptHangul
	scriptThai
	scriptLao
	scriptKhmer
	scriptMyanmar
	scriptCursive // joined letters, Arabic and its like
	scriptIndic   // scripts in which joiners choose a letter form
)

// props is a row of the property table: class 0-3, script 4-7, grapheme break 8-11, flags.
type props uint32

const (
	propIgnorable props = 1 << (12 + iota)
	propLower
	propUpper
	propRTL
	propApart
)

func propsOf(r rune) props {
	if uint32(r) > maxRune {
		return 0
	}
	block := uint(propIndex[uint32(r)>>7])
	return props(propRows[propBlocks[block<<7|uint(r)&127]])
}

const maxRune = 0x10FFFF

func (p props) class() Class   { return Class(p & 15) }
func (p props) script() script { return script(p >> 4 & 15) }
func (p props) has(f props) bool {
	return p&f != 0
}

// unspaced is true of letters, marks and numbers of the scripts that are cut into bigrams.
func (p props) unspaced() bool {
	s := p.script()
	return s >= scriptHan && s <= scriptMyanmar && p.class() >= Letter && p.class() <= Numeral
}

// ClassOf gives the class of r by the pinned tables.
func ClassOf(r rune) Class { return propsOf(r).class() }

// IsHan reports whether r is of the script Han.
func IsHan(r rune) bool { return propsOf(r).script() == scriptHan }

// IsKana reports whether r is Hiragana, Katakana, or one of the marks that both use.
func IsKana(r rune) bool {
	s := propsOf(r).script()
	return s >= scriptHiragana && s <= scriptKanaMark
}

// IsHangul reports whether r is a Hangul syllable or letter.
func IsHangul(r rune) bool { return propsOf(r).script() == scriptHangul }

// IsThai reports whether r is of the script Thai.
func IsThai(r rune) bool { return propsOf(r).script() == scriptThai }

// Unspaced reports whether r is a letter, mark or number of a script that is indexed by bigrams: Han, Hiragana,
// Katakana, Thai, Lao, Khmer and Myanmar, which write no spaces, and Hangul, whose particles hang on the words.
func Unspaced(r rune) bool { return r >= 0x0E00 && propsOf(r).unspaced() }

// IsEmoji reports whether r has the property Extended_Pictographic or is a regional indicator.
func IsEmoji(r rune) bool {
	g := propsOf(r).grapheme()
	return g == gcbPictograph || g == gcbRegional
}

// isSpace is White_Space.
func isSpace(r rune) bool {
	if r < 0x80 {
		return r == ' ' || r >= '\t' && r <= '\r'
	}
	return propsOf(r).class() == Space
}
