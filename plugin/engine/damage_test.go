package engine

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/plugin/image"
)

// checkRefused: the code is one of the given, the space is empty, and takes the good data after that.
func checkRefused(t *testing.T, name string, s *Space, e *abi.Error, good []byte, codes ...string) {
	t.Helper()
	if e == nil {
		t.Fatalf("%s: it was restored", name)
	}
	if !slices.Contains(codes, e.Code) {
		t.Fatalf("%s: %+v", name, e)
	}
	if got, want := stream(t, s, abi.PageExport, 1<<20), stream(t, New(), abi.PageExport, 1<<20); !bytes.Equal(got, want) || s.restoring != nil {
		t.Fatalf("%s: the space is not empty: %s", name, got)
	}
	if good != nil {
		if out, e := s.Restore(&abi.Page{}, good, run); e != nil || !out.Done {
			t.Fatalf("%s: then the good data: %+v", name, e)
		}
	}
}

func damaged(t *testing.T) map[string][]byte {
	h := randomHistory(3, 30)
	return map[string][]byte{
		"export":   stream(t, h.s, abi.PageExport, 1<<20),
		"snapshot": stream(t, h.s, abi.PageSnapshot, 1<<20),
	}
}

func TestFlippedBitIsFound(t *testing.T) {
	for kind, data := range damaged(t) {
		r := rand.New(rand.NewSource(1))
		step := 1 + len(data)/1500
		if testing.Short() {
			step *= 10
		}
		for at := 0; at < len(data); at += 1 + r.Intn(step) {
			bad := bytes.Clone(data)
			bad[at] ^= 1 << r.Intn(8)
			s, e := restore(bad, len(bad))
			if e == nil && kind == "export" && at == len(data)-1 {
				continue // the last line feed may be missing, or be white space
			}
			checkRefused(t, fmt.Sprintf("%s: a bit of byte %d of %d", kind, at, len(data)), s, e, nil,
				abi.CodeCorruptSnapshot, abi.CodeUnsupportedVersion)
		}
	}
}

func TestCutIsFound(t *testing.T) {
	for kind, data := range damaged(t) {
		step := 1 + len(data)/1500
		if testing.Short() {
			step *= 10
		}
		for n := 0; n < len(data)-1; n += step {
			s, e := restore(data[:n], 5000)
			checkRefused(t, fmt.Sprintf("%s: %d of %d bytes", kind, n, len(data)), s, e, nil, abi.CodeCorruptSnapshot)
		}
	}
}

// A log may end after any record; a cut within one is found.
func TestCutLog(t *testing.T) {
	data := randomHistory(3, 12).log(0, "")
	for n := 1; n < len(data); n += 1 + len(data)/700 {
		s, e := restore(data[:n], 3000)
		if data[n-1] == '\n' || data[n] == '\n' {
			if e != nil {
				t.Fatalf("%d bytes: %+v", n, e)
			}
			continue
		}
		checkRefused(t, fmt.Sprintf("%d of %d bytes", n, len(data)), s, e, nil, abi.CodeCorruptSnapshot)
	}
}

func TestPagesOutOfOrderAreFound(t *testing.T) {
	for kind, data := range damaged(t) {
		third := len(data) / 3
		page := func(n int, next bool) (*abi.Page, []byte) {
			p, from, end := &abi.Page{From: int64(n * third)}, n*third, (n+1)*third
			if !next {
				end = len(data)
			} else {
				p.Next = int64(end)
			}
			return p, data[from:end]
		}
		for _, order := range [][]int{{1}, {0, 0, 1, 2}, {0, 2}, {0, 1, 1, 2}, {1, 0, 2}, {2}, {0, 1, 0, 2}} {
			s := New()
			var failed *abi.Error
			for _, n := range order {
				p, b := page(n, n < 2)
				if _, e := s.Restore(p, b, run); e != nil {
					failed = e
				}
			}
			if fmt.Sprint(order) == "[0 0 1 2]" {
				// From 0 on a restore begins anew.
				if failed != nil {
					t.Fatalf("%s: %v: %+v", kind, order, failed)
				}
				continue
			}
			checkRefused(t, fmt.Sprint(kind, order), s, failed, data, abi.CodeCorruptSnapshot)
		}
		size, sum := int64(len(data)), sha256.Sum256(data)
		less := size - 1
		for name, p := range map[string]*abi.Page{
			"bytes": {Bytes: &less}, "sha256": {Bytes: &size, SHA256: strings.Repeat("0", 64)}, "next": {Next: size + 1},
		} {
			s := New()
			_, e := s.Restore(p, data, run)
			checkRefused(t, kind+" "+name, s, e, data, abi.CodeCorruptSnapshot)
			if e.Path != name {
				t.Errorf("%s: path %q", name, e.Path)
			}
		}
		s := New()
		if out, e := s.Restore(&abi.Page{Bytes: &size, SHA256: hex.EncodeToString(sum[:])}, data, run); e != nil || !out.Done || out.Received != size {
			t.Errorf("%s: %+v %+v", kind, out, e)
		}
		_, e := s.Restore(&abi.Page{}, data, run)
		if e == nil || e.Code != abi.CodeConflict {
			t.Errorf("%s: a space that is not empty: %+v", kind, e)
		}
	}
}

