// Command evidence measures how much of the evidence of an evaluation set is in the plans of the engine.
//
//	go run ./host/eval/evidence -data DIR -set locomo10_corrected -budget 1000
//	go run ./host/eval/evidence -data DIR -haystacks FILE -length 120000 -budget 4000
//
// For each budget it prints the number of questions, the mean fraction of evidence turns in the plan / the share of
// questions with all of them, the mean of tokens used, and the times.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/ctxplan/ctxplan/host"
	"github.com/ctxplan/ctxplan/host/eval"
)

type flags struct {
	data, set, types, haystacks, budgets, profile, strategy, engine, wasm string
	length, recent, limit                                                 int
	byType                                                                bool
}

func main() {
	var f flags
	flag.StringVar(&f.data, "data", "", "directory of the sets")
	flag.StringVar(&f.set, "set", "", "name of a set")
	flag.StringVar(&f.types, "types", "", "types of questions, with commas; categories 1 to 4 for LoCoMo unless given")
	flag.StringVar(&f.haystacks, "haystacks", "", "manifest of haystacks, in place of a set")
	flag.IntVar(&f.length, "length", 15000, "length of the haystacks, in tokens")
	flag.IntVar(&f.limit, "limit", 0, "how many conversations, 0 for all")
	flag.StringVar(&f.budgets, "budget", "1000", "tokens of history, with commas")
	flag.StringVar(&f.profile, "profile", "chars4", "token profile")
	flag.StringVar(&f.strategy, "strategy", "fused", "strategy of the plans")
	flag.IntVar(&f.recent, "recent", 0, "recent turns that stay")
	flag.StringVar(&f.engine, "engine", "wasm", "wasm or native")
	flag.StringVar(&f.wasm, "wasm", os.Getenv("CTXPLAN_WASM"), "module to run in place of the one that is built in")
	flag.BoolVar(&f.byType, "by-type", false, "a line for each type of question")
	flag.Parse()
	if err := f.run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "evidence:", err)
		os.Exit(1)
	}
}

func (f *flags) run(ctx context.Context, out io.Writer) error {
	asked, name, err := f.load()
	if err != nil {
		return err
	}
	if f.limit > 0 && len(asked) > f.limit {
		asked = asked[:f.limit]
	}
	rt, err := f.runtime(ctx)
	if err != nil {
		return err
	}
	defer rt.Close(ctx)
	for b := range strings.SplitSeq(f.budgets, ",") {
		budget, err := strconv.ParseInt(b, 10, 64)
		if err != nil {
			return fmt.Errorf("budget %q is not a number", b)
		}
		var r eval.Report
		for _, a := range asked {
			if err := r.Run(ctx, rt, a, eval.Options{Budget: budget, Profile: f.profile, Strategy: f.strategy, RecentTurns: f.recent}); err != nil {
				return err
			}
		}
		r.Tally.Write(out, name+" @"+b+" "+f.strategy+" "+f.engine, f.byType)
		fmt.Fprintf(out, "  plan p50 %s p95 %s, append %.0f messages/s\n", milliseconds(r.Quantile(.5)), milliseconds(r.Quantile(.95)), float64(r.Messages)/r.Append.Seconds())
	}
	return nil
}

func milliseconds(d time.Duration) string {
	return strconv.FormatFloat(float64(d.Microseconds())/1000, 'f', 2, 64) + " ms"
}

func (f *flags) runtime(ctx context.Context) (*host.Runtime, error) {
	switch {
	case f.engine == "native":
		return host.New(ctx, host.Native())
	case f.engine != "wasm":
		return nil, fmt.Errorf("engine %q is neither wasm nor native", f.engine)
	case f.wasm == "":
		return host.New(ctx)
	}
	module, err := os.ReadFile(f.wasm)
	if err != nil {
		return nil, err
	}
	return host.New(ctx, host.WithWasm(module))
}

func (f *flags) load() ([]eval.Asked, string, error) {
	var types []string
	if f.types != "" {
		types = strings.Split(f.types, ",")
	}
	if f.haystacks == "" {
		set, err := eval.Load(f.data, f.set)
		if err != nil {
			return nil, "", err
		}
		if types == nil && strings.HasPrefix(f.set, "locomo") {
			types = eval.LoCoMoTypes
		}
		return set.ByConversation(set.Answerable(types...)), f.set, nil
	}
	hs, err := eval.LoadHaystacks(f.haystacks)
	if err != nil {
		return nil, "", err
	}
	sets, err := eval.LoadSets(f.data, hs)
	if err != nil {
		return nil, "", err
	}
	var out []eval.Asked
	for i := range hs {
		if hs[i].Length != f.length {
			continue
		}
		c, err := hs[i].Build(sets)
		if err != nil {
			return nil, "", err
		}
		out = append(out, eval.Asked{Conversation: c, Questions: hs[i].Ask(sets)})
	}
	return out, strconv.Itoa(f.length), nil
}
