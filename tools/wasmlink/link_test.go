package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// module builds a test module: one memory of two pages, one function that is
// imported and exported, and the given data segments.
type module struct {
	imports, exports []string
	memory           []byte // body of the memory section
	data             []byte // body of the data section, nil for none
	extra            []section
}

func (m module) bytes() []byte {
	var sections []section
	sections = append(sections, section{1, []byte{1, 0x60, 0, 0}})
	imports := appendU32(nil, uint32(len(m.imports)))
	for _, name := range m.imports {
		mod, field, _ := strings.Cut(name, ".")
		imports = appendName(appendName(imports, mod), field)
		imports = append(imports, 0, 0)
	}
	sections = append(sections, section{sectionImport, imports})
	memory := m.memory
	if memory == nil {
		memory = []byte{1, 0, 2}
	}
	sections = append(sections, section{sectionMemory, memory})
	exports := appendU32(nil, uint32(len(m.exports)))
	for _, name := range m.exports {
		exports = append(appendName(exports, name), 0, 0)
	}
	sections = append(sections, section{sectionExport, exports})
	for _, s := range m.extra {
		if s.id != sectionCustom {
			sections = append(sections, s)
		}
	}
	if m.data != nil {
		sections = append(sections, section{sectionData, m.data})
	}
	for _, s := range m.extra {
		if s.id == sectionCustom {
			sections = append(sections, s)
		}
	}
	return encodeModule(sections)
}

func appendName(b []byte, name string) []byte {
	return append(appendU32(b, uint32(len(name))), name...)
}

// naiveImage is a second, independent reader: it knows only how to skip
// sections and to paint active segments, and it paints in order.
func naiveImage(t testing.TB, wasm []byte) (image []byte, pages, maximum uint64, sections int) {
	t.Helper()
	u := func(b []byte) (uint64, []byte) {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			t.Fatal("naive reader: bad integer")
		}
		return v, b[n:]
	}
	var data []byte
	for b := wasm[8:]; len(b) > 0; sections++ {
		id := b[0]
		var n uint64
		n, b = u(b[1:])
		body := b[:n]
		b = b[n:]
		switch id {
		case 5:
			_, body = u(body)
			flag := body[0]
			pages, body = u(body[1:])
			if flag == 1 {
				maximum, _ = u(body)
			}
			image = make([]byte, pages*65536)
		case 11:
			data = body
		}
	}
	if data == nil {
		return
	}
	count, b := u(data)
	for range count {
		if b[0] != 0 || b[1] != 0x41 {
			t.Fatal("naive reader: segment is not active with i32.const")
		}
		b = b[2:]
		var offset int64
		for shift := 0; ; shift += 7 {
			c := b[0]
			b = b[1:]
			offset |= int64(c&0x7f) << shift
			if c < 0x80 {
				if c&0x40 != 0 {
					offset |= -1 << (shift + 7)
				}
				break
			}
		}
		var n uint64
		n, b = u(b[1:])
		copy(image[uint32(offset):], b[:n])
		b = b[n:]
	}
	if len(b) != 0 {
		t.Fatal("naive reader: bytes after the last segment")
	}
	return
}

func segments(list ...segment) []byte { return encodeData(list) }

var plain = options{pages: 16, gap: 4}

func TestLinkKeepsImage(t *testing.T) {
	for _, c := range []struct {
		name   string
		data   []byte
		merged int
	}{
		{"no data section", nil, 0},
		{"no segments", segments(), 0},
		{"empty segments vanish", segments(segment{5, nil}, segment{9, nil}), 0},
		{"neighbours", segments(segment{0, []byte("ab")}, segment{2, []byte("cd")}), 1},
		{"hole of exactly the gap", segments(segment{0, []byte("ab")}, segment{6, []byte("cd")}), 1},
		{"hole above the gap", segments(segment{0, []byte("ab")}, segment{7, []byte("cd")}), 2},
		{"out of order", segments(segment{100, []byte("zz")}, segment{7, []byte("cd")}, segment{96, []byte("yy")}), 2},
		{"up to the last byte", segments(segment{2*pageSize - 2, []byte("ab")}), 1},
		{"offsets that need a sign byte", segments(segment{63, []byte("a")}, segment{64, []byte("b")}, segment{8191, []byte("c")}, segment{8192, []byte("d")}), 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := module{data: c.data}.bytes()
			out, rep, err := link(in, plain)
			if err != nil {
				t.Fatal(err)
			}
			want, _, _, _ := naiveImage(t, in)
			got, pages, maximum, _ := naiveImage(t, out)
			if !bytes.Equal(got, want) {
				t.Error("the memory image differs")
			}
			if pages != 2 || maximum != 16 {
				t.Errorf("memory of %d to %d pages, want 2 to 16", pages, maximum)
			}
			if rep.merged != c.merged {
				t.Errorf("%d segments left, want %d", rep.merged, c.merged)
			}
		})
	}
}

