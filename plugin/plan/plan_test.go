package plan

import (
	"fmt"
	"math"
	"testing"

	"github.com/ctxplan/ctxplan/abi"
)

func window(n int64) *int64 { return &n }

func TestAccount(t *testing.T) {
	a, _ := Open(&abi.BudgetRequest{Window: window(8000), Output: 1200, Margin: 500}, 1500, 0, 900, 150)
	if a.History != 3750 {
		t.Fatalf("history %d, want 3750", a.History)
	}
	b := a.Ledger(abi.Used{Instructions: 250, Pinned: 500, Retrieved: 300, Recent: 1800})
	if b.Total != 7100 || b.Free != 900 {
		t.Fatalf("total %d free %d, want 7100 and 900", b.Total, b.Free)
	}
	if need, have := a.Need(4000); need != 8250 || have != 8000 {
		t.Fatalf("need %d have %d", need, have)
	}
}

func TestAccountOfAHistory(t *testing.T) {
	a, _ := Open(&abi.BudgetRequest{History: window(1000)}, 100, 20, 30, 40)
	if a.History != 1000 || a.Window != 1190 {
		t.Fatalf("%+v", a)
	}
	if b := a.Ledger(abi.Used{Recent: 990}); b.Free != 10 || b.Total != 1180 {
		t.Fatalf("%+v", b)
	}
	if need, have := a.Need(1001); need != 1001 || have != 1000 {
		t.Fatalf("need %d have %d", need, have)
	}
}

// Numbers near the largest integer saturate and never wrap.
func TestSaturation(t *testing.T) {
	big := int64(abi.MaxInteger)
	a, _ := Open(&abi.BudgetRequest{Window: &big, Output: big, Margin: big}, big, big, big, big)
	if a.History >= 0 || a.History < -6*big {
		t.Fatalf("history %d", a.History)
	}
	if _, ok := Open(&abi.BudgetRequest{History: &big}, 5, 0, 0, 0); ok {
		t.Fatal("an account above the largest integer is opened")
	}
	less := big - 5
	if a, ok := Open(&abi.BudgetRequest{History: &less}, 5, 0, 0, 0); !ok || a.Window != big {
		t.Fatalf("%+v %v", a, ok)
	}
	if need, _ := a.Need(math.MaxInt64); need != abi.MaxInteger {
		t.Fatalf("need %d", need)
	}
	low := int64(-abi.MaxInteger)
	if b, ok := Open(&abi.BudgetRequest{Window: &low}, 0, 0, 0, big); !ok || b.History != -2*abi.MaxInteger {
		t.Fatalf("history %d", b.History)
	}
}

func TestCover(t *testing.T) {
	for _, c := range []struct {
		fates []uint8
		want  string
	}{
		{nil, "[] []"}, {[]uint8{0}, "[] [[1 1]]"}, {[]uint8{3}, "[[1 1]] []"},
		{[]uint8{0, 1, 2, 0, 0, 4}, "[[2 3] [6 6]] [[1 1] [4 5]]"},
		{[]uint8{9, 9}, "[] []"}, {[]uint8{9, 1, 9, 2, 9, 0, 9}, "[[2 2] [4 4]] [[6 6]]"},
	} {
		got := Cover(c.fates, 9)
		if s := fmt.Sprint(got.Verbatim, got.Dropped); s != c.want || got.Summarised == nil {
			t.Errorf("%v: %s, want %s", c.fates, s, c.want)
		}
	}
}
