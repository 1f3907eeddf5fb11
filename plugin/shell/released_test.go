package shell

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/abi/wire"
)

var update = flag.Bool("update", false, "write the log and the snapshot of this version anew, as long as it is not released")

const (
	logs      = "../../testdata/logs/"
	snapshots = "../../testdata/snapshots/"
)

// story makes the log of a release: each op, each mode, and what is hard to keep.
func story(t *testing.T) (e *Engine, log []byte) {
	e = New()
	seq := int64(0)
	do := func(op, in string) {
		t.Helper()
		out := e.Handle(op, []byte(in))
		var o abi.Outcome
		if err := wire.Unmarshal(out, &o); err != nil || o.Revision != seq+1 {
			t.Fatalf("%s %s: %s", op, in, out)
		}
		seq++
		record := abi.Record{Seq: seq, Engine: abi.EngineVersion, Op: op, In: []byte(in), Out: out}
		log = append(record.AppendWire(log), '\n')
	}
	answerAll := func() { do(abi.OpFulfil, answers(t, e)) }
	do(abi.OpConfigure, `{"settings":{"models":{"embed":{"model":"hash","dimension":16,"passage_prefix":"passage: ","max_tokens":20}}}}`)
	do(abi.OpAppend, `{"thread":"t1","messages":[{"role":"system","content":"Answer briefly."},
		{"id":"m2","role":"user","name":"Ana","time":"2026-05-22T22:45:00+08:00","content":"The cellar key hangs behind the boiler.","labels":{"order":"A123"},"meta":{"a":
		 [1, 2.50]}},
		{"role":"assistant","content":null,"tool_calls":[{"id":"c1","name":"get_order","arguments":"{\"order\":\"A123\"}"},{"id":"c2","name":"now"}]},
		{"role":"tool","tool_call_id":"c1","content":[{"type":"json","json":{"state": "sent"}},{"type":"text","text":"ok"}]},
		{"id":"m6","role":"user","time":"2026-05-23T09:00:00+08:00","content":"我们选择了数据库PostgreSQL，会议改到周四上午九点。"},
		{"role":"assistant","content":[{"type":"thinking","text":"hm","provider":"p","data":"c2ln"},{"type":"opaque","provider":"p","data":"ZW5j","tokens":7},{"type":"image","mime":"image/png","bytes":900,"alt":"a chart","url":"data:image/png;base64,AAAA"},{"type":"text","text":"Noted 📦."}]},
		{"id":"m8","role":"user","content":"a broken-off","partial":true,"acl":["support"]}]}`)
	answerAll()
	do(abi.OpAppend, `{"thread":"t1","messages":[{"id":"m8","role":"user","content":"a broken-off sentence, whole now","acl":["support"]}]}`)
	do(abi.OpAmend, `{"thread":"t1","close_call":{"id":"c2","result":"abandoned","error":true}}`)
	do(abi.OpAmend, `{"thread":"t1","pin":["m2","m6"]}`)
	do(abi.OpAmend, `{"thread":"t1","unpin":["m6"]}`)
	do(abi.OpAmend, `{"thread":"t1","label":{"ids":["m6"],"labels":{"session":"second"}}}`)
	do(abi.OpAmend, `{"fork":{"from":"t1","at":"m6","to":"t2"}}`)
	do(abi.OpAmend, `{"thread":"t2","edit":{"id":"m6","content":"The meeting is on Friday."}}`)
	do(abi.OpAppend, `{"thread":"t2","mode":"upsert","messages":[{"id":"m6","role":"user","content":"The meeting is on Saturday."},{"id":"n1","role":"user","content":"A \ud800 lone one."}]}`)
	do(abi.OpAppend, `{"thread":"t3","messages":[{"id":"x","role":"user","content":"to be pruned"},{"role":"user","content":"to be kept"},{"role":"user","content":"to be forgotten"}]}`)
	do(abi.OpAppend, `{"thread":"t3","mode":"sync","prune":true,"messages":[{"role":"user","content":"to be kept"},{"role":"user","content":"to be forgotten"},{"role":"assistant","content":"new"}]}`)
	do(abi.OpForget, `{"thread":"t3","messages":["#3"]}`)
	do(abi.OpAppend, `{"thread":"t4","messages":[{"role":"user","time":"2026-01-01T00:00:00Z","content":"of a thread that goes"}]}`)
	do(abi.OpForget, `{"threads":["t4"]}`)
	do(abi.OpAppend, `{"thread":"t5","messages":[{"role":"user","time":"2026-01-01T00:00:00Z","content":"of a time that goes"},{"role":"user","time":"2026-02-01T00:00:00Z","content":"of a time that stays"}]}`)
	do(abi.OpForget, `{"thread":"t5","since":"2026-01-01T00:00:00Z","until":"2026-01-02T00:00:00Z"}`)
	do(abi.OpConfigure, `{"settings":{"models":{"embed":{"max_tokens":40}},"retrieval":{"session_gap":"1h"}}}`)
	answerAll()
	return e, log
}

