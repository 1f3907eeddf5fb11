package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/abi/wire"
	"github.com/ctxplan/ctxplan/host"
)

var planCommand = &command{
	name: "plan", usage: "plan --messages FILE --ask TEXT --budget N [FLAGS]",
	summary: "print the context plan for a question about a conversation",
	details: `FILE is JSON Lines, one message a line, or a JSON array of messages; - is the
standard input, which can be read once. The question is the user's next message:
it stands in the plan behind all that is stored. Without --ask the newest user
message of the file is the question.

The budget is either --budget, the tokens for all that the memory adds, or
--window, the account of a model: window, output, margin, and what the host
brings.

Besides text and json, --format names a provider's request body: openai.chat,
openai.responses, anthropic.messages or gemini.contents. It holds the messages,
ready to be sent; model, tools and limits are for the caller to add. Warnings
then go to the standard error.

With --acl the plan is made for somebody who has these names: of messages that
have an acl it sees those with one of them, and --acl= sees none of them.
--labels narrows the search to messages that have all of these labels.`,
	example: `ctxplan plan --messages chat.jsonl --ask "Where is the spare key?" --budget 1500`,
	flags:   func() *flag.FlagSet { f, _ := planFlags(); return f },
	run:     runPlan,
}

// threadID is the thread of the file.
const threadID = "main"

// planOptions are the flags of plan.
type planOptions struct {
	engine                          engineFlags
	messages, ask, now, strategy    string
	system, tools, evidence, config string
	format, acl, labels             string
	budget, window, output, margin  int64
	explain                         bool
	set                             *flag.FlagSet
}

func planFlags() (*flag.FlagSet, *planOptions) {
	f, o := newFlags("plan"), &planOptions{}
	o.set = f
	f.StringVar(&o.messages, "messages", "", "the conversation, a `FILE` of messages")
	f.StringVar(&o.ask, "ask", "", "the question, a `TEXT`")
	f.Int64Var(&o.budget, "budget", 0, "`N` tokens for all that the memory adds")
	f.Int64Var(&o.window, "window", 0, "the window of the model is `N` tokens")
	f.Int64Var(&o.output, "output", 0, "keep `N` tokens of the window for the answer")
	f.Int64Var(&o.margin, "margin", 0, "keep `N` tokens of the window for what estimates miss")
	f.StringVar(&o.system, "system", "", "the system text of the host: `FILE|N`, a text or its number of tokens")
	f.StringVar(&o.tools, "tools", "", "the tool schemas: `FILE|N`, JSON or its number of tokens")
	f.StringVar(&o.evidence, "evidence", "", "what an authority says: `FILE|N`, a text, a JSON array of {\"text\":…}, or a number of tokens")
	f.StringVar(&o.strategy, "strategy", "", "`S` is auto, fused or truncate")
	f.StringVar(&o.now, "now", "", "the time of the call, `T`, RFC 3339 with an offset")
	f.StringVar(&o.config, "config", "", "settings, a `FILE` with a JSON object")
	f.StringVar(&o.format, "format", formatText, "print text for people, json, the response as it is, or the request body of a provider: `FORMAT` is text, json, or one of those above")
	f.StringVar(&o.acl, "acl", "", "who asks, `NAME[,NAME]`")
	f.StringVar(&o.labels, "labels", "", "search only messages with these labels, `KEY=VALUE[,KEY=VALUE]`")
	f.BoolVar(&o.explain, "explain", false, "list every candidate and every message that is not in the plan")
	o.engine.register(f)
	return f, o
}

// check looks for contradictions, before anything is read.
func (o *planOptions) check() error {
	switch {
	case o.messages == "":
		return usageError("--messages is missing")
	case !given(o.set, "budget") && !given(o.set, "window"):
		return usageError("--budget or --window is missing")
	case given(o.set, "budget") && given(o.set, "window"):
		return usageError("--budget and --window exclude each other")
	case given(o.set, "budget") && (given(o.set, "output") || given(o.set, "margin")):
		return usageError("--output and --margin belong to --window")
	case !knownFormat(o.format):
		return usageError("--format is " + formats + ", not " + quote(o.format))
	case given(o.set, "ask") && strings.TrimSpace(o.ask) == "":
		return usageError("--ask is empty")
	}
	inputs := 0
	for _, name := range []string{o.messages, o.system, o.tools, o.evidence, o.config} {
		if name == standardInput {
			inputs++
		}
	}
	if inputs > 1 {
		return usageError("the standard input can be read only once")
	}
	_, err := o.scope()
	return err
}

// planInput is everything that was read for a plan.
type planInput struct {
	file    *messageFile
	request abi.PlanRequest
	// patch holds settings of the file configFile.
	patch      abi.SettingsPatch
	configFile string
	// evidenceFile is what a path of evidence points to.
	evidenceFile string
}

