package checktalk

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Types are the kinds of question: one piece of evidence, several, a matter of dates, something that changed later, a
// wish about how to be served.
var Types = []string{"single", "multi", "temporal", "update", "instruction"}

// Limits of the questions.
const (
	leastQuestions = 24
	// leastDistance lies between the two messages of the first question, in messages.
	leastDistance = 250
	// longestEcho is the longest text, in characters, that a question may have in common with its evidence; a question in
	// the words of its evidence would test nothing.
	longestEcho = 24
)

// CheckQuestions lists the faults of questions on a conversation.
func CheckQuestions(messages []Message, questions []Question) []string {
	var faults []string
	bad := func(id string, ok bool, format string, args ...any) {
		if !ok {
			faults = append(faults, id+": "+fmt.Sprintf(format, args...))
		}
	}
	lang := map[string]int{}
	ids := map[string]bool{}
	types := map[string]int{}
	for _, q := range questions {
		lang[q.Lang]++
		types[q.Type]++
		bad(q.ID, q.ID != "" && !ids[q.ID], "id missing or used twice")
		ids[q.ID] = true
		bad(q.ID, slices.Contains(Types, q.Type), "type %q", q.Type)
		bad(q.ID, q.Question != "" && q.Answer != "", "question or answer missing")
		bad(q.ID, chinese(q.Question) == (q.Lang == "zh"), "language is not %q", q.Lang)
		bad(q.ID, len(q.Evidence) > 0, "no evidence")
		bad(q.ID, q.Type != "single" || len(q.Evidence) == 1, "single, with %d lines of evidence", len(q.Evidence))
		last := 0
		for _, line := range q.Evidence {
			bad(q.ID, line > last, "evidence is not ascending at %d", line)
			last = line
			if line < 1 || line > len(messages) {
				bad(q.ID, false, "no line %d", line)
				continue
			}
			text := messages[line-1].Text()
			bad(q.ID, text != "", "line %d has no content", line)
			echo := commonRun(q.Question, text)
			bad(q.ID, utf8.RuneCountInString(echo) <= longestEcho, "echoes line %d: %q", line, echo)
		}
	}
	bad("whole", len(questions) >= leastQuestions, "%d questions, want %d", len(questions), leastQuestions)
	bad("whole", 2*lang["zh"] == len(questions) && 2*lang["en"] == len(questions), "languages %v, want halves", lang)
	for _, t := range Types {
		bad("whole", types[t] > 0, "no question of type %s", t)
	}
	if len(questions) < 2 {
		return faults
	}
	en, zh := questions[0], questions[1]
	bad("whole", en.Lang == "en" && zh.Lang == "zh" && slices.Equal(en.Evidence, zh.Evidence),
		"the first two do not ask the same in two languages")
	bad("whole", len(en.Evidence) == 2 && en.Evidence[1]-en.Evidence[0] >= leastDistance,
		"evidence of the first at %v, want two lines at least %d apart", en.Evidence, leastDistance)
	return faults
}

// commonRun is the longest text that occurs in both, whole characters only.
func commonRun(a, b string) string {
	a, b = strings.ToLower(a), strings.ToLower(b)
	best := ""
	for i := range a {
		for j := i + len(best); j <= len(a); j++ {
			if j < len(a) && !utf8.RuneStart(a[j]) {
				continue
			}
			if !strings.Contains(b, a[i:j]) {
				break
			}
			best = a[i:j]
		}
	}
	return best
}
