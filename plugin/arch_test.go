// Package plugin holds the engine in its stages and the shells that carry it; this test holds its architecture.
package plugin

import (
	"bufio"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/ctxplan/ctxplan/"

// allowed is what the engine may import from outside: pure functions, no clock, no I/O, no randomness, no reflection, and
// none of the toolchain's Unicode tables.
var allowed = []string{
	"bytes", "cmp", "crypto/sha256", "encoding/binary", "encoding/hex", "errors", "hash", "maps", "math", "math/bits", "simd/archsimd", "slices", "strconv",
	"strings", "unicode/utf8", "unsafe",
	"github.com/blevesearch/snowballstem",
	"github.com/blevesearch/snowballstem/english",
	module + "abi", module + "abi/wire",
}

// layers are the stages from the bottom up. A stage imports only stages of layers below its own.
var layers = [][]string{
	{"num", "calendar", "text"},
	{"tokens", "vector", "rank", "lexical"},
	{"message", "need", "pack", "plan", "image"},
	{"render"},
	{"engine"},
	{"shell"},
}

func TestEngineImports(t *testing.T) {
	level := map[string]int{}
	for i, l := range layers {
		for _, stage := range l {
			level[stage] = i
		}
	}
	dirs, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dirs {
		if !d.IsDir() || d.Name() == "wasm" || d.Name() == "extism" || d.Name() == "embedder" {
			continue
		}
		own, known := level[d.Name()]
		if !known {
			t.Errorf("%s is in no layer", d.Name())
			continue
		}
		for name, f := range parseDir(t, d.Name()) {
			for _, imp := range f.Imports {
				path, _ := strconv.Unquote(imp.Path.Value)
				if slices.Contains(allowed, path) {
					continue
				}
				stage, ours := strings.CutPrefix(path, module+"plugin/")
				if below, ok := level[stage]; !ours || !ok || below >= own {
					t.Errorf("%s imports %s", name, path)
				}
			}
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.GoStmt, *ast.SelectStmt, *ast.ChanType, *ast.SendStmt:
					t.Errorf("%s: the engine has no goroutines and no channels (%T)", name, n)
				}
				return true
			})
		}
	}
}

// The host runs the engine through the module; only its native engine and its tests may import the plugin.
func TestHostImports(t *testing.T) {
	err := filepath.WalkDir("../host", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if d.Name() == "testdata" {
			return filepath.SkipDir
		}
		for name, f := range parseDir(t, path) {
			for _, imp := range f.Imports {
				p, _ := strconv.Unquote(imp.Path.Value)
				if !strings.HasPrefix(p, module+"plugin/") || strings.HasPrefix(filepath.Base(name), "native") && p == module+"plugin/shell" {
					continue
				}
				if slices.Contains(hostExceptions, filepath.ToSlash(filepath.Dir(name))+" "+strings.TrimPrefix(p, module)) {
					continue
				}
				t.Errorf("%s imports %s", name, p)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// hostExceptions are folders of the host that may import a package of the plugin: a folder and the package.
var hostExceptions = []string{}

func TestFileLength(t *testing.T) {
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if n := d.Name(); n == ".git" || n == "build" || n == "bin" || n == "node_modules" || n == "target" || n == "testdata" {
				return filepath.SkipDir
			}
			return nil
		}
		ext := filepath.Ext(path)
		if !slices.Contains([]string{".go", ".js", ".ts", ".py", ".rs", ".java", ".sh"}, ext) || strings.HasSuffix(path, "_gen.go") {
			return nil
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		lines := 0
		for s := bufio.NewScanner(f); s.Scan(); lines++ {
		}
		if lines > 600 {
			t.Errorf("%s has %d lines, more than 600", path, lines)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestShellsAreThin(t *testing.T) {
	for _, dir := range []string{"wasm", "extism"} {
		lines := 0
		for name := range parseDir(t, dir) {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			lines += strings.Count(string(b), "\n")
		}
		if lines > 150 {
			t.Errorf("plugin/%s has %d lines, more than 150", dir, lines)
		}
	}
}

// parseDir parses the Go files of a folder that are not tests. A folder that is not there has none.
func parseDir(t *testing.T, dir string) map[string]*ast.File {
	t.Helper()
	files := map[string]*ast.File{}
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = f
	}
	return files
}
