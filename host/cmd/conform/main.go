package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// options of a run.
type options struct {
	dir, known, road string
	fresh, verbose   bool
	update, all      bool
	timeout          time.Duration
	files, command   []string
}

const usage = "usage: conform [--road NAME] [--fresh] [--update [--all]] [--dir DIR] [--known FILE] [--timeout D] [--verbose] [FILE…] -- COMMAND…"

func parse(args []string) (*options, error) {
	o := &options{}
	f := flag.NewFlagSet("conform", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&o.dir, "dir", "testdata/conformance", "where the suite is")
	f.StringVar(&o.known, "known", "", "the list of known failures, known-failing.txt in the suite by default")
	f.StringVar(&o.road, "road", "", "the name of the road, for the list of known failures")
	f.BoolVar(&o.fresh, "fresh", false, "start the command anew for each file")
	f.BoolVar(&o.verbose, "verbose", false, "name each case")
	f.BoolVar(&o.update, "update", false, "write the answers of the command where a case has none")
	f.BoolVar(&o.all, "all", false, "with --update, write all answers")
	f.DurationVar(&o.timeout, "timeout", 2*time.Minute, "how long to wait for an answer")
	if at := slices.Index(args, "--"); at >= 0 {
		o.command = args[at+1:]
		args = args[:at]
	}
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if len(o.command) == 0 {
		return nil, fmt.Errorf("there is no command behind --")
	}
	if o.all && !o.update {
		return nil, fmt.Errorf("--all belongs to --update")
	}
	if o.files = f.Args(); len(o.files) == 0 {
		var err error
		if o.files, err = filepath.Glob(filepath.Join(o.dir, "*.jsonl")); err != nil {
			return nil, err
		}
		if len(o.files) == 0 {
			return nil, fmt.Errorf("there are no cases in %s", o.dir)
		}
	}
	if o.known == "" {
		o.known = filepath.Join(o.dir, "known-failing.txt")
	}
	return o, nil
}

func run(args []string, stdout, stderr io.Writer) int {
	o, err := parse(args)
	if err != nil {
		fmt.Fprintf(stderr, "conform: %v\n%s\n", err, usage)
		return 2
	}
	known, err := readKnown(o.known)
	if err != nil {
		fmt.Fprintf(stderr, "conform: %v\n", err)
		return 1
	}
	r := &runner{options: o, known: known.of(o.road), out: stdout, stderr: stderr}
	defer r.close()
	for _, name := range o.files {
		if err := r.file(name); err != nil {
			fmt.Fprintf(stderr, "conform: %v\n", err)
			return 1
		}
	}
	r.unused()
	fmt.Fprintf(stdout, "%d passed, %d failed", r.passed, r.failed)
	if r.expected > 0 {
		fmt.Fprintf(stdout, ", %d known to fail", r.expected)
	}
	if o.update {
		fmt.Fprintf(stdout, ", %d written", r.written)
	}
	fmt.Fprintln(stdout)
	if r.failed > 0 {
		return 1
	}
	return 0
}
