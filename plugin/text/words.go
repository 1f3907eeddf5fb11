package text

import "unicode/utf8"

// FunctionWord reports whether a folded English term carries grammar rather than matter: articles, pronouns,
// prepositions, conjunctions, auxiliaries and their negations, and the adverbs that go with anything. It is true of all
// that QuestionWord is true of. The list is frozen: what an index stores depends on it.
func FunctionWord(term []byte) bool {
	_, ok := functionWords[string(term)]
	return ok
}

// QuestionWord reports whether a folded English term is a question word or one of the auxiliaries that questions are
// made with: such words say what is asked for, not where the answer stands.
func QuestionWord(term []byte) bool {
	return functionWords[string(term)] == asks
}

// Particle reports whether a Chinese character is mostly grammar: particles, pronouns, prepositions, negations. A gram
// of such characters says little. The list is frozen.
func Particle(r rune) bool {
	_, ok := particles[r]
	return ok
}

// ParticleShare counts the particles among the characters of a gram.
func ParticleShare(gram []byte) (count, of int) {
	for len(gram) > 0 {
		r, w := utf8.DecodeRune(gram)
		if Particle(r) {
			count++
		}
		of++
		gram = gram[w:]
	}
	return count, of
}

const (
	grammar = 1 + iota
	asks
)

var functionWords = wordSet(
	"what who when where which why how do does did is are was were has have had",
	"a an the this that these those some any each every either neither no not nor none such same other another both all "+
		"i me my mine myself you your yours yourself yourselves he him his himself she her hers herself it its itself "+
		"we us our ours ourselves they them their theirs themselves one ones someone anyone everyone something anything everything "+
		"of in on at by to from with without for about into onto over under between among through during before after "+
		"above below up down out off against within upon across along around behind beside besides beyond near toward towards until till since per via "+
		"and or but so if then else because as than while although though unless whether "+
		"be been being am having doing done can could may might must shall should will would ought cannot "+
		"there here now just only also too very really quite rather more most much many few less least own again ever even still yet already "+
		"whom whose let get got oh ok okay yes yeah well please "+
		"don't doesn't didn't isn't aren't wasn't weren't hasn't haven't hadn't can't couldn't won't wouldn't shan't shouldn't mustn't mightn't needn't ain't",
)

func wordSet(questions, rest string) map[string]uint8 {
	set := make(map[string]uint8, 256)
	add := func(list string, kind uint8) {
		for start, i := 0, 0; i <= len(list); i++ {
			if i == len(list) || list[i] == ' ' {
				set[list[start:i]] = kind
				start = i + 1
			}
		}
	}
	add(rest, grammar)
	add(questions, asks)
	return set
}

var particles = runeSet("的了呢吗吧啊呀嘛哦么着过地得是在有和与及或而但也都还就很太更最又再才只被把给对从到向往于以为" +
	"我你您他她它们这那哪谁个些每其之所不没未无别要会能可想已经将让使等如若因则且并")

func runeSet(s string) map[rune]struct{} {
	set := make(map[rune]struct{}, len(s)/3)
	for _, r := range s {
		set[r] = struct{}{}
	}
	return set
}
