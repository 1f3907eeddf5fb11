package scenario

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/host"
)

// changes makes requests of all ops that change a thread, and plans with scopes between them: messages of several scripts with
// acls, labels and calls, edits, pins, forks, forgetting, syncs of a part, and input with results.
type changes struct {
	*rand.Rand
	ids  []string
	next int
}

func (c *changes) words() string {
	all := []string{"the heron lantern", "order A123", "合同改到周四", "会议室", "서울로 이사", "café", "key K-4417", "not now", "boiler", "👩‍👧 photo", "مرحبا"}
	s := ""
	for range 1 + c.IntN(6) {
		s += all[c.IntN(len(all))] + " "
	}
	return s + "."
}

func (c *changes) acl() []string {
	return [][]string{nil, nil, nil, {"a"}, {"b"}, {"a", "b"}}[c.IntN(6)]
}

func (c *changes) message(role string) map[string]any {
	c.next++
	id := fmt.Sprint("m", c.next)
	c.ids = append(c.ids, id)
	m := map[string]any{"id": id, "role": role, "content": c.words(), "time": fmt.Sprintf("2026-0%d-1%dT0%d:00:00Z", 1+c.next/40%9, c.IntN(9), c.IntN(9))}
	if acl := c.acl(); acl != nil {
		m["acl"] = acl
	}
	if c.IntN(5) == 0 {
		m["labels"] = map[string]string{"order": fmt.Sprint(c.IntN(2))}
	}
	return m
}

func (c *changes) turn() []any {
	out := []any{c.message("user")}
	if c.IntN(2) == 0 {
		call := c.message("assistant")
		call["tool_calls"] = []any{map[string]any{"id": "c1", "name": "look", "arguments": "{\"q\":1}"}, map[string]any{"id": "c2", "name": "look", "arguments": "no json"}}
		out = append(out, call)
		for _, id := range []string{"c2", "c1"}[:c.IntN(3)] {
			r := c.message("tool")
			r["tool_call_id"] = id
			out = append(out, r)
		}
	}
	return append(out, c.message("assistant"))
}

func (c *changes) id() string { return c.ids[c.IntN(len(c.ids))] }

// step is the next op and its request.
func (c *changes) step() (string, any) {
	if len(c.ids) == 0 {
		return "append", map[string]any{"thread": "t", "messages": c.turn()}
	}
	switch c.IntN(14) {
	case 0, 1, 2:
		return "append", map[string]any{"thread": "t", "messages": c.turn()}
	case 3:
		m := c.message("user")
		m["id"] = c.id()
		return "append", map[string]any{"thread": "t", "mode": "upsert", "messages": []any{m}}
	case 4:
		return "append", map[string]any{"thread": "t", "mode": "sync", "messages": c.turn(), "prune": c.IntN(6) == 0}
	case 5:
		return "amend", map[string]any{"thread": "t", "edit": map[string]any{"id": c.id(), "content": c.words()}}
	case 6:
		return "amend", map[string]any{"thread": "t", []string{"pin", "unpin"}[c.IntN(2)]: []string{c.id()}}
	case 7:
		return "amend", map[string]any{"fork": map[string]any{"from": "t", "at": c.id(), "to": fmt.Sprint("f", c.next)}}
	case 8:
		return "forget", map[string]any{"thread": "t", "messages": []string{c.id()}, "dry_run": c.IntN(3) == 0}
	case 9:
		return "amend", map[string]any{"thread": "t", "close_call": map[string]any{"id": "c1", "result": "given up"}}
	}
	plan := map[string]any{"thread": "t", "question": c.words(), "explain": c.IntN(2) == 0, "budget": map[string]any{"history": 50 + c.IntN(900)},
		"strategy": []string{"auto", "fused", "truncate"}[c.IntN(3)], "render": []string{"openai.chat", "anthropic.messages", "gemini.contents"}[c.IntN(3)]}
	scope := map[string]any{}
	if c.IntN(2) == 0 {
		scope["acl"] = [][]string{{}, {"a"}, {"b"}}[c.IntN(3)]
	}
	if c.IntN(4) == 0 {
		scope["labels"] = map[string]string{"order": "1"}
	}
	if c.IntN(3) == 0 {
		scope["threads"] = []string{"*"}
	}
	plan["scope"] = scope
	if c.IntN(3) == 0 {
		plan["input"] = []any{map[string]any{"role": "tool", "tool_call_id": "c1", "content": "late"}, map[string]any{"role": "user", "content": c.words()}}
	}
	return "plan", plan
}

// The same random changes give the same bytes natively and in the sandbox, every plan keeps the guarantees, and no answer is
// an internal fault.
func TestGuaranteesOfRandomChanges(t *testing.T) {
	histories := uint64(60)
	if testing.Short() {
		histories = 6
	}
	native := open(t, host.Native())
	sandbox := open(t, host.WithWasm(module(t)))
	plans := 0
	for seed := range histories {
		c := &changes{Rand: rand.New(rand.NewPCG(seed, 11))}
		a := &Spaces{Runtime: native, Prefix: fmt.Sprint("changes", seed)}
		b := &Spaces{Runtime: sandbox, Prefix: fmt.Sprint("changes", seed)}
		for range 60 {
			op, in := c.step()
			request, err := json.Marshal(in)
			if err != nil {
				t.Fatal(err)
			}
			x, err := a.Do(background, "s", op, request)
			if err != nil {
				t.Fatalf("seed %d: %s %s: %v", seed, op, request, err)
			}
			y, err := b.Do(background, "s", op, request)
			if err != nil || !bytes.Equal(x, y) {
				t.Fatalf("seed %d: %s %s\nnative  %s\nsandbox %s %v", seed, op, request, x, y, err)
			}
			if bytes.HasPrefix(x, []byte(`{"error":{"code":"internal"`)) {
				t.Fatalf("seed %d: %s %s\n%s", seed, op, request, x)
			}
			if op != abi.OpPlan {
				continue
			}
			faults, err := checkPlan(background, a, "s", request, x)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range faults {
				t.Errorf("seed %d: %s\n%s\n%.1500s", seed, f, request, x)
			}
			plans++
		}
		if t.Failed() {
			return
		}
	}
	if plans < int(histories)*8 {
		t.Errorf("only %d plans", plans)
	}
}
