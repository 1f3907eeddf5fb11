package text

// FunctionWord reports whether a folded English term carries grammar rather than matter. It includes QuestionWord.
func FunctionWord(term []byte) bool {
	_, ok := functionWords[string(term)]
	return ok || QuestionWord(term)
}

// QuestionWord reports whether a folded English term is a question word or one of the auxiliaries that questions begin with.
func QuestionWord(term []byte) bool {
	switch string(term) {
	case "what", "who", "when", "where", "which", "why", "how",
		"do", "does", "did", "is", "are", "was", "were", "has", "have", "had":
		return true
	}
	return false
}

// Particle reports whether a Chinese character is mostly grammar.
func Particle(r rune) bool {
	for _, p := range particles {
		if p == r {
			return true
		}
	}
	return false
}

const particles = "的了呢吗吧啊么着过是在和与及就也都还很被把给对从到会要已而但或我你他她它们这那个些只没不"

var functionWords = map[string]struct{}{"the": {}, "of": {}, "and": {}, "a": {}, "an": {}, "to": {}, "in": {}, "it": {}, "that": {}, "for": {}, "on": {}, "with": {}, "as": {}, "at": {}, "by": {}}
