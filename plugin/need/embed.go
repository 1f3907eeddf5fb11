package need

import (
	"crypto/sha256"
	"encoding/binary"
	"strconv"
	"strings"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/text"
	"github.com/ctxplan/ctxplan/plugin/tokens"
)

// Roles of texts for an embedding model.
const (
	RoleQuery   = "query"
	RolePassage = "passage"
)

// Query is the need for the vector of a question. A question longer than the model's limit is cut at the end.
func Query(question string, model *abi.EmbedModel) abi.Need {
	n := abi.Need{Kind: abi.NeedEmbed, Model: model.Model, Role: RoleQuery, Dimension: model.Dimension,
		Texts: []string{model.QueryPrefix + cut(question, model.MaxTokens)}}
	n.ID = "q." + digest(&n)
	return n
}

// Place says where a message stands: the number of its thread in the space, from 0, and its sequence number.
type Place struct {
	Thread int
	Seq    int64
}

// Passages are the needs for the vectors of a message: its text in pieces of whole sentences, each with the prefix of the
// model and the name of the speaker before it. There are none for a text of white space.
func Passages(at Place, thread, message, speaker, body string, model *abi.EmbedModel) []abi.Need {
	pieces := Pieces(body, model.MaxTokens)
	var needs []abi.Need
	for len(pieces) > 0 {
		n := abi.Need{Kind: abi.NeedEmbed, Model: model.Model, Role: RolePassage, Dimension: model.Dimension, Thread: thread,
			Message: message}
		var sum int64
		for len(pieces) > 0 && len(n.Texts) < abi.NeedTexts {
			t := model.PassagePrefix + speaker + ": " + body[pieces[0].Start:pieces[0].End]
			cost := tokens.Generic.Text(t)
			if len(n.Texts) > 0 && sum+cost > abi.NeedTokens {
				break
			}
			n.Texts = append(n.Texts, t)
			sum += cost
			pieces = pieces[1:]
		}
		n.ID = passageID(at, len(needs), &n)
		needs = append(needs, n)
	}
	return needs
}

// Pieces cuts a text into pieces of whole sentences of at most limit tokens; a sentence that is longer is cut at grapheme
// borders. The pieces are in order, do not overlap, and leave out only white space.
func Pieces(body string, limit int64) []text.Span {
	var pieces []text.Span
	start, end := -1, -1
	var sum int64
	flush := func() {
		if start >= 0 {
			pieces = append(pieces, text.Span{Start: start, End: end})
		}
		start, sum = -1, 0
	}
	for _, s := range text.Sentences(nil, body) {
		cost := tokens.Generic.Text(body[s.Start:s.End]) + 1
		if sum+cost > limit {
			flush()
		}
		for cost > limit {
			head := cut(body[s.Start:s.End], limit)
			if head == "" || len(head) == s.Len() {
				break
			}
			pieces = append(pieces, text.Span{Start: s.Start, End: s.Start + len(head)})
			s.Start += len(head)
			cost = tokens.Generic.Text(body[s.Start:s.End]) + 1
		}
		if start < 0 {
			start = s.Start
		}
		end = s.End
		sum += cost
	}
	flush()
	return pieces
}

// maxBytesPerToken bounds the bytes that the generic profile charges one token for.
const maxBytesPerToken = 6

// cut is the longest beginning of whole graphemes whose size in bytes surely costs no more than limit tokens.
func cut(s string, limit int64) string {
	if int64(len(s)) <= limit || tokens.Generic.Text(s) <= limit {
		return s
	}
	lo, hi := int(limit), min(len(s), int(limit)*maxBytesPerToken)
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if tokens.Generic.Text(text.Prefix(s[:min(len(s), mid+64)], mid)) <= limit {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return text.Prefix(s, lo)
}

// passageID is p.<thread>.<seq>.<part>.<digest>: where the source stands, and a digest of all that was asked.
func passageID(at Place, part int, n *abi.Need) string {
	b := append(make([]byte, 0, 48), "p."...)
	b = strconv.AppendInt(b, int64(at.Thread), 10)
	b = append(b, '.')
	b = strconv.AppendInt(b, at.Seq, 10)
	b = append(b, '.')
	b = strconv.AppendInt(b, int64(part), 10)
	b = append(b, '.')
	return string(append(b, digest(n)...))
}

// Source reads where the source of a passage need stands. It reports false for any other id.
func Source(id string) (Place, bool) {
	if len(id) < 2 || id[:2] != "p." {
		return Place{}, false
	}
	var v [3]int64
	rest := id[2:]
	for i := range v {
		dot := strings.IndexByte(rest, '.')
		if dot < 1 || dot > 15 || (rest[0] == '0' && dot > 1) {
			return Place{}, false
		}
		for _, c := range []byte(rest[:dot]) {
			if c < '0' || c > '9' {
				return Place{}, false
			}
			v[i] = v[i]*10 + int64(c-'0')
		}
		rest = rest[dot+1:]
	}
	return Place{Thread: int(v[0]), Seq: v[1]}, len(rest) == 2*digestBytes
}

const digestBytes = 12

func digest(n *abi.Need) string {
	h := sha256.New()
	field := func(s string) {
		var size [8]byte
		binary.LittleEndian.PutUint64(size[:], uint64(len(s)))
		h.Write(size[:])
		h.Write([]byte(s))
	}
	field(n.Kind)
	field(n.Model)
	field(n.Role)
	var dim [8]byte
	binary.LittleEndian.PutUint64(dim[:], uint64(n.Dimension))
	h.Write(dim[:])
	field(n.Thread)
	field(n.Message)
	for _, t := range n.Texts {
		field(t)
	}
	const hex = "0123456789abcdef"
	sum := h.Sum(nil)
	out := make([]byte, 0, 2*digestBytes)
	for _, b := range sum[:digestBytes] {
		out = append(out, hex[b>>4], hex[b&15])
	}
	return string(out)
}