// A change while a restore is going on makes the rest of it a conflict.
func TestChangeWhileRestoring(t *testing.T) {
	data := damaged(t)["export"]
	s := New()
	half := len(data) / 2
	if _, e := s.Restore(&abi.Page{Next: int64(half)}, data[:half], run); e != nil {
		t.Fatal(e)
	}
	before := stream(t, New(), abi.PageExport, 1<<20)
	if got := stream(t, s, abi.PageExport, 1<<20); !bytes.Equal(got, before) {
		t.Error("a half restored space is not empty")
	}
	mustConfigure(t, s, `{}`)
	if _, e := s.Restore(&abi.Page{From: int64(half)}, data[half:], run); e == nil || e.Code != abi.CodeConflict {
		t.Errorf("%+v", e)
	}
	if s.revision != 1 {
		t.Errorf("revision %d", s.revision)
	}
}

// reseal writes the end of an export anew, so that what is wrong in it is found by itself and not by its sum.
func reseal(lines []string) []byte {
	body := strings.Join(lines, "\n") + "\n"
	sum := sha256.Sum256([]byte(body))
	end := abi.LogLine{End: &abi.LogEnd{Lines: int64(len(lines)), SHA256: hex.EncodeToString(sum[:])}}
	return append(end.AppendWire([]byte(body)), '\n')
}

func small(t *testing.T) (*Space, []string) {
	s := modelled(t)
	fulfil(t, s, answer(needs(t, s)[0]))
	if _, e := s.Forget(&abi.ForgetRequest{Thread: "t", Messages: []string{"#2"}}); e != nil {
		t.Fatal(e)
	}
	lines := strings.Split(strings.TrimSpace(string(stream(t, s, abi.PageExport, 1<<20))), "\n")
	return s, lines[:len(lines)-1]
}

func TestSoundSumsDoNotMakeASoundExport(t *testing.T) {
	s, lines := small(t)
	if _, e := restore(reseal(lines), 1000); e != nil {
		t.Fatal(e)
	}
	good := stream(t, s, abi.PageExport, 1<<20)
	for _, c := range []struct {
		name, code, old, new string
	}{
		{"a newer format", abi.CodeUnsupportedVersion, `"format":1`, `"format":2`},
		{"a newer format of another shape", abi.CodeUnsupportedVersion, `"format":1`, `"format":7,"colour":{}`},
		{"a newer minor version", abi.CodeUnsupportedVersion, `"abi":"0.1"`, `"abi":"0.2"`},
		{"a newer major version", abi.CodeUnsupportedVersion, `"abi":"0.1"`, `"abi":"1.0"`},
		{"a newer engine", abi.CodeUnsupportedVersion, `"engine":"0.1.0"`, `"engine":"0.2.0"`},
		{"no version", abi.CodeCorruptSnapshot, `"abi":"0.1"`, `"abi":"x"`},
		{"no format", abi.CodeCorruptSnapshot, `"format":1`, `"format":0`},
		{"an unknown field", abi.CodeCorruptSnapshot, `"format":1`, `"format":1,"colour":"red"`},
		{"settings out of range", abi.CodeCorruptSnapshot, `"turns":8`, `"turns":-8`},
		{"a session gap that is none", abi.CodeCorruptSnapshot, `"session_gap":"3h"`, `"session_gap":"x"`},
		{"a model in force that is unknown", abi.CodeCorruptSnapshot, `"settings":{"recent"`, `"settings":{"models":{"embed":{"model":"other","dimension":3}},"recent"`},
		{"forgotten in the future", abi.CodeCorruptSnapshot, `"forgotten":4`, `"forgotten":5`},
		{"more threads", abi.CodeCorruptSnapshot, `"threads":1`, `"threads":2`},
		{"fewer threads", abi.CodeCorruptSnapshot, `"threads":1`, `"threads":0`},
		{"messages beyond the next number", abi.CodeCorruptSnapshot, `"next":7`, `"next":6`},
		{"a huge thread", abi.CodeCorruptSnapshot, `"next":7`, `"next":9007199254740991`},
		{"a thread without an id", abi.CodeCorruptSnapshot, `{"thread":{"id":"t",`, `{"thread":{`},
		{"a number twice", abi.CodeCorruptSnapshot, `{"message":{"seq":3,`, `{"message":{"seq":1,`},
		{"an id of another number", abi.CodeCorruptSnapshot, `"id":"#3"`, `"id":"#4"`},
		{"no id", abi.CodeCorruptSnapshot, `"id":"#3",`, ``},
		{"an id twice", abi.CodeCorruptSnapshot, `"id":"#4"`, `"id":"#1"`},
		{"a role that is none", abi.CodeCorruptSnapshot, `"role":"user"`, `"role":"king"`},
		{"a vector of no model", abi.CodeCorruptSnapshot, `"vectors":{"model":1`, `"vectors":{"model":2`},
		{"a vector of another dimension", abi.CodeCorruptSnapshot, `"dimension":16,"scales"`, `"dimension":8,"scales"`},
		{"a scale too many", abi.CodeCorruptSnapshot, `"scales":[`, `"scales":[5,`},
		{"a header in the middle", abi.CodeCorruptSnapshot, "\n", "\n" + lines[0] + "\n"},
		{"an empty line", abi.CodeCorruptSnapshot, "\n", "\n\n"},
		{"an empty object", abi.CodeCorruptSnapshot, "\n", "\n{}\n"},
		{"two things in one line", abi.CodeCorruptSnapshot, `{"thread":{"id":"t","next":7}`, `{"thread":{"id":"t","next":7},"seq":9`},
		{"a record in the middle", abi.CodeCorruptSnapshot, "\n", "\n" + `{"seq":5,"engine":"0.1.0","op":"configure","in":{"settings":{}},"out":{}}` + "\n"},
	} {
		text := strings.Join(lines, "\n")
		if !strings.Contains(text, c.old) {
			t.Fatalf("%s: there is no %s in\n%s", c.name, c.old, text)
		}
		bad := reseal(strings.Split(strings.Replace(text, c.old, c.new, 1), "\n"))
		r, e := restore(bad, 1000)
		checkRefused(t, c.name, r, e, good, c.code)
	}
}

