package main

import (
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			os.Exit(2)
		}
		fmt.Fprintln(os.Stderr, "wasmlink:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("wasmlink", flag.ContinueOnError)
	pages := flags.Uint("pages", 16384, "maximum of the memory in pages of 64 KiB")
	gap := flags.Uint("gap", 1024, "fill holes between data segments up to this many bytes")
	imports := flags.String("imports", "", "file with the names that may be imported, module.name, one a line")
	exports := flags.String("exports", "", "file with the names that must be exported, one a line")
	keep := flags.String("keep", "", "custom sections that stay, separated by commas")
	out := flags.String("o", "", "file to be written")
	if err := flags.Parse(args); err != nil {
		return flag.ErrHelp
	}
	if flags.NArg() != 1 || *out == "" {
		return errors.New("wants -o FILE and one module")
	}
	if *pages == 0 || *pages > 65536 || *gap > 1<<30 {
		return errors.New("-pages must be within 1 and 65536, -gap within 0 and 2^30")
	}
	opt := options{pages: uint32(*pages), gap: uint32(*gap)}
	if *keep != "" {
		opt.keep = strings.Split(*keep, ",")
	}
	var err error
	if opt.imports, err = readList(*imports); err != nil {
		return err
	}
	if opt.exports, err = readList(*exports); err != nil {
		return err
	}
	module, err := os.ReadFile(flags.Arg(0))
	if err != nil {
		return err
	}
	linked, rep, err := link(module, opt)
	if err != nil {
		return fmt.Errorf("%s: %w", flags.Arg(0), err)
	}
	if err := os.WriteFile(*out, linked, 0o644); err != nil {
		return err
	}
	fmt.Printf("%s: %d bytes (from %d), %d data segments (from %d), %d imported names, %d to %d pages\nsha256 %x\n",
		*out, len(linked), len(module), rep.merged, rep.segments, rep.imports, rep.initialPages, opt.pages, sha256.Sum256(linked))
	return nil
}

// readList gives nil, which means unchecked, for no file, and never nil else.
func readList(path string) ([]string, error) {
	if path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parseList(string(text)), nil
}
