package eval

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
)

// Haystack is a recipe for a long conversation put together from pieces of others, and the questions asked about it.
type Haystack struct {
	ID       string `json:"id"`
	Language string `json:"lang"`
	// Length is the size aimed at, in tokens, the same for all haystacks of one row of a table.
	Length    int       `json:"length"`
	Segments  []Segment `json:"segments"`
	Questions []string  `json:"questions"`
}

// Segment is the turns A to B, B not included, of a conversation of a set, counted through its sessions.
type Segment struct {
	Set          string `json:"src"`
	Conversation string `json:"conv"`
	A            int    `json:"a"`
	B            int    `json:"b"`
}

// LoadHaystacks reads a gzipped manifest with one haystack a line.
func LoadHaystacks(path string) ([]Haystack, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	defer z.Close()
	var out []Haystack
	err = lines(path, z, func(b []byte) error {
		var h Haystack
		if err := json.Unmarshal(b, &h); err != nil {
			return err
		}
		out = append(out, h)
		return nil
	})
	return out, err
}

// Build puts the conversation of a haystack together. The id of a turn becomes CONVERSATION:TURN. Each segment begins a
// session, and so does each session within it.
func (h *Haystack) Build(sets map[string]*Set) (*Conversation, error) {
	c := &Conversation{ID: h.ID, Language: h.Language}
	for i, seg := range h.Segments {
		set := sets[seg.Set]
		if set == nil {
			return nil, fmt.Errorf("haystack %s: set %s is not loaded", h.ID, seg.Set)
		}
		src := set.Conversation(seg.Conversation)
		if src == nil {
			return nil, fmt.Errorf("haystack %s: set %s has no conversation %s", h.ID, seg.Set, seg.Conversation)
		}
		n := 0
		for _, s := range src.Sessions {
			from, to := max(seg.A-n, 0), min(seg.B-n, len(s.Turns))
			n += len(s.Turns)
			if from >= to {
				continue
			}
			out := Session{ID: seg.Conversation + ":" + s.ID + "#" + strconv.Itoa(i), Date: s.Date}
			for _, t := range s.Turns[from:to] {
				t.ID = seg.Conversation + ":" + t.ID
				out.Turns = append(out.Turns, t)
			}
			c.Sessions = append(c.Sessions, out)
		}
		if seg.B > n {
			return nil, fmt.Errorf("haystack %s: conversation %s has %d turns, not %d", h.ID, seg.Conversation, n, seg.B)
		}
	}
	return c, nil
}

// Ask returns the questions of a haystack, their evidence renamed as its turns are.
func (h *Haystack) Ask(sets map[string]*Set) []Question {
	wanted := map[string]bool{}
	for _, id := range h.Questions {
		wanted[id] = true
	}
	var out []Question
	for _, seg := range h.sets() {
		if sets[seg] == nil {
			continue
		}
		for _, q := range sets[seg].Answerable() {
			if !wanted[q.ID] {
				continue
			}
			evidence := make([]string, len(q.Evidence))
			for i, e := range q.Evidence {
				evidence[i] = q.Conversation + ":" + e
			}
			q.Evidence, q.Conversation = evidence, h.ID
			out = append(out, q)
		}
	}
	return out
}

// sets are the names of the sets that a haystack takes from, each once, in order.
func (h *Haystack) sets() []string {
	var out []string
	seen := map[string]bool{}
	for _, seg := range h.Segments {
		if !seen[seg.Set] {
			seen[seg.Set] = true
			out = append(out, seg.Set)
		}
	}
	return out
}

// LoadSets reads every set that some haystacks take from.
func LoadSets(dir string, hs []Haystack) (map[string]*Set, error) {
	out := map[string]*Set{}
	for i := range hs {
		for _, name := range hs[i].sets() {
			if out[name] == nil {
				s, err := Load(dir, name)
				if err != nil {
					return nil, err
				}
				out[name] = s
			}
		}
	}
	return out, nil
}
