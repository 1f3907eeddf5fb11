package host

import (
	"bytes"
	"context"
	"io"

	"github.com/ctxplan/ctxplan/abi"
)

// Log keeps a record of a space where it outlives the process. It is called for each op that changed the space, in the
// order of the records' seq, before the caller of the op learns of it, and by no two calls for one space at a time. When it
// fails, the op has not happened: its caller gets unavailable, and the space goes back to what it was.
//
// The record's slices must not be kept or changed; [abi.Record.AppendWire] writes it as a line. Log must not call the space
// that it is called for.
//
// Restoring makes no records: who restores has them. After [Space.Forget] a log still holds what was forgotten, which the
// receipt says in outside.log: the program then writes [Space.Export] in the place of all records up to its revision.
type Log func(ctx context.Context, space string, record abi.Record) error

// WithLog has a record of each change kept by the program.
func WithLog(log Log) Option { return func(o *options) { o.log = log } }

// record gives a record to the program. Unless that has kept it the instance is ahead of the log and is dropped, also when
// the program panics.
func (s *Space) record(ctx context.Context, log func(context.Context, string, abi.Record) error, record abi.Record) error {
	kept := false
	defer func() {
		if !kept {
			s.discard()
		}
	}()
	err := log(ctx, s.id, record)
	kept = err == nil
	return err
}

// keep takes a change of the state into the logs: that of the program first, then our own.
func (s *Space) keep(ctx context.Context, op string, request, response []byte) error {
	if op == abi.OpRestore {
		var r abi.RestoreResponse
		if err := unmarshal(response, &r); err != nil {
			s.discard()
			return err
		}
		_, data, _ := bytes.Cut(request, []byte{'\n'})
		if r.Received == int64(len(data)) {
			s.staged = nil
		}
		s.staged = append(s.staged, entry{op, bytes.Clone(request)})
		if !r.Done {
			return nil
		}
		if r.Records == 0 {
			// The pages are the state, and nothing but that.
			s.log, s.staged, s.revision = s.staged, nil, r.Revision
			return nil
		}
		s.staged = nil
		if err := s.compact(ctx, "the restored state could not be kept"); err != nil {
			return err
		}
		s.revision = r.Revision
		return nil
	}
	var out abi.Outcome
	log := s.runtime.options.log
	if err := unmarshal(response, &out); err != nil {
		s.discard()
		return err
	}
	if log != nil && out.Revision > s.revision {
		record := abi.Record{Seq: out.Revision, Engine: s.runtime.version, Op: op, In: request, Out: response}
		if err := s.record(ctx, log, record); err != nil {
			return unavailable("the record could not be kept", err)
		}
	}
	s.log = append(s.log, entry{op, bytes.Clone(request)})
	s.revision = out.Revision
	if forgets(op, request, response) {
		s.purge = true
		return s.compact(ctx, "what was forgotten is gone from the space, but not yet from the memory of the host")
	}
	return nil
}

// forgets reports whether an op has taken something out of the state that its log still holds.
func forgets(op string, request, response []byte) bool {
	switch op {
	case abi.OpForget:
		var r abi.ForgetResponse
		return unmarshal(response, &r) == nil && !r.DryRun && r.Outside.Log
	case abi.OpAppend:
		var r abi.AppendResponse
		if unmarshal(response, &r) != nil || r.AbsentCount == 0 {
			return false
		}
		var q abi.AppendRequest
		return unmarshal(request, &q) == nil && q.Prune
	}
	return false
}

// compact puts a snapshot in the place of the log. It is not the caller's time that bounds it: what the caller asked for
// has happened.
func (s *Space) compact(ctx context.Context, failed string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rebuildDeadline)
	defer cancel()
	var pages []entry
	from := int64(0)
	for {
		request := abi.SnapshotRequest{From: from}
		page, err := s.machine.call(ctx, abi.OpSnapshot, request.AppendWire(nil))
		if err == nil && isError(page) {
			err = decode(page, &abi.Page{})
		}
		var header *abi.Page
		if err == nil {
			header, _, err = splitPage(page)
		}
		if err != nil {
			s.discard()
			return unavailable(failed, err)
		}
		pages = append(pages, entry{abi.OpRestore, page})
		if from = header.Next; from == 0 {
			s.log, s.purge = pages, false
			return nil
		}
	}
}

