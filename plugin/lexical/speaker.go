package lexical

import "github.com/ctxplan/ctxplan/plugin/text"

// speakers are the names in a thread. Names are not in the postings: a message has one speaker, so the messages of a name
// are found by a look at each, at no cost when it is added.
type speakers struct {
	list   []speaker
	byName map[string]int32
	free   []int32
	bytes  int64
}

type speaker struct {
	name  string
	stems []string // terms of the name, in order
	count int32    // messages
}

const speakerBytes = 80

func newSpeakers() speakers { return speakers{byName: map[string]int32{}} }

func (x *Index) addSpeaker(name string) int32 {
	if name == "" {
		return -1
	}
	s := &x.speakers
	id, ok := s.byName[name]
	if !ok {
		name = string([]byte(name)) // not a part of a request that would be kept alive
		sp := speaker{name: name, stems: stemsOf(&x.scanner, name)}
		id = int32(len(s.list))
		if n := len(s.free); n > 0 {
			id, s.free = s.free[n-1], s.free[:n-1]
			s.list[id] = sp
		} else {
			s.list = append(s.list, sp)
		}
		s.byName[name] = id
		s.bytes += speakerBytes + 2*int64(len(name))
	}
	s.list[id].count++
	return id
}

// nameLength is how many tokens the name of a speaker has.
func (x *Index) nameLength(id int32) int {
	if id < 0 {
		return 0
	}
	return len(x.speakers.list[id].stems)
}

func (x *Index) removeSpeaker(id int32) {
	if id < 0 {
		return
	}
	s := &x.speakers
	sp := &s.list[id]
	if sp.count--; sp.count > 0 {
		return
	}
	delete(s.byName, sp.name)
	s.bytes -= speakerBytes + 2*int64(len(sp.name))
	*sp = speaker{}
	s.free = append(s.free, id)
}

// stemsOf returns the terms of a text.
func stemsOf(sc *text.Scanner, s string) []string {
	var out []string
	sc.Scan(s, func(t text.Token) { out = append(out, stemOf(t)) })
	return out
}

// stemOf is the term that a token is indexed by.
func stemOf(t text.Token) string {
	if t.Kind != text.Word {
		return string(t.Term)
	}
	return string(text.Stem(nil, text.English, t.Term))
}
