package scenario

import (
	"encoding/json"
	"testing"
)

const answer = `{"plan":{"items":[{"id":"a","tokens":3,"open":true},{"id":"b","tokens":5,"list":[1,2]},{"id":"c","tokens":5}],"counts":{"x":9007199254740991}}}`

func TestPaths(t *testing.T) {
	v, err := parse([]byte(answer))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"plan.items[0].id":           `"a"`,
		"plan.items[-1].id":          `"c"`,
		"plan.items[id=b].tokens":    `5`,
		"plan.items[tokens=5].id":    `"b"`,
		"plan.items[*].id":           `["a","b","c"]`,
		"plan.items[*tokens=5].id":   `["b","c"]`,
		"plan.items[*open=true].id":  `["a"]`,
		"plan.items[*].list[1]":      `[2]`,
		"plan.items[*none=1].id":     `[]`,
		"plan.counts":                `{"x":9007199254740991}`,
		"plan.items[3]":              ``,
		"plan.items[-4]":             ``,
		"plan.items[id=d].id":        ``,
		"plan.items.id":              ``,
		"plan.none.more":             ``,
		"plan.items[0].id[0]":        ``,
		"plan.counts.x.y":            ``,
		"plan.items[*].list[*]":      `[[1,2]]`,
		"plan.items[*tokens=3].list": `[]`,
	} {
		got, err := at(v, path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if _, none := got.(missing); none != (want == "") {
			t.Errorf("%s: found %v", path, !none)
		} else if !none && string(encode(got)) != want {
			t.Errorf("%s: %s, want %s", path, encode(got), want)
		}
	}
	if _, err := at(v, "plan.items[0"); err == nil {
		t.Error("an open bracket was taken")
	}
}

func TestExpectationsHoldOrComplain(t *testing.T) {
	saved := map[string]any{"tokens": json.Number("5")}
	for _, c := range []struct {
		expectation string
		answer      string
		holds       bool
	}{
		{`{"path":"a","equals":{"x":1,"y":[2]}}`, `{"a":{"y":[2],"x":1}}`, true},
		{`{"path":"a","equals":{"x":1}}`, `{"a":{"y":2,"x":1}}`, false},
		{`{"path":"a","equals":1}`, `{"a":1.0}`, false},
		{`{"path":"a","equals":"1"}`, `{"a":1}`, false},
		{`{"path":"a","equals":null}`, `{"a":null}`, true},
		{`{"path":"a","equals":null}`, `{}`, false},
		{`{"path":"a","contains":"ell"}`, `{"a":"hello"}`, true},
		{`{"path":"a","contains":"ell"}`, `{"a":["x","hello"]}`, true},
		{`{"path":"","contains":"\"a\":1"}`, `{"a":1}`, true},
		{`{"path":"a","lacks":"ell"}`, `{"a":["x","hello"]}`, false},
		{`{"path":"a","lacks":"ell"}`, `{"a":"x"}`, true},
		{`{"path":"a","lacks":"ell"}`, `{}`, false},
		{`{"path":"a","count":2}`, `{"a":[1,2]}`, true},
		{`{"path":"a","count":2}`, `{"a":{"x":1}}`, false},
		{`{"path":"a","count":0}`, `{"a":"text"}`, false},
		{`{"path":"a","min":3}`, `{"a":3}`, true},
		{`{"path":"a","min":3}`, `{"a":2}`, false},
		{`{"path":"a","min":3}`, `{"a":"3"}`, false},
		{`{"path":"a","max":3}`, `{"a":4}`, false},
		{`{"path":"a","absent":true}`, `{"b":1}`, true},
		{`{"path":"a","absent":true}`, `{"a":null}`, false},
		{`{"path":"a","same":"tokens"}`, `{"a":5}`, true},
		{`{"path":"a","same":"tokens"}`, `{"a":6}`, false},
		{`{"path":"a","same":"nothing"}`, `{"a":6}`, false},
		{`{"error":"conflict"}`, `{"error":{"code":"conflict","path":"x"}}`, true},
		{`{"error":"conflict","at":"x"}`, `{"error":{"code":"conflict","path":"x"}}`, true},
		{`{"error":"conflict","at":"y"}`, `{"error":{"code":"conflict","path":"x"}}`, false},
		{`{"error":"conflict"}`, `{"plan":{}}`, false},
		{`{"error":"conflict"}`, `{"error":{"code":"stale"}}`, false},
	} {
		var e Expectation
		if err := json.Unmarshal([]byte(c.expectation), &e); err != nil {
			t.Fatal(err)
		}
		v, err := parse([]byte(c.answer))
		if err != nil {
			t.Fatal(err)
		}
		if what := e.judge(v, saved); (what == "") != c.holds {
			t.Errorf("%s of %s: %q", c.expectation, c.answer, what)
		}
	}
}

func TestRequestsAreExpanded(t *testing.T) {
	saved := map[string]any{"id": "q.1"}
	for in, want := range map[string]string{
		`{"a":{"$repeat":["ab",3]}}`:        `{"a":"ababab"}`,
		`[{"$saved":"id"}]`:                 `["q.1"]`,
		`{"$f32":[1,-0.5]}`:                 `"AACAPwAAAL8="`,
		`{"$f32":["NaN","Inf","3e38"]}`:     `"AADAfwAAgH/msWF/"`,
		`{"a":{"$x":1,"b":2},"c":"$saved"}`: `{"a":{"$x":1,"b":2},"c":"$saved"}`,
	} {
		v, err := parse([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		got, err := expand(v, saved)
		if err != nil || string(encode(got)) != want {
			t.Errorf("%s: %s, %v, want %s", in, encode(got), err, want)
		}
	}
	for _, in := range []string{`{"$saved":"other"}`, `{"$repeat":["x"]}`, `{"$repeat":["x",-1]}`, `{"$f32":["x"]}`, `{"$else":1}`} {
		v, _ := parse([]byte(in))
		if got, err := expand(v, saved); err == nil {
			t.Errorf("%s was taken as %v", in, got)
		}
	}
}