func TestRecordsThatDoNotFit(t *testing.T) {
	h := randomHistory(11, 12)
	lines := strings.SplitAfter(strings.TrimSpace(string(h.log(0, ""))), "\n")
	join := func(ls ...string) []byte { return []byte(strings.Join(ls, "")) }
	edit := func(old, new string) []byte { return []byte(strings.Replace(strings.Join(lines, ""), old, new, 1)) }
	for _, c := range []struct {
		name, code, says string
		data             []byte
	}{
		{"missing", abi.CodeCorruptSnapshot, "record 3 (", join(append(lines[:1:1], lines[2:]...)...)},
		{"twice", abi.CodeCorruptSnapshot, "record 2 (", join(append(lines[:2:2], lines[1:]...)...)},
		{"the other way round", abi.CodeCorruptSnapshot, "record 2 (", join(lines[1], lines[0])},
		{"another outcome", abi.CodeCorruptSnapshot, "the outcome is another one", edit(`"status":"added"`, `"status":"duplicate"`)},
		{"another request", abi.CodeCorruptSnapshot, "record 1 (", edit(`"messages":[{`, `"messages":[{"id":"q",`)},
		{"a request that is refused", abi.CodeCorruptSnapshot, "unknown_field", edit(`"in":{`, `"in":{"colour":1,`)},
		{"an op that changes nothing", abi.CodeCorruptSnapshot, "record 1 (plan)", edit(`"op":"append"`, `"op":"plan"`)},
		{"a restore", abi.CodeCorruptSnapshot, "record 1 (restore)", edit(`"op":"append"`, `"op":"restore"`)},
		{"a newer minor version", abi.CodeUnsupportedVersion, "newer", edit(`"engine":"0.1.0"`, `"engine":"0.2.0"`)},
		{"a newer record of another shape", abi.CodeUnsupportedVersion, "newer", edit(`"engine":"0.1.0"`, `"engine":"0.3.0","colour":[]`)},
		{"no version", abi.CodeCorruptSnapshot, "record 1 (", edit(`"engine":"0.1.0"`, `"engine":"new"`)},
		{"lines after the export that are none", abi.CodeCorruptSnapshot, "part", append(stream(t, h.s, abi.PageExport, 1<<20), "{\n"...)},
		{"an image after the image", abi.CodeCorruptSnapshot, "part", append(stream(t, h.s, abi.PageSnapshot, 1<<20), image.Magic...)},
	} {
		s, e := restore(c.data, 1000)
		checkRefused(t, c.name, s, e, nil, c.code)
		if !strings.Contains(e.Message, c.says) {
			t.Errorf("%s: %s", c.name, e.Message)
		}
	}
}

