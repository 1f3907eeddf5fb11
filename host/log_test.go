package host

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/ctxplan/ctxplan/abi"
)

// logFile is a program that keeps records in lines.
type logFile struct {
	bytes.Buffer
	seqs []int64
	fail error
}

func (f *logFile) add(_ context.Context, _ string, r abi.Record) error {
	if f.fail != nil {
		return f.fail
	}
	f.seqs = append(f.seqs, r.Seq)
	f.Write(append(r.AppendWire(nil), '\n'))
	return nil
}

// secret is a word that stands nowhere but in what is to be forgotten.
const secret = "Zyxquandary"

// live does a bit of everything.
func live(t *testing.T, s *Space) {
	t.Helper()
	do(t, s, "configure", `{"settings":{"retrieval":{"session_gap":"1h"}}}`)
	do(t, s, "append", `{"thread":"t","messages":[{"id":"a","role":"user","content":"the heron stood on the quay","meta":{"x":
 1}},{"id":"b","role":"assistant","content":"`+secret+`"},{"id":"c","role":"user","content":"where was the heron"}]}`)
	do(t, s, "amend", `{"thread":"t","pin":["a"]}`)
	do(t, s, "amend", `{"thread":"nowhere","pin":["a"]}`)
	do(t, s, "amend", `{"fork":{"from":"t","at":"a","to":"u"}}`)
	do(t, s, "forget", `{"thread":"t","messages":["b"],"dry_run":true}`)
	do(t, s, "stats", `{}`)
}

func state(t *testing.T, s *Space) string {
	t.Helper()
	var b strings.Builder
	if _, err := s.Export(background, &b); err != nil {
		t.Fatal(err)
	}
	for _, op := range []string{`stats {}`, `read {}`, `read {"thread":"t"}`, `plan {"thread":"t","budget":{"history":200},"explain":true}`} {
		name, in, _ := strings.Cut(op, " ")
		b.WriteString(do(t, s, name, in))
	}
	return b.String()
}

func TestSpaceIsRestoredFromWhatAProgramKeeps(t *testing.T) {
	onRoads(t, func(t *testing.T, opts []Option) {
		var file logFile
		r := newRuntime(t, append(opts, WithLog(file.add))...)
		s := space(t, r, "a")
		live(t, s)
		if got := fmt.Sprint(file.seqs); got != "[1 2 3 4]" {
			t.Fatalf("records %s: one for each change and no more", got)
		}
		var export, image bytes.Buffer
		if n, err := s.Export(background, &export); err != nil || n != 4 {
			t.Fatal(n, err)
		}
		if n, err := s.Snapshot(background, &image); err != nil || n != 4 {
			t.Fatal(n, err)
		}
		old := len(file.seqs)
		do(t, s, "append", `{"thread":"t","messages":[{"role":"assistant","content":"by the quay"}]}`)
		tail := bytes.SplitAfter(file.Bytes(), []byte("\n"))[old]
		want := state(t, s)
		for name, from := range map[string]io.Reader{
			"log":                bytes.NewReader(file.Bytes()),
			"log in small reads": iotest.OneByteReader(bytes.NewReader(file.Bytes())),
			"export and tail":    io.MultiReader(&export, bytes.NewReader(tail)),
			"image and log":      io.MultiReader(&image, bytes.NewReader(file.Bytes())),
		} {
			other, err := r.Restore(background, "from "+name, from)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if got := state(t, other); got != want {
				t.Errorf("%s: the space is another one:\n%s\n%s", name, got, want)
			}
			// The instance is lost, and the host rebuilds it from what it kept.
			other.machine.close()
			other.machine = nil
			if got := state(t, other); got != want {
				t.Errorf("%s: the rebuilt space is another one", name)
			}
		}
		if fmt.Sprint(file.seqs) != "[1 2 3 4 5]" {
			t.Errorf("restoring made records: %v", file.seqs)
		}
	})
}

