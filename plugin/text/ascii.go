package text

// What a byte is to the scanner, as bits; those beyond ASCII have asciiNot alone.
const (
	asciiLetter = 1 << iota
	asciiDigit
	asciiJoin   // may stand inside a compound: . _ - / @ & + : , '
	asciiSuffix // may end one: + # %
	asciiPrefix // may begin one: . # @ $ -
	asciiNot

	asciiWord = asciiLetter | asciiDigit
)

var asciiKinds = classifyASCII()

func classifyASCII() (k [256]uint8) {
	for c := 0x80; c < len(k); c++ {
		k[c] = asciiNot
	}
	for c := 'a'; c <= 'z'; c++ {
		k[c] = asciiLetter
		k[c-'a'+'A'] = asciiLetter
	}
	for c := '0'; c <= '9'; c++ {
		k[c] = asciiDigit
	}
	for _, set := range []struct {
		chars string
		bit   uint8
	}{{"._-/@&+:,'", asciiJoin}, {"+#%", asciiSuffix}, {".#@$-", asciiPrefix}} {
		for i := range len(set.chars) {
			k[set.chars[i]] |= set.bit
		}
	}
	return k
}
