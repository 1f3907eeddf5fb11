package text

import (
	"bufio"
	"compress/bzip2"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// ucdFile opens a file of the Unicode Character Database in the folder that CTXPLAN_UCD names. Without it, sample
// stands in: a part of the file that lies in testdata.
func ucdFile(t *testing.T, name, sample string) io.Reader {
	t.Helper()
	path := filepath.Join("testdata", sample)
	if dir := os.Getenv("CTXPLAN_UCD"); dir != "" {
		path = filepath.Join(dir, name)
	} else if os.Getenv("CI") == "true" {
		t.Fatal("CTXPLAN_UCD is not set: CI reads the whole test files of the Unicode Character Database")
	} else {
		t.Logf("CTXPLAN_UCD is not set: reading the sample %s", path)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if strings.HasSuffix(path, ".bz2") {
		return bzip2.NewReader(f)
	}
	return f
}

// lines calls f with each line that is neither empty nor a comment, without its comment.
func lines(t *testing.T, r io.Reader, f func(n int, line string)) {
	t.Helper()
	sc := bufio.NewScanner(r)
	count := 0
	for n := 1; sc.Scan(); n++ {
		line, _, _ := strings.Cut(sc.Text(), "#")
		if line = strings.TrimSpace(line); line != "" {
			count++
			f(n, line)
		}
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	if count < 100 {
		t.Fatalf("only %d lines", count)
	}
	t.Logf("%d lines", count)
}

func hexString(t *testing.T, s string) string {
	t.Helper()
	var b strings.Builder
	for _, f := range strings.Fields(s) {
		v, err := strconv.ParseUint(f, 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteRune(rune(v))
	}
	return b.String()
}
