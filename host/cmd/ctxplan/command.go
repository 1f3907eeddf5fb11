package main

import (
	"context"
	"flag"
	"io"
	"strings"
)

// command is one word behind ctxplan.
type command struct {
	name string
	// usage is the line behind ctxplan, summary one sentence without a stop.
	usage, summary string
	// details stand in the help between the summary and the flags, example
	// behind them.
	details, example string
	run              func(ctx context.Context, args []string, std stdio) error
	// flags makes the flags, for the help; nil for a command that has none.
	flags func() *flag.FlagSet
}

var commands []*command

func init() {
	commands = []*command{planCommand, abiCommand, describeCommand, versionCommand, helpCommand}
}

func lookup(name string) *command {
	for _, c := range commands {
		if c.name == name {
			return c
		}
	}
	return nil
}

func writeOverview(w io.Writer) {
	var b strings.Builder
	b.WriteString("ctxplan decides what a language model sees of a long conversation.\n\nusage: ctxplan COMMAND [FLAGS]\n\n")
	for _, c := range commands {
		b.WriteString("  " + c.name + strings.Repeat(" ", 10-len(c.name)) + c.summary + "\n")
	}
	b.WriteString("\n`ctxplan help COMMAND` says more.\n\nexample:\n  " + planCommand.example + "\n")
	io.WriteString(w, b.String())
}

func (c *command) writeHelp(w io.Writer) {
	var b strings.Builder
	b.WriteString("usage: ctxplan " + c.usage + "\n\n" + upper(c.summary) + ".\n")
	if c.details != "" {
		b.WriteString("\n" + c.details + "\n")
	}
	if c.flags != nil {
		b.WriteString("\nflags:\n")
		c.flags().VisitAll(func(f *flag.Flag) { writeFlag(&b, f) })
	}
	b.WriteString("\nexample:\n  " + c.example + "\n")
	io.WriteString(w, b.String())
}

func writeFlag(b *strings.Builder, f *flag.Flag) {
	value, text := flag.UnquoteUsage(f)
	b.WriteString("  --" + f.Name)
	if value != "" {
		b.WriteString(" " + value)
	}
	b.WriteString("\n        " + text)
	if f.DefValue != "" && f.DefValue != "0" && f.DefValue != "false" {
		b.WriteString(" (" + f.DefValue + " by default)")
	}
	b.WriteString("\n")
}

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// newFlags makes a flag set that prints nothing by itself.
func newFlags(name string) *flag.FlagSet {
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	return f
}

// parseFlags takes flags only; words beside them are wrong usage.
func parseFlags(f *flag.FlagSet, args []string) error {
	if err := f.Parse(args); err != nil {
		return usageError(strings.Replace(err.Error(), ": -", ": --", 1))
	}
	if f.NArg() > 0 {
		return usageError("unexpected " + quote(f.Arg(0)))
	}
	return nil
}

// given reports whether a flag was on the command line.
func given(f *flag.FlagSet, name string) bool {
	found := false
	f.Visit(func(g *flag.Flag) { found = found || g.Name == name })
	return found
}
