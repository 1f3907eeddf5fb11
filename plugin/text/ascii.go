package text

// What an ASCII byte is to the scanner, as bits.
const (
	asciiLetter = 1 << iota
	asciiDigit
	asciiJoin   // may stand inside a compound: . _ - / @ & + : , '
	asciiSuffix // may end one: + # %
	asciiPrefix // may begin one: . # @ $ -
	asciiSpace

	asciiWord = asciiLetter | asciiDigit
)

var asciiKinds = classifyASCII()

func classifyASCII() (k [128]uint8) {
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
	}{{"._-/@&+:,'", asciiJoin}, {"+#%", asciiSuffix}, {".#@$-", asciiPrefix}, {" \t\n\v\f\r", asciiSpace}} {
		for i := range len(set.chars) {
			k[set.chars[i]] |= set.bit
		}
	}
	return k
}
