package engine

import (
	"strconv"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/need"
	"github.com/ctxplan/ctxplan/plugin/num"
	"github.com/ctxplan/ctxplan/plugin/vector"
)

// defaultNeeds is how many needs are answered when the request does not say.
const defaultNeeds = 32

// needsBytes bounds the texts of one answer.
const needsBytes = 4 << 20

// Needs lists open background needs, those of the oldest messages first.
func (s *Space) Needs(req *abi.NeedsRequest) (*abi.NeedsResponse, *abi.Error) {
	if e := checkNow(req.Now); e != nil {
		return nil, e
	}
	wanted := len(req.Kinds) == 0
	for i, k := range req.Kinds {
		if k != abi.NeedEmbed {
			return nil, failure(abi.CodeInvalidRequest, "kinds["+strconv.Itoa(i)+"]", "kinds of needs are embed")
		}
		wanted = true
	}
	limit := int(req.Max)
	if limit == 0 {
		limit = defaultNeeds
	}
	out := &abi.NeedsResponse{Needs: []abi.Need{}}
	if !wanted || s.settings.Models.Embed == nil {
		return out, nil
	}
	out.Open = s.openMessages()
	size := 0
	for _, t := range s.order {
		for at := range t.book.Messages {
			if !s.wantsVectors(t, at) {
				continue
			}
			v := &t.vectors[at]
			current := v.model == s.keyOf(s.settings.Models.Embed)
			first := 0
			for _, n := range s.passages(t, at) {
				if len(out.Needs) == limit || size > needsBytes {
					return out, nil
				}
				answered := current && first < len(v.pieces) && v.pieces[first].Settled()
				if first += len(n.Texts); answered {
					continue
				}
				for _, text := range n.Texts {
					size += len(text)
				}
				out.Needs = append(out.Needs, n)
			}
			s.tick()
		}
	}
	return out, nil
}

// passages are the needs for the vectors of a message by the model in force.
func (s *Space) passages(t *thread, at int) []abi.Need {
	return s.passagesOf(t, at, s.settings.Models.Embed)
}

func (s *Space) passagesOf(t *thread, at int, model *abi.EmbedModel) []abi.Need {
	m := t.book.Messages[at]
	return need.Passages(need.Place{Thread: t.place, Seq: m.Seq}, t.id, m.Wire.ID, m.Speaker(), m.Text, model)
}

// wantsVectors reports whether a message should have vectors of the model in force and has not all of them.
func (s *Space) wantsVectors(t *thread, at int) bool {
	m := t.book.Messages[at]
	if m.Gone || m.Standing() || !hasWords(m.Text) {
		return false
	}
	v := &t.vectors[at]
	if v.model != s.keyOf(s.settings.Models.Embed) {
		return true
	}
	for _, piece := range v.pieces {
		if !piece.Settled() {
			return true
		}
	}
	return false
}

func hasWords(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] > ' ' {
			return true
		}
	}
	return false
}

// openMessages counts the messages that have open needs.
func (s *Space) openMessages() int64 {
	if s.settings.Models.Embed == nil {
		return 0
	}
	var n int64
	for _, t := range s.order {
		for at := range t.book.Messages {
			if s.wantsVectors(t, at) {
				n++
			}
		}
	}
	return n
}

// hasVectors reports whether all vectors of a message are there, of the model in force.
func (s *Space) hasVectors(t *thread, at int) bool {
	if s.settings.Models.Embed == nil || len(t.vectors[at].pieces) == 0 {
		return false
	}
	return !s.wantsVectors(t, at)
}

// Fulfil takes results of background needs. Each is accepted or refused by itself.
func (s *Space) Fulfil(req *abi.FulfilRequest) (*abi.FulfilResponse, *abi.Error) {
	if e := checkNow(req.Now); e != nil {
		return nil, e
	}
	if len(req.Results) == 0 {
		return nil, failure(abi.CodeInvalidRequest, "results", "there is at least one result")
	}
	var bytes int64
	for i := range req.Results {
		if e := checkResult(&req.Results[i], "results["+strconv.Itoa(i)+"]"); e != nil {
			return nil, e
		}
		if v := req.Results[i].Vectors; v != nil {
			bytes += int64(len(v.F32)/4 + len(v.I8))
		}
	}
	if e := s.roomFor(bytes, 0, "results"); e != nil {
		return nil, e
	}
	out := &abi.FulfilResponse{}
	for i := range req.Results {
		r := &req.Results[i]
		status, reason := s.settleResult(r)
		out.Results = append(out.Results, abi.Fulfilled{Need: r.Need, Status: status, Reason: reason})
		s.tick()
	}
	s.revision++
	out.Revision = s.revision
	return out, nil
}