// answers are results for the open needs, one of them a failure, one a refusal, one a wrong vector.
func answers(t *testing.T, e *Engine) string {
	var open abi.NeedsResponse
	if err := wire.Unmarshal(e.Handle(abi.OpNeeds, []byte("{}")), &open); err != nil || len(open.Needs) < 4 {
		t.Fatal(err, open)
	}
	req := &abi.FulfilRequest{}
	for i, n := range open.Needs {
		r := abi.Result{Need: n.ID, Status: abi.StatusOK, Vectors: &abi.Vectors{Dimension: n.Dimension}}
		for j := range len(n.Texts) * int(n.Dimension) {
			r.Vectors.I8 = append(r.Vectors.I8, byte(i*31+j*17+1))
		}
		switch i {
		case 1:
			r = abi.Result{Need: n.ID, Status: abi.StatusRefused}
		case 2:
			r = abi.Result{Need: n.ID, Status: abi.StatusError, Message: "busy", Usage: &abi.Usage{Input: 3, MS: 12}}
		case 3:
			r.Vectors.I8 = r.Vectors.I8[1:]
		}
		req.Results = append(req.Results, r)
	}
	return string(req.AppendWire(nil))
}

// pages puts an export or snapshot together.
func pages(t *testing.T, e *Engine, op string) (all []byte) {
	for from := int64(0); ; {
		in := abi.ExportRequest{From: from, LimitBytes: 1000}
		line, data, _ := bytes.Cut(e.Handle(op, in.AppendWire(nil)), []byte{'\n'})
		var p abi.Page
		if err := wire.Unmarshal(line, &p); err != nil {
			t.Fatal(err, string(line))
		}
		all = append(all, data...)
		if from = p.Next; from == 0 {
			return all
		}
	}
}

// Logs and snapshots of all versions open, and hold what they held. A released one is never written again.
func TestReleasedLogsAndSnapshotsOpen(t *testing.T) {
	name := abi.EngineVersion
	if *update {
		e, log := story(t)
		for path, data := range map[string][]byte{
			logs + name + ".jsonl": log, logs + name + ".export.jsonl": pages(t, e, abi.OpExport),
			snapshots + name + ".image": pages(t, e, abi.OpSnapshot),
		} {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	exports, err := filepath.Glob(logs + "*.export.jsonl")
	if err != nil || len(exports) == 0 {
		t.Fatal("there are no logs", err)
	}
	current := false
	for _, export := range exports {
		version := strings.TrimSuffix(filepath.Base(export), ".export.jsonl")
		current = current || version == name
		held := read(t, export)
		for _, path := range []string{export, logs + version + ".jsonl", snapshots + version + ".image"} {
			e := New()
			out := e.Handle(abi.OpRestore, append([]byte(`{"from":0}`+"\n"), read(t, path)...))
			if !bytes.Contains(out, []byte(`"done":true`)) {
				t.Errorf("%s: %s\n(as long as %s is not released, -update writes it anew)", path, out, name)
				continue
			}
			if got, want := content(pages(t, e, abi.OpExport)), content(held); !bytes.Equal(got, want) {
				t.Errorf("%s: it holds something else now:\n%s\nthen:\n%s", path, got, want)
			}
		}
	}
	if !current {
		t.Errorf("there is no log of %s: run with -update", name)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// content is an export without header and end, which name versions.
func content(export []byte) []byte {
	lines := bytes.SplitAfter(bytes.TrimSuffix(export, []byte("\n")), []byte("\n"))
	return bytes.Join(lines[1:len(lines)-1], nil)
}
