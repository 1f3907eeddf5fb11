package scenario

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
)

// Scenario is one story.
type Scenario struct {
	// Case is its name in the list of cases, such as R01.
	Case  string `json:"case"`
	Title string `json:"title"`
	// Source is where the fault was reported, empty when it was told without.
	Source string `json:"source,omitempty"`
	Steps  []Step `json:"steps"`
}

// Step is one request and what must hold of its answer.
type Step struct {
	// Note says what the step is for.
	Note string `json:"note,omitempty"`
	// Space is the space that is asked, main when empty.
	Space string `json:"space,omitempty"`
	Op    string `json:"op"`
	// In is the request, in which objects with one member that begins with $
	// stand for values: see expand.
	In json.RawMessage `json:"in"`
	// Times is how often the request is made, once when 0. All answers have to
	// be the same bytes.
	Times int `json:"times,omitempty"`
	// Save keeps values of the answer, by name the path of each.
	Save   map[string]string `json:"save,omitempty"`
	Expect []Expectation     `json:"expect"`
}

// Expectation says one thing about the value at a path of the answer. Exactly
// one member beside Path, At and Why is given.
type Expectation struct {
	// Why says what the expectation is for.
	Why  string `json:"why,omitempty"`
	Path string `json:"path,omitempty"`
	// Equals is the value; members of objects may come in any order.
	Equals json.RawMessage `json:"equals,omitempty"`
	// Contains is a part of a text, of any text in a list, or of the JSON of
	// anything else; Lacks is no part of any.
	Contains *string `json:"contains,omitempty"`
	Lacks    *string `json:"lacks,omitempty"`
	// Count is the number of elements or members.
	Count *int `json:"count,omitempty"`
	// Min and Max bound a number.
	Min *int64 `json:"min,omitempty"`
	Max *int64 `json:"max,omitempty"`
	// Absent says that there is nothing at the path.
	Absent bool `json:"absent,omitempty"`
	// Same is the name of a saved value that this one equals.
	Same string `json:"same,omitempty"`
	// Error is the code with which the op fails, At the path in the request.
	Error string  `json:"error,omitempty"`
	At    *string `json:"at,omitempty"`
}

// Read reads a story and checks its form.
func Read(file string) (*Scenario, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	s := &Scenario{}
	if err := d.Decode(s); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return s, nil
}

func (s *Scenario) check() error {
	switch {
	case s.Case == "" || s.Title == "":
		return errors.New("a story has a case and a title")
	case s.Source != "" && !strings.HasPrefix(s.Source, "https://"):
		return errors.New("the source of a story is an address")
	case len(s.Steps) == 0:
		return errors.New("a story has steps")
	}
	expectations := 0
	for i := range s.Steps {
		st := &s.Steps[i]
		expectations += len(st.Expect)
		if st.Op == "" || len(st.In) == 0 {
			return fmt.Errorf("step %d: a step has op and in", i+1)
		}
		for j := range st.Expect {
			if n := st.Expect[j].kinds(); n != 1 {
				return fmt.Errorf("step %d, expectation %d: it says %d things", i+1, j+1, n)
			}
		}
	}
	if expectations == 0 {
		return errors.New("a story expects something")
	}
	return nil
}

func (e *Expectation) kinds() int {
	n := 0
	for _, given := range []bool{e.Equals != nil, e.Contains != nil, e.Lacks != nil, e.Count != nil, e.Min != nil, e.Max != nil,
		e.Absent, e.Same != "", e.Error != ""} {
		if given {
			n++
		}
	}
	return n
}
