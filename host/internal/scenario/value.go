package scenario

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// parse reads JSON with numbers as they stand.
func parse(data []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	return v, nil
}

// encode writes a value without escapes for HTML.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // only what parse gave comes here
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// expand replaces what stands for a value: {"$repeat":["ab",3]} is ababab,
// {"$saved":"name"} is a saved value, {"$f32":[1,0.5]} is the base64 of
// little-endian float32 numbers, of which the words NaN and Inf are some.
func expand(v any, saved map[string]any) (any, error) {
	switch v := v.(type) {
	case []any:
		for i := range v {
			var err error
			if v[i], err = expand(v[i], saved); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for name, value := range v {
			if len(v) == 1 && strings.HasPrefix(name, "$") {
				return special(name, value, saved)
			}
			var err error
			if v[name], err = expand(value, saved); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

func special(name string, value any, saved map[string]any) (any, error) {
	switch name {
	case "$repeat":
		if pair, ok := value.([]any); ok && len(pair) == 2 {
			text, isText := pair[0].(string)
			number, isNumber := pair[1].(json.Number)
			if n, err := strconv.Atoi(number.String()); isText && isNumber && err == nil && n >= 0 {
				return strings.Repeat(text, n), nil
			}
		}
		return nil, fmt.Errorf("$repeat is [text, times]")
	case "$saved":
		key, _ := value.(string)
		v, ok := saved[key]
		if !ok {
			return nil, fmt.Errorf("nothing was saved as %q", key)
		}
		return v, nil
	case "$f32":
		list, _ := value.([]any)
		var b []byte
		for _, x := range list {
			f, err := strconv.ParseFloat(fmt.Sprint(x), 32)
			if err != nil && !math.IsInf(f, 0) {
				return nil, fmt.Errorf("$f32 is a list of numbers: %w", err)
			}
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(f)))
		}
		return base64.StdEncoding.EncodeToString(b), nil
	}
	return nil, fmt.Errorf("there is no %s", name)
}

// missing stands for what is not there.
type missing struct{}

// at finds the value at a path: names with dots between them, and in brackets an
// index, from the end when negative, name=value for the first element with that
// member, * for all elements and *name=value for all with that member.
func at(v any, path string) (any, error) {
	for path != "" {
		if path[0] == '[' {
			inside, rest, ok := strings.Cut(path[1:], "]")
			if !ok {
				return nil, fmt.Errorf("a bracket is open in %q", path)
			}
			list, isList := v.([]any)
			if !isList {
				return missing{}, nil
			}
			if after, all := strings.CutPrefix(inside, "*"); all {
				return each(list, after, strings.TrimPrefix(rest, "."))
			}
			v, path = element(list, inside), strings.TrimPrefix(rest, ".")
			continue
		}
		end := strings.IndexAny(path, ".[")
		if end < 0 {
			end = len(path)
		}
		object, _ := v.(map[string]any)
		next, ok := object[path[:end]]
		if !ok {
			return missing{}, nil
		}
		v, path = next, strings.TrimPrefix(path[end:], ".")
	}
	return v, nil
}

func each(list []any, filter, rest string) (any, error) {
	out := []any{}
	for _, x := range list {
		if filter != "" && !matches(x, filter) {
			continue
		}
		y, err := at(x, rest)
		if err != nil {
			return nil, err
		}
		if y != (missing{}) {
			out = append(out, y)
		}
	}
	return out, nil
}

func element(list []any, inside string) any {
	if i, err := strconv.Atoi(inside); err == nil {
		if i < 0 {
			i += len(list)
		}
		if i < 0 || i >= len(list) {
			return missing{}
		}
		return list[i]
	}
	for _, x := range list {
		if matches(x, inside) {
			return x
		}
	}
	return missing{}
}

func matches(x any, filter string) bool {
	name, value, _ := strings.Cut(filter, "=")
	object, _ := x.(map[string]any)
	member, ok := object[name]
	return ok && fmt.Sprint(member) == value
}

// equal compares values; members of objects may stand in any order.
func equal(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for name, x := range a {
			if y, ok := b[name]; !ok || !equal(x, y) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !equal(a[i], b[i]) {
				return false
			}
		}
		return true
	}
	return a == b
}