// read reads and checks all files.
func (o *planOptions) read(stdin io.Reader) (*planInput, error) {
	s := &source{stdin: stdin}
	in := &planInput{evidenceFile: o.evidence}
	data, shown, err := s.read(o.messages)
	if err != nil {
		return nil, err
	}
	if in.file, err = parseMessages(shown, data); err != nil {
		return nil, err
	}
	if o.config != "" {
		if in.patch, in.configFile, err = s.settings(o.config); err != nil {
			return nil, err
		}
	}
	r := &in.request
	r.Thread, r.Now, r.Strategy, r.Explain = threadID, o.now, o.strategy, o.explain
	if r.Scope, err = o.scope(); err != nil {
		return nil, err
	}
	if slices.Contains(bodies, o.format) {
		r.Render = o.format
	}
	if o.ask != "" {
		r.Input = []abi.Message{{Role: abi.RoleUser, Content: abi.TextContent(o.ask)}}
	}
	if given(o.set, "budget") {
		r.Budget.History = &o.budget
	} else {
		r.Budget = abi.BudgetRequest{Window: &o.window, Output: o.output, Margin: o.margin}
	}
	if o.system != "" {
		if r.System, err = s.system(o.system); err != nil {
			return nil, err
		}
	}
	if o.tools != "" {
		if r.Tools, err = s.tools(o.tools); err != nil {
			return nil, err
		}
	}
	if o.evidence != "" {
		if r.Evidence, err = s.evidence(o.evidence); err != nil {
			return nil, err
		}
	}
	return in, nil
}

func runPlan(ctx context.Context, args []string, std stdio) error {
	f, o := planFlags()
	if err := parseFlags(f, args); err != nil {
		return err
	}
	if err := o.check(); err != nil {
		return err
	}
	in, err := o.read(std.in)
	if err != nil {
		return err
	}
	runtime, err := o.engine.open(ctx)
	if err != nil {
		return err
	}
	defer runtime.Close(ctx)
	space, err := runtime.Space(ctx, "plan")
	if err != nil {
		return &opError{"start", err}
	}
	if err := in.fill(ctx, space, o.now, std.err); err != nil {
		return err
	}
	answer, err := in.plan(ctx, space)
	if err != nil {
		return err
	}
	return o.write(answer, std.out, std.err)
}

// fill puts settings and messages into the space.
func (in *planInput) fill(ctx context.Context, space *host.Space, now string, stderr io.Writer) error {
	if in.configFile != "" {
		r := abi.ConfigureRequest{Settings: in.patch, Now: now}
		if _, err := do(ctx, space, abi.OpConfigure, r.AppendWire(nil)); err != nil {
			return in.locate(err, 0)
		}
	}
	p := newProgress(stderr, len(in.file.entries))
	defer p.done()
	for _, b := range in.file.batches(threadID, now) {
		answer, err := do(ctx, space, abi.OpAppend, b.request)
		if err != nil {
			return in.locate(err, b.first)
		}
		var r abi.AppendResponse
		if err := wire.Unmarshal(answer, &r); err != nil {
			return &opError{abi.OpAppend, err}
		}
		for _, path := range r.Repaired {
			p.note(in.repaired(path, b.first))
		}
		p.add(b.count)
	}
	return nil
}

// plan asks for the plan. There is no model here, so each need is answered with
// an error, and the plan says what it lacks.
func (in *planInput) plan(ctx context.Context, space *host.Space) ([]byte, error) {
	r := in.request
	for range abi.MaxRounds + 1 {
		answer, err := do(ctx, space, abi.OpPlan, r.AppendWire(nil))
		if err != nil {
			return nil, in.locate(err, 0)
		}
		if !bytes.HasPrefix(answer, []byte(`{"needs":`)) {
			return answer, nil
		}
		var p abi.PlanResponse
		if err := wire.Unmarshal(answer, &p); err != nil {
			return nil, &opError{abi.OpPlan, err}
		}
		for _, n := range p.Needs {
			r.Results = append(r.Results, abi.Result{Need: n.ID, Status: abi.StatusError, Message: "this command calls no models"})
		}
	}
	return nil, &opError{abi.OpPlan, errors.New("the engine keeps asking for models")}
}

// locate turns an error of an op into one that names the file and line of what
// is wrong, where it came from a file. The request held messages from first on.
func (in *planInput) locate(err error, first int) error {
	var op *opError
	var h *host.Error
	if !errors.As(err, &op) || !errors.As(op.cause, &h) {
		return err
	}
	at := func(file, path string, line int) error {
		return &inputError{file: file, line: line, code: h.Code, path: path, message: h.Message + details(h.Details)}
	}
	if i, rest, ok := element(h.Path, "messages"); ok && op.op == abi.OpAppend && first+i < len(in.file.entries) {
		return at(in.file.name, rest, in.file.entries[first+i].line)
	}
	if _, _, ok := element(h.Path, "evidence"); ok {
		return at(in.evidenceFile, h.Path, 0)
	}
	if path, ok := strings.CutPrefix(h.Path, "settings"); ok && op.op == abi.OpConfigure {
		return at(in.configFile, strings.TrimPrefix(path, "."), 0)
	}
	return err
}

// repaired says in which line a lone surrogate was replaced.
func (in *planInput) repaired(path string, first int) string {
	line, rest := 0, path
	if i, r, ok := element(path, "messages"); ok && first+i < len(in.file.entries) {
		line, rest = in.file.entries[first+i].line, r
	}
	e := inputError{file: in.file.name, line: line, path: rest, message: "half of a surrogate pair was replaced by U+FFFD"}
	return e.Error()
}

// element takes name[3].rest apart.
func element(path, name string) (index int, rest string, ok bool) {
	s, ok := strings.CutPrefix(path, name+"[")
	if !ok {
		return 0, "", false
	}
	number, rest, ok := strings.Cut(s, "]")
	if !ok {
		return 0, "", false
	}
	index, err := strconv.Atoi(number)
	return index, strings.TrimPrefix(rest, "."), err == nil && index >= 0
}
