package eval

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Set is a number of conversations and the questions that are asked about them.
type Set struct {
	Name          string
	Conversations []Conversation
	Questions     []Question
}

// Conversation is a talk in sessions, oldest first.
type Conversation struct {
	ID       string    `json:"conv_id"`
	Language string    `json:"lang"`
	Sessions []Session `json:"sessions"`
}

// Session is a stretch of a conversation. Date is as its source wrote it, and may be empty; see ParseDate.
type Session struct {
	ID    string `json:"sid"`
	Date  string `json:"date"`
	Turns []Turn `json:"turns"`
}

// Turn is one message.
type Turn struct {
	ID      string `json:"tid"`
	Role    string `json:"role"`
	Speaker string `json:"speaker"`
	Text    string `json:"text"`
	// Date of the turn itself, where the source has one.
	Date string `json:"date"`
}

// Question asks about one conversation. Evidence holds the ids of the turns that hold the answer.
type Question struct {
	ID           string   `json:"qid"`
	Conversation string   `json:"conv_id"`
	Language     string   `json:"lang"`
	Type         string   `json:"type"`
	Text         string   `json:"question"`
	Evidence     []string `json:"ev_turns"`
	// Abstain marks questions that the conversation does not answer.
	Abstain bool `json:"abstain"`
}

// Load reads the set of that name from a directory. A set without a file of questions has none.
func Load(dir, name string) (*Set, error) {
	s := &Set{Name: name}
	if err := s.conversations(filepath.Join(dir, name+".conv.jsonl.gz")); err != nil {
		return nil, err
	}
	err := s.questions(filepath.Join(dir, name+".q.jsonl"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	return s, nil
}

func (s *Set) conversations(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer z.Close()
	return lines(path, z, func(b []byte) error {
		var c Conversation
		if err := json.Unmarshal(b, &c); err != nil {
			return err
		}
		s.Conversations = append(s.Conversations, c)
		return nil
	})
}

func (s *Set) questions(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return lines(path, f, func(b []byte) error {
		var q Question
		if err := json.Unmarshal(b, &q); err != nil {
			return err
		}
		s.Questions = append(s.Questions, q)
		return nil
	})
}

// lines calls use for each line that is not empty, and names file and line in its errors.
func lines(path string, r io.Reader, use func([]byte) error) error {
	br := bufio.NewReaderSize(r, 1<<16)
	for n := 1; ; n++ {
		b, err := br.ReadBytes('\n')
		if len(b) > 1 || len(b) == 1 && b[0] != '\n' {
			if err := use(b); err != nil {
				return fmt.Errorf("%s:%d: %w", path, n, err)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", path, n, err)
		}
	}
}

// Conversation returns the conversation of that id, or nil.
func (s *Set) Conversation(id string) *Conversation {
	for i := range s.Conversations {
		if s.Conversations[i].ID == id {
			return &s.Conversations[i]
		}
	}
	return nil
}

// Answerable returns the questions that have evidence, are not to be abstained from, and are of one of the types; no
// types means any.
func (s *Set) Answerable(types ...string) []Question {
	var out []Question
	for _, q := range s.Questions {
		if q.Abstain || len(q.Evidence) == 0 {
			continue
		}
		ok := len(types) == 0
		for _, t := range types {
			ok = ok || t == q.Type
		}
		if ok {
			out = append(out, q)
		}
	}
	return out
}

// LoCoMoTypes are categories 1 to 4 of LoCoMo: all but the adversarial ones.
var LoCoMoTypes = []string{"multi-hop", "temporal", "open-domain", "single-hop"}
