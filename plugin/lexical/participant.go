package lexical

// participants are the speakers of the visible messages of all threads; the same name in two threads is one participant.
type participants struct {
	names  []string
	stems  [][]string
	byName map[string]int32
	of     [][]int32 // by thread and speaker: the participant, -1 if not visible
	named  []bool    // by term of the question: it is in a name
	// holders are the participants that have a stem of the question in their name, one entry for each time.
	holders map[string][]int32
	hits    []int32 // by participant
	count   []int32
	one     int32 // the only participant that the question names, else -1
}

func (p *participants) open(threads []thread) {
	if p.byName == nil {
		p.byName = map[string]int32{}
	}
	p.names, p.stems, p.of = p.names[:0], p.stems[:0], p.of[:0]
	for ti := range threads {
		th := &threads[ti]
		var of []int32
		for sp, count := range th.v.speakers {
			id := int32(-1)
			if count > 0 {
				id = p.id(&th.x.speakers.list[sp])
			}
			of = append(of, id)
		}
		p.of = append(p.of, of)
	}
}

func (p *participants) id(s *speaker) int32 {
	id, ok := p.byName[s.name]
	if !ok {
		id = int32(len(p.names))
		p.byName[s.name] = id
		p.names = append(p.names, s.name)
		p.stems = append(p.stems, s.stems)
	}
	return id
}

// ask finds the participants that a question names. A participant is named by any term of the name that is a content
// word, or that is written with a capital inside the question.
func (p *participants) ask(q *Query) {
	p.named = zeroed(p.named, len(q.terms))
	p.one = -1
	if p.holders == nil {
		p.holders = map[string][]int32{}
	}
	p.hits = zeroed(p.hits, len(p.names))
	count := 0
	for id, stems := range p.stems {
		hit := false
		for _, stem := range stems {
			i, ok := q.byStem[stem]
			if ok {
				p.holders[stem] = append(p.holders[stem], int32(id))
			}
			if ok && (q.terms[i].class == content || q.terms[i].upper) {
				p.named[i] = true
				hit = true
			}
		}
		if hit {
			count++
			p.one = int32(id)
		}
	}
	if count != 1 {
		p.one = -1
	}
}

// counts says how often a term is in the name of each speaker of a thread, shifted by one: the first is for no speaker. It
// holds until the next call.
func (p *participants) counts(thread int, t *searchTerm) []int32 {
	p.count = zeroed(p.count, len(p.of[thread])+1)
	if !t.name {
		return p.count
	}
	for _, id := range p.holders[t.stem] {
		p.hits[id]++
	}
	for speaker, id := range p.of[thread] {
		if id >= 0 {
			p.count[speaker+1] = p.hits[id]
		}
	}
	for _, id := range p.holders[t.stem] {
		p.hits[id] = 0
	}
	return p.count
}

func (p *participants) close() {
	clear(p.byName)
	clear(p.holders)
	clear(p.names)
	clear(p.stems)
}
