package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"slices"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], stdio{os.Stdin, os.Stdout, os.Stderr})
	stop()
	os.Exit(code)
}

// stdio is where a command reads and writes.
type stdio struct {
	in       io.Reader
	out, err io.Writer
}

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

func run(ctx context.Context, args []string, std stdio) int {
	if len(args) == 0 {
		writeOverview(std.err)
		return exitUsage
	}
	name, args := args[0], args[1:]
	if name == "-h" || name == "-help" || name == "--help" {
		name = "help"
	}
	c := lookup(name)
	if c == nil {
		return report(std.err, name, usageError("there is no command "+quote(name)))
	}
	if slices.ContainsFunc(args, isHelp) {
		c.writeHelp(std.out)
		return exitOK
	}
	return report(std.err, name, c.run(ctx, args, std))
}

// isHelp knows the three spellings of a call for help. A text that is asked is
// taken as --ask=TEXT when it is one of them.
func isHelp(arg string) bool { return arg == "-h" || arg == "-help" || arg == "--help" }

// report writes an error for people and gives the exit code.
func report(w io.Writer, command string, err error) int {
	if err == nil {
		return exitOK
	}
	var usage usageError
	if errors.As(err, &usage) {
		io.WriteString(w, "ctxplan: "+usage.Error()+"\n")
		if lookup(command) != nil {
			io.WriteString(w, "usage: ctxplan "+lookup(command).usage+"\n")
			io.WriteString(w, "`ctxplan help "+command+"` says more\n")
		} else {
			io.WriteString(w, "`ctxplan help` lists the commands\n")
		}
		return exitUsage
	}
	io.WriteString(w, "ctxplan: "+describeError(err)+"\n")
	return exitFailed
}