// A record that can't be kept is a change that has not happened.
func TestUnkeptRecordUndoesTheChange(t *testing.T) {
	onRoads(t, func(t *testing.T, opts []Option) {
		var file logFile
		s := space(t, newRuntime(t, append(opts, WithLog(file.add))...), "a")
		live(t, s)
		before := state(t, s)
		file.fail = errors.New("the disk is full")
		_, err := s.Append(background, messages("t", 0, 2))
		var e *Error
		if code(err) != abi.CodeUnavailable || !errors.As(err, &e) || !e.Retryable || !errors.Is(err, file.fail) {
			t.Fatalf("error %v", err)
		}
		if got := state(t, s); got != before {
			t.Errorf("the change has happened:\n%s\n%s", got, before)
		}
		file.fail = nil
		if out, err := s.Append(background, messages("t", 0, 2)); err != nil || out.Revision != 5 {
			t.Errorf("%+v %v", out, err)
		}
	})
}

// After forget the word is in no memory that the host keeps for a space, and it is rebuilt without it.
func TestForgottenIsGoneFromTheHost(t *testing.T) {
	for _, forget := range []struct{ op, in string }{
		{"forget", `{"thread":"t","messages":["b"]}`},
		{"append", `{"thread":"t","mode":"sync","prune":true,"messages":[{"id":"a","role":"user","content":"the heron stood on the quay"},{"id":"c","role":"user","content":"where was the heron"}]}`},
	} {
		onRoads(t, func(t *testing.T, opts []Option) {
			s := space(t, newRuntime(t, opts...), "a")
			live(t, s)
			if !holds(s, secret) {
				t.Fatal("the log does not hold the word before")
			}
			do(t, s, forget.op, forget.in)
			if holds(s, secret) {
				t.Error("the log of the host holds what was forgotten")
			}
			want := state(t, s)
			if strings.Contains(want, secret) {
				t.Error("the state holds what was forgotten")
			}
			s.machine.close()
			s.machine = nil
			if got := state(t, s); got != want {
				t.Errorf("the rebuilt space is another one:\n%s\n%s", got, want)
			}
		})
	}
}

func holds(s *Space, word string) bool {
	for _, e := range s.log {
		if bytes.Contains(e.request, []byte(word)) {
			return true
		}
	}
	return false
}

func TestRestoreThatFailsLeavesAnEmptySpace(t *testing.T) {
	onRoads(t, func(t *testing.T, opts []Option) {
		r := newRuntime(t, opts...)
		s := space(t, r, "a")
		live(t, s)
		var export bytes.Buffer
		if _, err := s.Export(background, &export); err != nil {
			t.Fatal(err)
		}
		data := export.String()
		for _, c := range []struct{ name, code, data string }{
			{"cut", abi.CodeCorruptSnapshot, data[:len(data)/2]},
			{"nothing", abi.CodeCorruptSnapshot, ""},
			{"newer", abi.CodeUnsupportedVersion, strings.Replace(data, `"format":1`, `"format":2`, 1)},
			{"changed", abi.CodeCorruptSnapshot, strings.Replace(data, "heron", "Heron", 1)},
		} {
			s := space(t, r, c.name)
			if _, err := s.Restore(background, strings.NewReader(c.data)); code(err) != c.code {
				t.Errorf("%s: %v", c.name, err)
			}
			if _, err := s.Restore(background, io.MultiReader(strings.NewReader(data[:len(data)/2]), iotest.ErrReader(io.ErrClosedPipe))); code(err) != abi.CodeUnavailable || !errors.Is(err, io.ErrClosedPipe) {
				t.Errorf("%s: %v", c.name, err)
			}
			if n, err := s.Restore(background, strings.NewReader(data)); err != nil || n != 4 {
				t.Errorf("%s: then %d %v", c.name, n, err)
			}
		}
		if _, err := s.Restore(background, strings.NewReader(data)); code(err) != abi.CodeConflict {
			t.Errorf("a space that is not empty: %v", err)
		}
	})
}