func TestLinkRefuses(t *testing.T) {
	data := func(b ...byte) []byte { return b }
	good := segments(segment{0, []byte("ab")})
	for _, c := range []struct {
		name string
		wasm []byte
		want string
	}{
		{"empty", nil, "not a WebAssembly module"},
		{"text", []byte("(module)"), "not a WebAssembly module"},
		{"component", []byte{0, 'a', 's', 'm', 0x0d, 0, 1, 0}, "not a WebAssembly module"},
		{"cut in a section", module{data: good}.bytes()[:20], "ends too early"},
		{"section of 4 GiB", append(append([]byte{}, header...), 5, 0xff, 0xff, 0xff, 0xff, 0x0f), "ends too early"},
		{"length of six bytes", append(append([]byte{}, header...), 5, 0x80, 0x80, 0x80, 0x80, 0x80, 0), "LEB128"},
		{"length above 32 bits", append(append([]byte{}, header...), 5, 0xff, 0xff, 0xff, 0xff, 0x1f), "LEB128"},
		{"unknown section", encodeModule([]section{{14, nil}}), "unknown id"},
		{"section twice", encodeModule([]section{{5, []byte{1, 0, 1}}, {5, []byte{1, 0, 1}}}), "there twice"},
		{"sections out of order", encodeModule([]section{{7, []byte{0}}, {5, []byte{1, 0, 1}}}), "out of order"},
		{"no memory", encodeModule(nil), "no memory"},
		{"two memories", module{memory: data(2, 0, 1, 0, 1)}.bytes(), "2 memories"},
		{"shared memory", module{memory: data(1, 3, 1, 2)}.bytes(), "shared"},
		{"64 bit memory", module{memory: data(1, 4, 1)}.bytes(), "64 bits"},
		{"more pages than the maximum", module{memory: data(1, 0, 17)}.bytes(), "above the maximum"},
		{"bytes after the memory", module{memory: data(1, 0, 2, 0)}.bytes(), "after its end"},
		{"passive segment", module{data: data(1, 1, 1, 'a')}.bytes(), "passive"},
		{"segment of memory 1", module{data: data(1, 2, 1, 0x41, 0, 0x0b, 1, 'a')}.bytes(), "passive"},
		{"offset from a global", module{data: data(1, 0, 0x23, 0, 0x0b, 1, 'a')}.bytes(), "not constant"},
		{"offset from a sum", module{data: data(1, 0, 0x41, 1, 0x41, 1, 0x6a, 0x0b, 1, 'a')}.bytes(), "expression"},
		{"segment beyond the memory", module{data: segments(segment{2*pageSize - 1, []byte("ab")})}.bytes(), "beyond"},
		{"negative offset", module{data: data(1, 0, 0x41, 0x7f, 0x0b, 1, 'a')}.bytes(), "beyond"},
		{"more segments than bytes", module{data: data(0xff, 0xff, 0xff, 0xff, 0x0f)}.bytes(), "segments in"},
		{"segment longer than the section", module{data: data(1, 0, 0x41, 0, 0x0b, 9, 'a')}.bytes(), "ends too early"},
		{"bytes after the segments", module{data: append(append([]byte{}, good...), 0)}.bytes(), "after its end"},
		{"overlapping segments", module{data: segments(segment{0, []byte("abc")}, segment{2, []byte("d")})}.bytes(), "overlap"},
		{"data count", module{data: good, extra: []section{{sectionDataCount, []byte{1}}}}.bytes(), "data count"},
		{"start function", module{data: good, extra: []section{{sectionStart, []byte{0}}}}.bytes(), "start function"},
		{"custom section without a name", module{data: good, extra: []section{{sectionCustom, []byte{9, 'x'}}}}.bytes(), "custom section"},
		{"imported memory", encodeModule([]section{{sectionImport, append(appendName(appendName([]byte{1}, "env"), "memory"), 2, 0, 1)}}), "not a function"},
		{"more imports than bytes", encodeModule([]section{{sectionImport, data(0xff, 0xff, 0xff, 0xff, 0x0f)}}), "ends too early"},
		{"export twice", module{exports: []string{"a", "a"}}.bytes(), "there twice"},
		{"name that is not UTF-8", module{exports: []string{"\xff"}}.bytes(), "UTF-8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, _, err := link(c.wasm, plain)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("error %v, want one with %q", err, c.want)
			}
			if out != nil {
				t.Error("a module came out beside the error")
			}
		})
	}
}