// Outcomes of another version that can't have been are refused, and never panic.
func TestOutcomesThatCanNotBeApplied(t *testing.T) {
	for seed := range 12 {
		h := randomHistory(int64(seed), 10)
		data := h.log(0, "0.0.9")
		r := rand.New(rand.NewSource(int64(seed)))
		for range 8 {
			bad := bytes.Clone(data)
			// Digits only, so that the lines stay what they are.
			for n := 0; n < 2; {
				if at := r.Intn(len(bad)); bad[at] >= '0' && bad[at] <= '9' && !bytes.HasPrefix(bad[max(0, at-4):], []byte(`0.0.`)) {
					bad[at] = byte('0' + r.Intn(10))
					n++
				}
			}
			s, e := restore(bad, 2000)
			if e != nil {
				checkRefused(t, fmt.Sprint("seed ", seed), s, e, nil, abi.CodeCorruptSnapshot, abi.CodeUnsupportedVersion)
				continue
			}
			again, e := restore(stream(t, s, abi.PageExport, 1<<20), 1<<20)
			if e != nil {
				t.Fatalf("seed %d: what was applied can't be exported and restored: %+v", seed, e)
			}
			same(t, "applied", s, again)
		}
	}
}

// A state page is refused when the space has changed since the first.
func TestPagesOfAnotherRevisionAreStale(t *testing.T) {
	h := randomHistory(5, 10)
	first, _, e := h.s.Export(&abi.ExportRequest{LimitBytes: 100})
	if e != nil {
		t.Fatal(e)
	}
	mustConfigure(t, h.s, `{}`)
	if _, _, e := h.s.Export(&abi.ExportRequest{From: first.Next, LimitBytes: 100, Revision: first.Revision}); e == nil || e.Code != abi.CodeStale {
		t.Errorf("%+v", e)
	}
	if _, _, e := h.s.Export(&abi.ExportRequest{From: 1 << 40}); e == nil || e.Code != abi.CodeInvalidRequest || e.Path != "from" {
		t.Errorf("%+v", e)
	}
}

// A page depends on where it begins and not on what was asked before.
func TestPagesAtAnyPlace(t *testing.T) {
	h := randomHistory(7, 15)
	for _, kind := range []string{abi.PageExport, abi.PageSnapshot} {
		whole := stream(t, h.s, kind, 1<<20)
		r := rand.New(rand.NewSource(2))
		for range 200 {
			from, limit := int64(r.Intn(len(whole))), int64(1+r.Intn(3000))
			a, x, e := h.s.page(kind, from, limit, 0)
			h.s.exporting = nil
			b, y, e2 := h.s.page(kind, from, limit, 0)
			if e != nil || e2 != nil || !bytes.Equal(x, y) || !bytes.Equal(x, whole[from:from+int64(len(x))]) || a.Next != b.Next || len(x) == 0 {
				t.Fatalf("%s from %d, %d: %d and %d bytes, %+v %+v", kind, from, limit, len(x), len(y), e, e2)
			}
		}
	}
}

var manyNumbers = regexp.MustCompile(`"next" *: *[0-9]{5}`)

// FuzzRestore: whatever the bytes, there is no panic; either the space is empty, or what it exports restores to the same.
func FuzzRestore(f *testing.F) {
	for _, seed := range []int64{1, 3} {
		h := randomHistory(seed, 4)
		f.Add(h.log(0, ""), false)
		f.Add(h.log(0, "0.0.1"), false)
		f.Add(stream(f, h.s, abi.PageSnapshot, 1<<20), false)
		export := stream(f, h.s, abi.PageExport, 1<<20)
		f.Add(export[:bytes.LastIndexByte(export[:len(export)-1], '\n')], true)
	}
	f.Fuzz(func(t *testing.T, data []byte, sealed bool) {
		if sealed {
			data = reseal(strings.Split(string(data), "\n"))
		}
		if len(data) > 1<<16 || manyNumbers.Match(data) {
			return // threads of very many forgotten messages are slow and prove nothing
		}
		s, e := restore(data, 700)
		if e != nil {
			if s.revision != 0 || len(s.order) != 0 || s.restoring != nil {
				t.Fatal("the space is not empty after an error")
			}
			return
		}
		again, e := restore(stream(t, s, abi.PageExport, 1000), 1<<20)
		if e != nil {
			t.Fatalf("what was restored can't be exported and restored: %+v", e)
		}
		if x, y := stream(t, s, abi.PageSnapshot, 1<<20), stream(t, again, abi.PageSnapshot, 1<<20); !bytes.Equal(x, y) {
			t.Fatal("the second snapshot is another one")
		}
		history := int64(300)
		for id := range s.threads {
			s.Plan(&abi.PlanRequest{Thread: id, Question: "heron", Budget: abi.BudgetRequest{History: &history}, Explain: true})
		}
	})
}
