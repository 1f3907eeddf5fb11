package scenario

import (
	"encoding/json"
	"fmt"
	"strings"
)

// judge says what is wrong with an answer, "" when nothing is.
func (e *Expectation) judge(answer any, saved map[string]any) string {
	if e.Error != "" {
		return e.judgeError(answer)
	}
	v, err := at(answer, e.Path)
	if err != nil {
		return err.Error()
	}
	_, none := v.(missing)
	switch {
	case e.Absent:
		if none {
			return ""
		}
		return e.Path + " is " + short(v) + ", and should not be there"
	case none:
		return "there is no " + e.Path
	}
	switch {
	case e.Equals != nil:
		want, err := parse(e.Equals)
		if err != nil {
			return err.Error()
		}
		return complain(equal(v, want), e.Path, v, "should be "+short(want))
	case e.Same != "":
		want, ok := saved[e.Same]
		if !ok {
			return "nothing was saved as " + e.Same
		}
		return complain(equal(v, want), e.Path, v, "should be as before: "+short(want))
	case e.Contains != nil:
		return complain(contains(v, *e.Contains), e.Path, v, fmt.Sprintf("should contain %q", *e.Contains))
	case e.Lacks != nil:
		return complain(!contains(v, *e.Lacks), e.Path, v, fmt.Sprintf("should not contain %q", *e.Lacks))
	case e.Count != nil:
		n := -1
		switch v := v.(type) {
		case []any:
			n = len(v)
		case map[string]any:
			n = len(v)
		}
		return complain(n == *e.Count, e.Path, v, fmt.Sprintf("should have %d elements", *e.Count))
	}
	number, ok := v.(json.Number)
	n, err := number.Int64()
	if !ok || err != nil {
		return e.Path + " is " + short(v) + " and no integer"
	}
	if e.Min != nil {
		return complain(n >= *e.Min, e.Path, v, fmt.Sprintf("should be at least %d", *e.Min))
	}
	return complain(n <= *e.Max, e.Path, v, fmt.Sprintf("should be at most %d", *e.Max))
}

func (e *Expectation) judgeError(answer any) string {
	code, _ := at(answer, "error.code")
	path, _ := at(answer, "error.path")
	if code != e.Error {
		return "the answer should be the error " + e.Error + ", and is " + short(answer)
	}
	if e.At != nil && path != *e.At {
		return fmt.Sprintf("the error should be at %q, and is %s", *e.At, short(answer))
	}
	return ""
}

func complain(ok bool, path string, v any, what string) string {
	if ok {
		return ""
	}
	if path == "" {
		path = "the answer"
	}
	return path + " is " + short(v) + " and " + what
}

func contains(v any, part string) bool {
	switch v := v.(type) {
	case string:
		return strings.Contains(v, part)
	case []any:
		for _, x := range v {
			if contains(x, part) {
				return true
			}
		}
		return false
	}
	return strings.Contains(string(encode(v)), part)
}

func short(v any) string {
	if _, none := v.(missing); none {
		return "nothing"
	}
	s := string(encode(v))
	if len(s) > 600 {
		return strings.ToValidUTF8(s[:600], "") + "…"
	}
	return s
}
