//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package main

import (
	"io"
	"os"
)

// terminalWidth says whether w is a terminal; how wide it is can't be told here.
func terminalWidth(w io.Writer) (columns int, ok bool) {
	f, ok := w.(*os.File)
	if !ok {
		return 0, false
	}
	info, err := f.Stat()
	return 0, err == nil && info.Mode()&os.ModeCharDevice != 0
}
