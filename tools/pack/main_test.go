package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestPackAndCompare(t *testing.T) {
	module := []byte(strings.Repeat("\x00asm", 1000))
	packed, err := pack(module)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := pack(module)
	if !bytes.Equal(packed, again) {
		t.Error("packing twice gave two files")
	}
	if err := compare(packed, module); err != nil {
		t.Error(err)
	}
	other := bytes.Clone(module)
	other[17] ^= 1
	for name, c := range map[string]struct{ packed, module []byte }{
		"another module":  {packed, other},
		"cut file":        {packed[:len(packed)-1], module},
		"file of nothing": {nil, module},
	} {
		if err := compare(c.packed, c.module); err == nil {
			t.Errorf("%s: no difference was found", name)
		}
	}
}
