//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package main

import (
	"io"
	"os"
	"syscall"
	"unsafe"
)

// terminalWidth gives the columns of a terminal, and whether w is one.
func terminalWidth(w io.Writer) (columns int, ok bool) {
	f, ok := w.(*os.File)
	if !ok {
		return 0, false
	}
	var size struct{ rows, columns, x, y uint16 }
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
	return int(size.columns), errno == 0
}
