package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/image"
)

// Export gives a page of the state as lines, and its header.
func (s *Space) Export(req *abi.ExportRequest) (*abi.Page, []byte, *abi.Error) {
	return s.page(abi.PageExport, req.From, req.LimitBytes, req.Revision)
}

// Snapshot gives a page of the state as a binary image, and its header.
func (s *Space) Snapshot(req *abi.SnapshotRequest) (*abi.Page, []byte, *abi.Error) {
	return s.page(abi.PageSnapshot, req.From, req.LimitBytes, req.Revision)
}

// page gives the bytes of a stream from an offset on, at most limit of them. What it gives depends on the state and these
// numbers alone; the exporter that it keeps only saves going through the state again for each page.
func (s *Space) page(kind string, from, limit, revision int64) (*abi.Page, []byte, *abi.Error) {
	if limit == 0 {
		limit = abi.PageBytes
	}
	if revision != 0 && revision != s.revision {
		return nil, nil, failure(abi.CodeStale, "revision", "the space has changed since the first page")
	}
	x := s.exporting
	if x == nil || x.kind != kind || x.revision != s.revision || x.from > from {
		x = &exporter{s: s, kind: kind, revision: s.revision, thread: -1, hash: sha256.New()}
	}
	s.exporting = nil
	if !x.seek(from) {
		return nil, nil, failure(abi.CodeInvalidRequest, "from", "there is nothing at this place")
	}
	data, more := x.take(int(limit))
	size := int64(len(data))
	out := &abi.Page{Kind: kind, Format: abi.LogFormat, Engine: abi.EngineVersion, ABI: abi.Version, Revision: s.revision,
		From: from, Bytes: &size}
	if more {
		out.Next = from + size
		s.exporting = x
	}
	return out, data, nil
}

// exporter writes the state as a stream of parts.
type exporter struct {
	s        *Space
	kind     string
	revision int64

	// buf holds what was written and not yet taken, from the offset from on; borders are the places in it where a part ends.
	buf     []byte
	from    int64
	borders []int
	hash    hash.Hash
	lines   int64

	// thread and at are the next message, or the thread itself when at is -1; thread -1 is the header.
	thread, at int
	done       bool
}

// seek goes to an offset. It reports false when nothing is there.
func (x *exporter) seek(from int64) bool {
	for {
		if skip := from - x.from; skip < int64(len(x.buf)) {
			x.drop(int(skip))
			return true
		}
		if x.done {
			return false
		}
		x.drop(len(x.buf))
		x.step()
	}
}

func (x *exporter) drop(n int) {
	x.buf = append(x.buf[:0], x.buf[n:]...)
	x.from += int64(n)
	kept := x.borders[:0]
	for _, b := range x.borders {
		if b > n {
			kept = append(kept, b-n)
		}
	}
	x.borders = kept
}

// take gives at most limit bytes that end with a part, or limit bytes of a part that is larger, and whether there are more.
func (x *exporter) take(limit int) ([]byte, bool) {
	for !x.done && len(x.buf) <= limit {
		x.step()
	}
	n := len(x.buf)
	if n > limit {
		n = limit
		for i := len(x.borders) - 1; i >= 0; i-- {
			if x.borders[i] <= limit {
				n = x.borders[i]
				break
			}
		}
	}
	data := append([]byte(nil), x.buf[:n]...)
	x.drop(n)
	return data, len(x.buf) > 0 || !x.done
}

// step writes the next part.
func (x *exporter) step() {
	begin := len(x.buf)
	switch {
	case x.thread < 0:
		if x.kind == abi.PageSnapshot {
			x.buf = append(x.buf, image.Magic...)
		}
		x.put(image.Header, &abi.LogLine{Header: x.header()})
		x.thread, x.at = 0, -1
	case x.thread == len(x.s.order):
		x.end()
	case x.at < 0:
		t := x.s.order[x.thread]
		x.put(image.Thread, &abi.LogLine{Thread: &abi.LogThread{ID: t.id, Next: int64(len(t.book.Messages)) + 1}})
		x.advance()
	default:
		x.message(x.s.order[x.thread], x.at)
		x.advance()
	}
	x.hash.Write(x.buf[begin:])
	x.borders = append(x.borders, len(x.buf))
	x.s.tick()
}

// advance goes to the next message that is there, or to the next thread.
func (x *exporter) advance() {
	t := x.s.order[x.thread]
	for x.at++; x.at < len(t.book.Messages); x.at++ {
		if !t.book.Messages[x.at].Gone {
			return
		}
	}
	x.thread, x.at = x.thread+1, -1
}

func (x *exporter) put(kind image.Kind, line *abi.LogLine) {
	body := line.AppendWire(nil)
	if x.kind == abi.PageSnapshot {
		x.buf = image.AppendFrame(x.buf, kind, body)
	} else {
		x.buf = image.AppendLine(x.buf, body)
	}
	x.lines++
}

func (x *exporter) header() *abi.LogHeader {
	s := x.s
	h := &abi.LogHeader{Format: abi.LogFormat, Engine: abi.EngineVersion, ABI: abi.Version, Revision: s.revision,
		Forgotten: s.forgotten, Calls: s.calls, Threads: int64(len(s.order))}
	h.Settings.Raw = s.settings.AppendWire(nil)
	for i := range s.models {
		h.Models = append(h.Models, modelPatch(&s.models[i]))
	}
	if s.usage != (abi.Usage{}) {
		h.Usage = &s.usage
	}
	return h
}

// modelPatch writes a model as the setting that it was.
func modelPatch(m *abi.EmbedModel) abi.SettingsPatch {
	raw := append([]byte(nil), `{"models":{"embed":`...)
	return abi.SettingsPatch{Raw: append(m.AppendWire(raw), "}}"...)}
}

func (x *exporter) message(t *thread, at int) {
	m := t.book.Messages[at]
	out := &abi.LogMessage{Seq: m.Seq, Edited: m.Edited, Message: &m.Wire}
	v := &t.vectors[at]
	binary := x.kind == abi.PageSnapshot
	if !binary {
		if text := m.Wire.AppendWire(nil); hasBreak(text) {
			out.Message, out.Text = nil, string(text)
		}
		if len(v.pieces) > 0 {
			out.Vectors = &abi.LogVectors{Model: int64(v.model)}
			out.Vectors.Dimension, out.Vectors.Scales, out.Vectors.I8 = image.Split(v.pieces)
		}
	}
	x.put(image.Message, &abi.LogLine{Message: out})
	if binary && len(v.pieces) > 0 {
		block := image.Block{Model: int64(v.model), Pieces: v.pieces}
		x.buf = image.AppendFrame(x.buf, image.Vectors, image.AppendBlock(nil, &block))
		x.lines++
	}
}

func hasBreak(b []byte) bool {
	for _, c := range b {
		if c == '\n' || c == '\r' {
			return true
		}
	}
	return false
}

// end writes the sum of all that was written.
func (x *exporter) end() {
	sum := x.hash.Sum(nil)
	if x.kind == abi.PageSnapshot {
		x.buf = image.AppendFrame(x.buf, image.End, sum)
	} else {
		line := abi.LogLine{End: &abi.LogEnd{Lines: x.lines, SHA256: hex.EncodeToString(sum)}}
		x.buf = image.AppendLine(x.buf, line.AppendWire(nil))
	}
	x.done = true
}
