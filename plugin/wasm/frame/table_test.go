package frame

import (
	"bytes"
	"math/rand"
	"testing"
)

func TestAllocRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		n    int32
	}{
		{"zero", 0},
		{"negative", -1},
		{"most negative, 2 GiB as unsigned", -1 << 31},
		{"one above the limit", Limit + 1},
		{"largest", 1<<31 - 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			var table Table
			if ptr := table.Alloc(c.n); ptr != 0 {
				t.Errorf("Alloc(%d) = %#x, want 0", c.n, ptr)
			}
			if n := table.Outstanding(); n != 0 {
				t.Errorf("%d outstanding after a refusal", n)
			}
		})
	}
	var table Table
	if table.Alloc(Limit) == 0 {
		t.Error("a buffer of exactly the limit was refused")
	}
}

func TestSlotsRunOut(t *testing.T) {
	var table Table
	var ptrs []uintptr
	for range Slots {
		ptr := table.Alloc(8)
		if ptr == 0 {
			t.Fatal("a slot was refused too early")
		}
		ptrs = append(ptrs, ptr)
	}
	if ptr := table.Alloc(8); ptr != 0 {
		t.Fatalf("buffer %d given: %#x", Slots+1, ptr)
	}
	if _, fault := table.Take(ptrs[2], 8); fault != None {
		t.Fatal(fault.Message())
	}
	if table.Alloc(8) == 0 {
		t.Fatal("the slot of a taken request was not free")
	}
}

func TestTakeRefuses(t *testing.T) {
	for _, c := range []struct {
		name  string
		call  func(table *Table, ptr uintptr) Fault
		want  Fault
		taken bool
	}{
		{"null pointer", func(x *Table, p uintptr) Fault { _, f := x.Take(0, 8); return f }, UnknownBuffer, false},
		{"pointer into the middle", func(x *Table, p uintptr) Fault { _, f := x.Take(p+1, 4); return f }, UnknownBuffer, false},
		{"pointer at 2 GiB", func(x *Table, p uintptr) Fault { _, f := x.Take(1<<31, 8); return f }, UnknownBuffer, false},
		{"last address", func(x *Table, p uintptr) Fault { _, f := x.Take(^uintptr(0), 8); return f }, UnknownBuffer, false},
		{"length zero", func(x *Table, p uintptr) Fault { _, f := x.Take(p, 0); return f }, BadLength, true},
		{"negative length", func(x *Table, p uintptr) Fault { _, f := x.Take(p, -8); return f }, BadLength, true},
		{"one byte too long", func(x *Table, p uintptr) Fault { _, f := x.Take(p, 9); return f }, BadLength, true},
		{"longest", func(x *Table, p uintptr) Fault { _, f := x.Take(p, 1<<31-1); return f }, BadLength, true},
		{"taken twice", func(x *Table, p uintptr) Fault { x.Take(p, 8); _, f := x.Take(p, 8); return f }, UnknownBuffer, true},
		{"released before", func(x *Table, p uintptr) Fault { x.Release(p); _, f := x.Take(p, 8); return f }, UnknownBuffer, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var table Table
			ptr := table.Alloc(8)
			if got := c.call(&table, ptr); got != c.want {
				t.Errorf("fault %d, want %d", got, c.want)
			}
			if left := table.Outstanding() == 0; left != c.taken {
				t.Errorf("request gone: %v, want %v", left, c.taken)
			}
		})
	}
}

func TestResponseIsNotARequest(t *testing.T) {
	var table Table
	ptr, n := table.Put([]byte("answer"))
	if _, fault := table.Take(ptr, int32(n)); fault != UnknownBuffer {
		t.Errorf("fault %d, want UnknownBuffer", fault)
	}
	table.Release(ptr)
	table.Release(ptr)
	table.Release(ptr + 1)
	table.Release(0)
	if n := table.Outstanding(); n != 0 {
		t.Errorf("%d outstanding", n)
	}
}

func TestRefusalTakesNoSlot(t *testing.T) {
	var table Table
	for range Slots {
		table.Alloc(1)
	}
	if ptr, n := table.Refuse([]byte("no")); ptr == 0 || n != 2 {
		t.Errorf("refusal at %#x, %d bytes", ptr, n)
	}
	if n := table.Outstanding(); n != Slots {
		t.Errorf("%d outstanding, want %d", n, Slots)
	}
}

func TestPack(t *testing.T) {
	for _, c := range []struct {
		ptr  uintptr
		n    int
		want uint64
	}{
		{0, 0, 0},
		{1, 2, 1<<32 | 2},
		{0xffffffff, 0xffffffff, 1<<64 - 1},
		{0x80000000, 1, 0x8000000000000001},
	} {
		if got := uint64(Pack(c.ptr, c.n)); got != c.want {
			t.Errorf("Pack(%#x, %d) = %#x, want %#x", c.ptr, c.n, got, c.want)
		}
	}
}

// The twin keeps what a reader of the contract would write down: a list of
// live buffers with their contents.
func TestTableAgainstTwin(t *testing.T) {
	type live struct {
		ptr      uintptr
		size     int32
		response []byte
	}
	rng := rand.New(rand.NewSource(1))
	var table Table
	var twin []live
	drop := func(i int) { twin = append(twin[:i], twin[i+1:]...) }
	for step := range 20000 {
		pick := -1
		if len(twin) > 0 {
			pick = rng.Intn(len(twin))
		}
		switch rng.Intn(4) {
		case 0:
			n := int32(rng.Intn(100) - 5)
			ptr := table.Alloc(n)
			if want := n > 0 && len(twin) < Slots; (ptr != 0) != want {
				t.Fatalf("step %d: Alloc(%d) = %#x with %d outstanding", step, n, ptr, len(twin))
			}
			if ptr != 0 {
				twin = append(twin, live{ptr: ptr, size: n})
			}
		case 1:
			if pick < 0 {
				continue
			}
			b := twin[pick]
			n := b.size + int32(rng.Intn(5)-2)
			data, fault := table.Take(b.ptr, n)
			want := None
			switch {
			case b.response != nil:
				want = UnknownBuffer
			case n <= 0 || n > b.size:
				want = BadLength
			}
			if fault != want || fault == None && len(data) != int(n) {
				t.Fatalf("step %d: fault %d (%d bytes), want %d", step, fault, len(data), want)
			}
			if want != UnknownBuffer {
				drop(pick)
			}
		case 2:
			response := bytes.Repeat([]byte{byte(step)}, 1+rng.Intn(9))
			ptr, n := table.Put(response)
			if (ptr != 0) != (len(twin) < Slots) || ptr != 0 && n != len(response) {
				t.Fatalf("step %d: Put gave %#x, %d with %d outstanding", step, ptr, n, len(twin))
			}
			if ptr != 0 {
				twin = append(twin, live{ptr: ptr, response: response})
			}
		case 3:
			if pick < 0 {
				continue
			}
			table.Release(twin[pick].ptr)
			drop(pick)
		}
		if table.Outstanding() != len(twin) {
			t.Fatalf("step %d: %d outstanding, want %d", step, table.Outstanding(), len(twin))
		}
	}
}