// splitPage takes a page apart into its header and its bytes, which share its memory.
func splitPage(page []byte) (*abi.Page, []byte, error) {
	line, data, ok := bytes.Cut(page, []byte{'\n'})
	header := &abi.Page{}
	if err := unmarshal(line, header); err != nil {
		return nil, nil, err
	}
	if !ok || header.Bytes == nil || *header.Bytes != int64(len(data)) {
		return nil, nil, &Error{Code: abi.CodeInternal, Message: "the page is not of the size that it says"}
	}
	return header, data, nil
}

// Export writes the state as JSON Lines, from which the space can be restored, and gives its revision. Nothing that was
// forgotten is in them. When the space changes while it is written, the error is stale, and what was written is worthless.
func (s *Space) Export(ctx context.Context, w io.Writer) (revision int64, err error) {
	return s.write(ctx, w, abi.OpExport, func(from, revision int64) encoder {
		return &abi.ExportRequest{From: from, Revision: revision}
	})
}

// Snapshot writes the state as a binary image, which is smaller than an export; all else is the same.
func (s *Space) Snapshot(ctx context.Context, w io.Writer) (revision int64, err error) {
	return s.write(ctx, w, abi.OpSnapshot, func(from, revision int64) encoder {
		return &abi.SnapshotRequest{From: from, Revision: revision}
	})
}

func (s *Space) write(ctx context.Context, w io.Writer, op string, ask func(from, revision int64) encoder) (int64, error) {
	var from, revision int64
	for {
		page, err := s.Do(ctx, op, ask(from, revision).AppendWire(nil))
		if err != nil {
			return 0, err
		}
		if isError(page) {
			return 0, decode(page, &abi.Page{})
		}
		header, data, err := splitPage(page)
		if err != nil {
			return 0, err
		}
		if _, err := w.Write(data); err != nil {
			return 0, &Error{Code: abi.CodeUnavailable, Message: "the " + op + " could not be written: " + err.Error(), Cause: err}
		}
		revision = header.Revision
		if from = header.Next; from == 0 {
			return revision, nil
		}
	}
}

// Restore fills an empty space with what r gives: an export or a snapshot, or none, followed by the records of later
// changes, if any. It is all or nothing: after an error the space is empty. Records that the state already has are passed
// over; those of this version of the engine are run again and have to end as they did, those of others are applied.
//
// Errors are conflict for a space that is not empty, unsupported_version for what a newer version wrote, and
// corrupt_snapshot for what is damaged or cut off.
func (s *Space) Restore(ctx context.Context, r io.Reader) (revision int64, err error) {
	page, next := make([]byte, abi.PageBytes), make([]byte, abi.PageBytes)
	n, err := fill(r, page)
	for from := int64(0); err == nil; {
		var m int
		last := n < len(page)
		if !last {
			if m, err = fill(r, next); err != nil {
				break
			}
			last = m == 0
		}
		header := abi.Page{From: from}
		if from += int64(n); !last {
			header.Next = from
		}
		// Replaying a page may take longer than any call should.
		response, err := s.do(ctx, abi.OpRestore, append(append(header.AppendWire(nil), '\n'), page[:n]...), 0)
		if err != nil {
			return 0, err
		}
		var out abi.RestoreResponse
		if err := decode(response, &out); err != nil || out.Done {
			return out.Revision, err
		}
		page, next, n = next, page, m
	}
	return 0, &Error{Code: abi.CodeUnavailable, Message: "what is to be restored could not be read: " + err.Error(), Cause: err}
}

// fill reads until b is full or r ends.
func fill(r io.Reader, b []byte) (int, error) {
	n, err := io.ReadFull(r, b)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return n, err
}

// Restore gives the space of this id, filled as [Space.Restore] does it.
func (r *Runtime) Restore(ctx context.Context, id string, from io.Reader) (*Space, error) {
	s, err := r.Space(ctx, id)
	if err != nil {
		return nil, err
	}
	if _, err := s.Restore(ctx, from); err != nil {
		return nil, err
	}
	return s, nil
}

// engineVersion asks the engine for its version, which stands in records.
func engineVersion(ctx context.Context, e engine) (string, error) {
	m, err := e.start(ctx)
	if err != nil {
		return "", unavailable("an instance could not be started", err)
	}
	defer m.close()
	response, err := m.call(ctx, abi.OpDescribe, []byte("{}"))
	if err != nil {
		return "", unavailable("the engine could not be asked for its version", err)
	}
	var d abi.DescribeResponse
	if err := decode(response, &d); err != nil {
		return "", err
	}
	return d.Engine, nil
}
