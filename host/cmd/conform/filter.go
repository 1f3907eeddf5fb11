package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os/exec"
	"time"
)

// filter is a running command. After an error it is to be stopped.
type filter struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	timeout time.Duration
}

func start(command []string, stderr io.Writer, timeout time.Duration) (*filter, error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stderr = stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &filter{cmd: cmd, in: in, out: bufio.NewReaderSize(out, 1<<16), timeout: timeout}, nil
}

// ask sends a line and waits for the answer.
func (f *filter) ask(line []byte) ([]byte, error) {
	type reply struct {
		line []byte
		err  error
	}
	// Writing and reading apart from each other: a filter may answer before it
	// has read the whole line.
	sent := make(chan error, 1)
	got := make(chan reply, 1)
	go func() {
		_, err := f.in.Write(append(bytes.Clone(line), '\n'))
		sent <- err
	}()
	go func() {
		answer, err := f.out.ReadBytes('\n')
		got <- reply{bytes.TrimSuffix(answer, []byte("\n")), err}
	}()
	late := time.NewTimer(f.timeout)
	defer late.Stop()
	select {
	case r := <-got:
		if r.err == io.EOF {
			return nil, fmt.Errorf("the command ended without an answer%s", f.ending())
		}
		return r.line, r.err
	case <-late.C:
		return nil, fmt.Errorf("no answer within %v", f.timeout)
	}
}

// ending says how the command ended.
func (f *filter) ending() string {
	f.in.Close()
	if err := f.cmd.Wait(); err != nil {
		return ": " + err.Error()
	}
	return ""
}

// kill ends a command that can't be trusted to end by itself.
func (f *filter) kill() { f.cmd.Process.Kill() }

// stop ends the command, by force when it does not end by itself.
func (f *filter) stop() {
	f.in.Close()
	done := make(chan struct{})
	go func() {
		f.cmd.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(5 * time.Second):
		f.cmd.Process.Kill()
		<-done
	}
}
