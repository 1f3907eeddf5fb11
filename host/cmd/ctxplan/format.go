package main

import (
	"io"
	"slices"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/abi/wire"
)

// Forms of the output that are no request body.
const (
	formatText = "text"
	formatJSON = "json"
)

// bodies are the formats of request bodies, as the engine names them. Its
// format text is not among them, since here text is for people.
var bodies = []string{"openai.chat", "openai.responses", "anthropic.messages", "gemini.contents"}

const formats = "text, json, openai.chat, openai.responses, anthropic.messages or gemini.contents"

func knownFormat(name string) bool {
	return name == formatText || name == formatJSON || slices.Contains(bodies, name)
}

// write writes the response of plan in the form that was asked for. A body has
// no place for warnings, so they go to stderr.
func (o *planOptions) write(answer []byte, stdout, stderr io.Writer) error {
	if o.format == formatJSON {
		_, err := stdout.Write(append(answer, '\n'))
		return err
	}
	var r abi.PlanResponse
	if err := wire.Unmarshal(answer, &r); err != nil {
		return &opError{abi.OpPlan, err}
	}
	if o.format == formatText {
		v := newView(stdout)
		v.plan(r.Plan, o.ask)
		return v.flush()
	}
	for i := range r.Plan.Warnings {
		w := &r.Plan.Warnings[i]
		if _, err := io.WriteString(stderr, "ctxplan: "+w.Code+": "+printable(explain(w))+"\n"); err != nil {
			return err
		}
	}
	_, err := stdout.Write(append(r.Plan.Rendered, '\n'))
	return err
}
