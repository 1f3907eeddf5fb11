package engine

import (
	"strings"
	"testing"

	"github.com/ctxplan/ctxplan/abi"
)

// dump is all that can be read of a space, as text.
func dump(t *testing.T, s *Space) string {
	t.Helper()
	var b strings.Builder
	add := func(bytes []byte, e *abi.Error) {
		if e != nil {
			b.WriteString(e.Code + e.Path)
		}
		b.Write(bytes)
		b.WriteByte('\n')
	}
	stats, e := s.Stats(nil)
	add(stats.AppendWire(nil), e)
	set, e := s.with(&abi.SettingsPatch{}, "")
	add(set.AppendWire(nil), e)
	list, e := s.Read(&abi.ReadRequest{Limit: 1000})
	add(list.AppendWire(nil), e)
	history := int64(3000)
	for _, th := range list.Threads {
		read, e := s.Read(&abi.ReadRequest{Thread: th.Thread, Limit: 1000})
		add(read.AppendWire(nil), e)
		for _, q := range []string{"", "heron lantern 4417 会议", "where is the invoice of Brannock"} {
			for _, patch := range []string{`{"models":{"embed":null}}`, `{"models":{"embed":null},"recent":{"turns":0}}`} {
				p, e := s.Plan(&abi.PlanRequest{Thread: th.Thread, Question: q, Explain: true, Budget: abi.BudgetRequest{History: &history},
					Scope: &abi.Scope{Threads: []string{"*"}}, Settings: abi.SettingsPatch{Raw: []byte(patch)}})
				if e != nil {
					add(nil, e)
					continue
				}
				add(p.AppendWire(nil), e)
			}
		}
	}
	n, e := s.Needs(&abi.NeedsRequest{Max: 1024})
	add(n.AppendWire(nil), e)
	d, e := s.Describe(nil)
	add(d.AppendWire(nil), e)
	return b.String()
}