// checkResult says what makes a result no result at all. What is wrong with its vectors refuses it alone.
func checkResult(r *abi.Result, path string) *abi.Error {
	switch {
	case r.Need == "":
		return failure(abi.CodeInvalidRequest, path+".need", "a result names its need")
	case r.Status == abi.StatusOK && r.Vectors == nil:
		return failure(abi.CodeInvalidRequest, path+".vectors", "a result that is ok has vectors")
	case r.Vectors != nil && (len(r.Vectors.F32) > 0) == (len(r.Vectors.I8) > 0):
		return failure(abi.CodeInvalidRequest, path+".vectors", "vectors are either f32 or i8")
	}
	return nil
}

// What becomes of a result.
const (
	resultAccepted = "accepted"
	resultRefused  = "refused"
	resultNoted    = "noted"
)

func (s *Space) settleResult(r *abi.Result) (status, reason string) {
	s.countCall(r)
	place, ok := need.Source(r.Need)
	if !ok || place.Thread >= len(s.order) || place.Seq < 1 || place.Seq > int64(len(s.order[place.Thread].book.Messages)) {
		return resultRefused, abi.RefusedUnknownNeed
	}
	if s.settings.Models.Embed == nil {
		return resultRefused, abi.RefusedStale
	}
	t, at := s.order[place.Thread], int(place.Seq-1)
	first, total, count := -1, 0, 0
	for _, n := range s.passages(t, at) {
		if n.ID == r.Need {
			first, count = total, len(n.Texts)
		}
		total += len(n.Texts)
	}
	if first < 0 {
		return resultRefused, abi.RefusedStale
	}
	return s.settlePassage(t, at, r, first, count, total)
}

// countCall counts a result and what it cost.
func (s *Space) countCall(r *abi.Result) {
	s.calls["embed_"+r.Status]++
	if r.Usage != nil {
		s.usage.Input = min(num.SaturatingAdd(s.usage.Input, r.Usage.Input), abi.MaxInteger)
		s.usage.Output = min(num.SaturatingAdd(s.usage.Output, r.Usage.Output), abi.MaxInteger)
		s.usage.MS = min(num.SaturatingAdd(s.usage.MS, r.Usage.MS), abi.MaxInteger)
	}
}

// settlePassage takes a result for the texts first to first+count of total texts of a message.
func (s *Space) settlePassage(t *thread, at int, r *abi.Result, first, count, total int) (status, reason string) {
	model := s.settings.Models.Embed
	key := s.keyOf(model)
	old := &t.vectors[at]
	current := old.model == key
	switch {
	case r.Status == abi.StatusError:
		return resultNoted, ""
	case current && first < len(old.pieces) && old.pieces[first].Settled():
		return resultRefused, abi.RefusedDuplicate
	case r.Status == abi.StatusRefused:
		pieces := make([]vector.Vector, total)
		if current {
			copy(pieces, old.pieces)
		}
		for i := first; i < first+count; i++ {
			pieces[i] = vector.Refused
		}
		s.replaceVectors(t, at, embedded{model: key, pieces: pieces})
		return resultNoted, ""
	case r.Model != "" && r.Model != model.Model, r.Vectors.Dimension != model.Dimension:
		return resultRefused, abi.RefusedModelMismatch
	}
	fresh, ok := readVectors(r.Vectors, count)
	if !ok {
		return resultRefused, abi.RefusedBadVector
	}
	pieces := make([]vector.Vector, total)
	if current {
		copy(pieces, old.pieces)
	}
	copy(pieces[first:], fresh)
	s.replaceVectors(t, at, embedded{model: key, pieces: pieces})
	return resultAccepted, ""
}

// replaceVectors puts vectors in the place of those of a message, and keeps count.
func (s *Space) replaceVectors(t *thread, at int, v embedded) {
	for _, p := range t.vectors[at].pieces {
		if !p.Empty() {
			s.vectors--
			s.vectorBytes -= p.Bytes()
		}
	}
	for _, p := range v.pieces {
		if !p.Empty() {
			s.vectors++
			s.vectorBytes += p.Bytes()
		}
	}
	t.vectors[at] = v
	s.views = nil
}
