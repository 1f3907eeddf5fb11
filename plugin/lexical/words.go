package lexical

import "github.com/ctxplan/ctxplan/plugin/text"

var months = [12]string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}

// set holds words for look-up.
type set map[string]struct{}

func (s set) has(w string) bool {
	_, ok := s[w]
	return ok
}

func words(list ...string) set {
	s := set{}
	for _, w := range list {
		s[w] = struct{}{}
	}
	return s
}

// connectives are articles, prepositions and conjunctions. They are no ground to find anything, not even when a question
// has nothing else.
var connectives = words("a", "an", "the", "of", "in", "on", "at", "to", "for", "from", "by", "with", "about", "into", "onto", "over",
	"under", "between", "through", "during", "within", "without", "and", "or", "but", "nor", "if", "than", "as", "because", "while",
	"that", "so", "yet", "'s", "s")

// timeWords are words of a message that tell a time. Numbers of four digits from 1900 to 2099 are too.
var timeWords = words("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
	"december", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "monday", "tuesday", "wednesday",
	"thursday", "friday", "saturday", "sunday", "mon", "tue", "wed", "thu", "fri", "today", "yesterday", "tomorrow", "tonight", "ago",
	"day", "days", "week", "weeks", "weekend", "weekends", "month", "months", "year", "years", "hour", "hours", "minute", "minutes",
	"morning", "noon", "afternoon", "evening", "night", "midnight", "last", "next", "since", "until", "recently", "soon", "later",
	"earlier", "spring", "summer", "autumn", "winter", "decade",
	"年", "月", "日", "号", "周", "点", "今天", "明天", "昨天", "前天", "后天", "今年", "去年", "明年", "前年", "上周", "下周", "本周", "周末",
	"星期", "月份", "上月", "下月", "早上", "上午", "中午", "下午", "晚上", "今晚", "昨晚", "小时", "分钟", "春天", "夏天", "秋天", "冬天",
	"刚才", "最近", "以前", "以后", "之前", "之后")

func timeWord(word string, kind text.Kind) bool {
	if kind == text.Number {
		return len(word) == 4 && (word[:2] == "19" || word[:2] == "20")
	}
	return timeWords.has(word)
}
