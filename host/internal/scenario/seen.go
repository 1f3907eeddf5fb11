package scenario

import (
	"slices"
	"strings"

	"github.com/ctxplan/ctxplan/abi"
)

// seen gives the stored messages as the caller of a plan sees them: those that
// the acl of the request shows, numbered among themselves.
func seen(q *abi.PlanRequest, p *abi.Plan, stored []abi.ReadMessage) []abi.ReadMessage {
	if q.Scope == nil || !q.Scope.ACL.Given {
		return stored
	}
	ids := map[int64]string{}
	for i := range p.Items {
		if it := &p.Items[i]; it.Thread == p.Thread {
			ids[it.Seq] = it.ID
		}
	}
	var out []abi.ReadMessage
	turn := int64(0)
	for _, m := range stored {
		if len(m.Message.ACL) > 0 && !slices.ContainsFunc(m.Message.ACL, func(n string) bool { return slices.Contains(q.Scope.ACL.List, n) }) {
			continue
		}
		if m.Message.Role == abi.RoleUser {
			turn++
		}
		m.Seq, m.Turn, m.Open = int64(len(out)+1), turn, false
		if id := ids[m.Seq]; m.Message.ID[0] == '#' && strings.HasPrefix(id, "~") {
			m.Message.ID = id // what it is made of is not told, only that it is no number
		}
		out = append(out, m)
	}
	answered := map[int64]int{}
	for result, call := range (&guard{stored: out}).answers() {
		out[result-1].Turn = out[call-1].Turn
		answered[call]++
	}
	for i := range out {
		out[i].Open = len(out[i].Message.ToolCalls) > answered[out[i].Seq]
	}
	return out
}

// dense numbers the messages that are stored from 1 without gaps, and says the
// same in a copy of the plan. What the plan says of a message that is not
// stored gets a number behind all others.
func dense(p *abi.Plan, stored []abi.ReadMessage) (*abi.Plan, []abi.ReadMessage) {
	if n := len(stored); n == 0 || stored[n-1].Seq == int64(n) {
		return p, stored
	}
	place := map[int64]int64{}
	stored = slices.Clone(stored)
	for i := range stored {
		place[stored[i].Seq] = int64(i + 1)
		stored[i].Seq = int64(i + 1)
	}
	number := func(seq int64) int64 {
		if n := place[seq]; n > 0 || seq == 0 {
			return n
		}
		return int64(len(stored)) + seq
	}
	c := *p
	c.Items, c.Dropped = slices.Clone(p.Items), slices.Clone(p.Dropped)
	for i := range c.Items {
		if c.Items[i].Thread == p.Thread {
			c.Items[i].Seq = number(c.Items[i].Seq)
		}
	}
	for i := range c.Dropped {
		if c.Dropped[i].Thread == p.Thread {
			c.Dropped[i].Seq = number(c.Dropped[i].Seq)
		}
	}
	ranges := func(list [][2]int64) [][2]int64 {
		var out [][2]int64
		end := int64(0)
		for _, r := range list {
			d := [2]int64{number(r[0]), number(r[1])}
			if n := len(out); n > 0 && d[0] == out[n-1][1]+1 && r[0] > end+1 {
				out[n-1][1] = d[1] // between them is what was forgotten
			} else {
				out = append(out, d)
			}
			end = r[1]
		}
		return out
	}
	c.Coverage = abi.Coverage{Verbatim: ranges(p.Coverage.Verbatim), Summarised: ranges(p.Coverage.Summarised), Dropped: ranges(p.Coverage.Dropped)}
	return &c, stored
}
