// Command pack takes a module and gives back the gzip file that package host
// holds, or compares the two:
//
//	pack -o module.wasm.gz module.wasm
//	pack -check module.wasm.gz module.wasm
//
// The output depends on nothing but the module. Check compares contents and not
// the compressed bytes, which another release of the compressor may change.
package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("pack", flag.ContinueOnError)
	out := flags.String("o", "", "file to be written")
	check := flags.String("check", "", "file to be compared with the module")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 || (*out == "") == (*check == "") {
		return errors.New("wants one module and either -o or -check")
	}
	module, err := os.ReadFile(flags.Arg(0))
	if err != nil {
		return err
	}
	if *out != "" {
		packed, err := pack(module)
		if err != nil {
			return err
		}
		fmt.Printf("%s: %d bytes, from %d\n", *out, len(packed), len(module))
		return os.WriteFile(*out, packed, 0o644)
	}
	packed, err := os.ReadFile(*check)
	if err != nil {
		return err
	}
	return compare(packed, module)
}

func pack(module []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(module); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func compare(packed, module []byte) error {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return err
	}
	held, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	have, want := sha256.Sum256(held), sha256.Sum256(module)
	if have != want {
		return fmt.Errorf("the packed module is %x, a fresh build is %x: run make embed", have, want)
	}
	fmt.Printf("sha256 %x\n", want)
	return nil
}
