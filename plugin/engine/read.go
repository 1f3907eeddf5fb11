package engine

import (
	"strconv"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/message"
)

const (
	readDefault = 100
	// readBytes bounds the texts of one page; the frame has room for their escapes.
	readBytes = 2 << 20
)

// Read lists threads, or messages of one thread.
func (s *Space) Read(req *abi.ReadRequest) (*abi.ReadResponse, *abi.Error) {
	limit := int(req.Limit)
	if limit == 0 {
		limit = readDefault
	}
	from := max(int(req.From), 1)
	out := &abi.ReadResponse{Revision: s.revision}
	if req.Thread == "" {
		if len(req.IDs) > 0 {
			return nil, failure(abi.CodeInvalidRequest, "thread", "ids belong to a thread")
		}
		for i := from - 1; i < len(s.order); i++ {
			if s.order[i].gone {
				continue
			}
			if len(out.Threads) == limit {
				out.Next = int64(i) + 1
				break
			}
			out.Threads = append(out.Threads, s.describeThread(s.order[i]))
		}
		return out, nil
	}
	t := s.threads[req.Thread]
	if t == nil {
		return nil, failure(abi.CodeNotFound, "thread", "there is no such thread")
	}
	if len(req.IDs) > 0 {
		var size int64
		for i, id := range req.IDs {
			at := t.find(id)
			if at < 0 {
				return nil, failure(abi.CodeNotFound, "ids["+strconv.Itoa(i)+"]", "there is no such message")
			}
			if size += message.Bytes(&t.book.Messages[at].Wire); i > 0 && size > readBytes {
				return nil, tooLarge("ids", "the messages are larger than one page", size, readBytes)
			}
			out.Messages = append(out.Messages, s.readMessage(t, int(at)))
		}
		return out, nil
	}
	var size int64
	for i := from - 1; i < len(t.book.Messages); i++ {
		if t.book.Messages[i].Gone {
			continue
		}
		size += message.Bytes(&t.book.Messages[i].Wire)
		if len(out.Messages) == limit || len(out.Messages) > 0 && size > readBytes {
			out.Next = int64(i) + 1
			break
		}
		out.Messages = append(out.Messages, s.readMessage(t, i))
	}
	return out, nil
}

func (s *Space) describeThread(t *thread) abi.ThreadInfo {
	info := abi.ThreadInfo{Thread: t.id, Messages: int64(t.book.Count), Turns: int64(len(t.book.Turns) - 1),
		Tokens: t.full[s.profile()]}
	for _, m := range t.book.Messages {
		if m.Time.Valid {
			info.First = m.Wire.Time
			break
		}
	}
	for i := len(t.book.Messages) - 1; i >= 0; i-- {
		if m := t.book.Messages[i]; m.Time.Valid {
			info.Last = m.Wire.Time
			break
		}
	}
	return info
}

func (s *Space) readMessage(t *thread, at int) abi.ReadMessage {
	m := t.book.Messages[at]
	return abi.ReadMessage{Seq: m.Seq, Message: m.Wire, Tokens: t.costs[at].full[s.profile()], Turn: int64(m.Turn),
		Open: t.book.Groups[m.Group].Open > 0, Vectors: s.hasVectors(t, at), HiddenChars: m.Hidden, Edited: m.Edited}
}