func TestLinkChecksNames(t *testing.T) {
	opt := options{pages: 16, imports: []string{"w.a", "w.b"}, exports: []string{"x", "y"}}
	for _, c := range []struct {
		name string
		m    module
		want string
	}{
		{"all there", module{imports: []string{"w.a", "w.b"}, exports: []string{"x", "y"}}, ""},
		{"import there twice", module{imports: []string{"w.a", "w.a"}, exports: []string{"y", "x"}}, ""},
		{"fewer imports", module{exports: []string{"x", "y"}}, ""},
		{"new import", module{imports: []string{"w.a", "w.c"}, exports: []string{"x", "y"}}, "w.c"},
		{"same import of another module", module{imports: []string{"v.a"}, exports: []string{"x", "y"}}, "v.a"},
		{"export lacking", module{exports: []string{"x"}}, "does not export: y"},
		{"new export", module{exports: []string{"x", "y", "z"}}, "z"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := link(c.m.bytes(), opt)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

func TestLinkDropsCustomSections(t *testing.T) {
	custom := func(name string) section { return section{sectionCustom, append(appendName(nil, name), "body"...)} }
	m := module{extra: []section{custom("producers"), custom("name"), custom("go:buildid")}}.bytes()
	out, _, err := link(m, options{pages: 16, keep: []string{"name"}})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"producers": false, "name": true, "go:buildid": false} {
		if got := bytes.Contains(out, []byte(name)); got != want {
			t.Errorf("section %s kept: %v, want %v", name, got, want)
		}
	}
}

func TestIntegersRoundTrip(t *testing.T) {
	for _, v := range []uint32{0, 1, 63, 64, 127, 128, 8191, 8192, 16383, 16384, 1<<31 - 1, 1 << 31, 1<<32 - 1} {
		u := reader{b: appendU32(nil, v)}
		if got := u.u32(); got != v || u.end() != nil {
			t.Errorf("u32 %d came back as %d, %v", v, got, u.err)
		}
		s := reader{b: appendS32(nil, int32(v))}
		if got := s.s32(); got != int32(v) || s.end() != nil {
			t.Errorf("s32 %d came back as %d, %v", int32(v), got, s.err)
		}
	}
	for _, b := range [][]byte{{0x80}, {0x80, 0x80, 0x80, 0x80, 0x80, 0x00}, {0xff, 0xff, 0xff, 0xff, 0x3f}} {
		s := reader{b: b}
		if s.s32(); s.err == nil {
			t.Errorf("% x was read as a number", b)
		}
	}
}

// A module of the Go linker, with its tens of thousands of segments.
func TestLinkGoModule(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module")
	}
	path := filepath.Join(t.TempDir(), "raw.wasm")
	build := exec.Command("go", "build", "-buildmode=c-shared", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", path, "../../host/internal/guest/testdata/fake")
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	in, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	out, rep, err := link(in, options{pages: 16384, gap: 1024})
	if err != nil {
		t.Fatal(err)
	}
	if rep.segments < 1000 || rep.merged > 50 {
		t.Errorf("%d segments became %d", rep.segments, rep.merged)
	}
	want, pages, _, _ := naiveImage(t, in)
	got, pagesAfter, maximum, _ := naiveImage(t, out)
	if !bytes.Equal(got, want) {
		t.Error("the memory image differs")
	}
	if pagesAfter != pages || maximum != 16384 {
		t.Errorf("memory of %d to %d pages, was %d", pagesAfter, maximum, pages)
	}
	again, _, err := link(out, options{pages: 16384, gap: 1024})
	if err != nil || !bytes.Equal(again, out) {
		t.Errorf("linking twice is not linking once: %v", err)
	}
}

func FuzzLink(f *testing.F) {
	f.Add(module{data: segments(segment{0, []byte("ab")}, segment{9, []byte("c")})}.bytes())
	f.Add(module{imports: []string{"w.a"}, exports: []string{"x"}}.bytes())
	f.Add(header)
	f.Fuzz(func(t *testing.T, in []byte) {
		opt := options{pages: 16, gap: 8}
		out, rep, err := link(in, opt)
		if err != nil {
			return
		}
		want, _, _, _ := naiveImage(t, in)
		got, _, maximum, _ := naiveImage(t, out)
		if !bytes.Equal(got, want) {
			t.Fatal("the memory image differs")
		}
		if maximum != 16 || rep.merged > rep.segments {
			t.Fatalf("maximum %d, %d segments from %d", maximum, rep.merged, rep.segments)
		}
		again, _, err := link(out, opt)
		if err != nil || !bytes.Equal(again, out) {
			t.Fatalf("linking twice is not linking once: %v", err)
		}
	})
}

func TestParseList(t *testing.T) {
	got := fmt.Sprint(parseList("# all\n b \n\na # why\r\na\n"))
	if got != "[a b]" {
		t.Errorf("got %s", got)
	}
}
