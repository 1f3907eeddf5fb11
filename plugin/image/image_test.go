package image

import (
	"bytes"
	"crypto/sha256"
	"math/rand"
	"reflect"
	"testing"

	"github.com/ctxplan/ctxplan/plugin/vector"
)

// part is what a reader gave, with what it said beside it.
type part struct {
	kind  Kind
	body  string
	sum   [32]byte
	parts int64
}

// readAll reads a stream in pieces of the given size.
func readAll(data []byte, size int) (all []part, err error) {
	var r Reader
	for from := 0; ; from += size {
		end := min(from+size, len(data))
		r.Feed(data[min(from, end):end])
		if end == len(data) {
			r.Finish()
		}
		for {
			kind, body, ok, err := r.Next()
			if err != nil {
				return all, err
			}
			if !ok {
				break
			}
			all = append(all, part{kind, string(body), [32]byte(r.Sum()), r.Parts()})
		}
		if end == len(data) {
			return all, nil
		}
	}
}

func TestStreamIsTakenApart(t *testing.T) {
	image := []byte(Magic)
	var want []part
	add := func(kind Kind, body string) {
		want = append(want, part{kind, body, sha256.Sum256(image), int64(len(want))})
		if kind == Line {
			image = AppendLine(image, []byte(body))
		} else {
			image = AppendFrame(image, kind, []byte(body))
		}
	}
	add(Header, "head")
	add(Thread, "")
	add(Message, string(bytes.Repeat([]byte("m\n"), 300)))
	add(Vectors, "\x00\xff")
	add(End, "sum")
	add(Line, `{"seq":1}`)
	add(Line, `{"seq":2}`)
	for size := 1; size < len(image)+2; size++ {
		got, err := readAll(image, size)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("in pieces of %d: %v %v", size, got, err)
		}
	}
	for n := range image {
		got, err := readAll(image[:n], 7)
		frames := len(image) - len("{\"seq\":1}\n{\"seq\":2}\n")
		switch {
		case n == 0 || n >= frames:
			if err != nil {
				t.Errorf("cut at %d: %v", n, err)
			}
		case err != ErrCut:
			t.Errorf("cut at %d: %v, %d parts", n, err, len(got))
		}
	}
}

func TestStreamThatIsNone(t *testing.T) {
	for _, c := range []struct {
		name, data string
		err        error
	}{
		{"text", "hello", ErrMagic},
		{"almost an image", "CTXPLAM\x01", ErrMagic},
		{"an older image", "CTXPLAN\x00", ErrMagic},
		{"a newer image", "CTXPLAN\x02", ErrVersion},
		{"an unknown frame", Magic + "\x00z", ErrKind},
		{"a line among frames", Magic + "\x00l", ErrKind},
		{"a huge frame", Magic + "\xff\xff\xff\xff\x7fm", ErrLength},
		{"a length without end", Magic + "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", ErrLength},
		{"a frame that is cut", Magic + "\x05mabc", ErrCut},
	} {
		if _, err := readAll([]byte(c.data), 3); err != c.err {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestVectorsComeBack(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 300 {
		b := &Block{Model: 1 + r.Int63n(300)}
		dimension := 1 + r.Intn(40)
		for range 1 + r.Intn(5) {
			v := vector.Vector{}
			switch r.Intn(4) {
			case 0:
			case 1:
				v = vector.Refused
			default:
				v.Q, v.Scale = make([]int8, dimension), 1+r.Int31n(1<<24)
				for i := range v.Q {
					v.Q[i] = int8(r.Intn(255) - 127)
				}
			}
			b.Pieces = append(b.Pieces, v)
		}
		got, ok := ReadBlock(AppendBlock(nil, b))
		if !ok || !reflect.DeepEqual(got, b) {
			t.Fatalf("%+v came back as %+v %v", b, got, ok)
		}
	}
}

func FuzzReadBlock(f *testing.F) {
	f.Add(AppendBlock(nil, &Block{Model: 2, Pieces: []vector.Vector{{Q: []int8{1, -2}, Scale: 9}, {}, vector.Refused}}))
	f.Add([]byte{1, 0xff, 0xff, 3, 2})
	f.Fuzz(func(t *testing.T, body []byte) {
		b, ok := ReadBlock(body)
		if !ok {
			return
		}
		if again, ok := ReadBlock(AppendBlock(nil, b)); !ok || !reflect.DeepEqual(again, b) {
			t.Fatalf("%+v came back as %+v", b, again)
		}
	})
}

// FuzzReader: a stream gives the same parts however it is cut.
func FuzzReader(f *testing.F) {
	f.Add([]byte(Magic+"\x02hab\x00t\x01ex{}\n{}"), 3)
	f.Add([]byte("{}\n\n{\n"), 1)
	f.Fuzz(func(t *testing.T, data []byte, size int) {
		whole, err := readAll(data, len(data)+1)
		cut, err2 := readAll(data, 1+size&0xff)
		if err != err2 || !reflect.DeepEqual(whole, cut) {
			t.Fatalf("%v %v, in pieces %v %v", whole, err, cut, err2)
		}
	})
}
