package main

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// The test binary is the command itself when this variable is set.
const mainVariable = "CTXPLAN_TEST_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(mainVariable) != "" {
		main()
	}
	os.Exit(m.Run())
}

// result is what became of a run.
type result struct {
	code     int
	out, err string
}

// ctxplan runs the command as a process of its own, in the folder of the test
// data.
func ctxplan(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), mainVariable+"=yes")
	cmd.Dir = "testdata"
	cmd.Stdin = strings.NewReader(stdin)
	var out, errors bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errors
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return result{cmd.ProcessState.ExitCode(), out.String(), errors.String()}
}

// native runs an op natively, which needs no module.
func native(t *testing.T, stdin, command string, args ...string) result {
	t.Helper()
	return ctxplan(t, stdin, append([]string{command, "--engine", "native"}, args...)...)
}

// write makes a file for one test and gives its path.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// golden compares with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; -update writes it anew\ngot:\n%s", path, got)
	}
}

func TestWrongUsage(t *testing.T) {
	good := []string{"--messages", "talk.jsonl", "--ask", "Why?", "--budget", "300"}
	with := func(more ...string) []string { return append(append([]string{"plan"}, good...), more...) }
	for _, c := range []struct {
		name string
		args []string
		says string
	}{
		{"nothing", nil, "usage: ctxplan COMMAND"},
		{"unknown command", []string{"plann"}, `there is no command "plann"`},
		{"unknown flag", with("--colour"), "not defined: --colour"},
		{"flag without its value", []string{"plan", "--messages"}, "needs an argument: --messages"},
		{"number that is none", with("--output", "many"), `invalid value "many"`},
		{"word beside the flags", with("more"), `unexpected "more"`},
		{"no messages", []string{"plan", "--budget", "300"}, "--messages is missing"},
		{"no budget", []string{"plan", "--messages", "talk.jsonl"}, "--budget or --window is missing"},
		{"two budgets", with("--window", "900"), "--budget and --window exclude each other"},
		{"output beside a budget", with("--output", "9"), "--output and --margin belong to --window"},
		{"margin beside a budget", with("--margin", "0"), "--output and --margin belong to --window"},
		{"format", with("--format", "yaml"), "--format is text, json, openai.chat, "},
		{"name that is empty", with("--acl", "a,,b"), "--acl has an empty name"},
		{"label without a value", with("--labels", "house"), `not "house"`},
		{"label twice", with("--labels", "house=7,house=8"), `--labels has "house" twice`},
		{"engine", with("--engine", "jvm"), "--engine is wasm or native"},
		{"empty question", []string{"plan", "--messages", "talk.jsonl", "--ask", " ", "--budget", "9"}, "--ask is empty"},
		{"standard input twice", []string{"plan", "--messages", "-", "--system", "-", "--budget", "9"}, "the standard input can be read only once"},
		{"seed of a native engine", []string{"abi", "--engine", "native", "--seed", "1"}, "--seed is for --engine wasm"},
		{"interpreter of a native engine", []string{"abi", "--engine", "native", "--interpreter"}, "--interpreter is for --engine wasm"},
		{"module of a native engine", []string{"describe", "--engine", "native", "--wasm", "x"}, "--wasm is for --engine wasm"},
		{"seed of a plan", with("--seed", "1"), "not defined: --seed"},
		{"version of something", []string{"version", "abi"}, `unexpected "abi"`},
		{"help for what is not there", []string{"help", "plann"}, `there is no command "plann"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := ctxplan(t, "{}", c.args...)
			if r.code != exitUsage || r.out != "" || !strings.Contains(r.err, c.says) {
				t.Errorf("exit code %d, output %q, errors:\n%s", r.code, r.out, r.err)
			}
		})
	}
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"help"}, {"--help"}, {"-h"}} {
		if r := ctxplan(t, "", args...); r.code != exitOK || !strings.Contains(r.out, "\n  plan ") || r.err != "" {
			t.Errorf("%q: exit code %d\n%s%s", args, r.code, r.out, r.err)
		}
	}
	for _, c := range []string{"plan", "abi", "describe", "version", "help"} {
		r := ctxplan(t, "", c, "--help")
		if r.code != exitOK || !strings.Contains(r.out, "usage: ctxplan "+c) || !strings.Contains(r.out, "\nexample:\n  ") || r.err != "" {
			t.Errorf("%s: exit code %d\n%s%s", c, r.code, r.out, r.err)
		}
		if again := ctxplan(t, "", "help", c); again != r {
			t.Errorf("help %s and %s --help differ", c, c)
		}
	}
	golden(t, "help-plan.txt", ctxplan(t, "", "help", "plan").out)
}

func TestDescribeAndVersion(t *testing.T) {
	r := native(t, "", "describe")
	if r.code != exitOK || !strings.HasPrefix(r.out, `{"abi":"0.`) || !strings.HasSuffix(r.out, "}}\n") || r.err != "" {
		t.Errorf("describe: exit code %d\n%s%s", r.code, r.out, r.err)
	}
	if filter := native(t, `{"op":"describe","in":{}}`, "abi"); filter.out != r.out {
		t.Error("describe and the filter differ")
	}
	if r := ctxplan(t, "", "version"); r.code != exitOK || !strings.HasPrefix(r.out, "ctxplan 0.") || !strings.Contains(r.out, "ABI 0.") {
		t.Errorf("version: exit code %d\n%s%s", r.code, r.out, r.err)
	}
}

// The variable names the module where no flag does.
func TestModuleOfTheEnvironment(t *testing.T) {
	t.Setenv(moduleVariable, write(t, "module", "no module"))
	if r := ctxplan(t, "", "describe"); r.code != exitFailed || !strings.Contains(r.err, "unavailable: the module could not be compiled") {
		t.Errorf("variable: exit code %d, %s", r.code, r.err)
	}
	if r := ctxplan(t, "", "describe", "--wasm", "none"); r.code != exitFailed || !strings.Contains(r.err, "open none: ") {
		t.Errorf("flag and variable: exit code %d, %s", r.code, r.err)
	}
	if r := native(t, "", "describe"); r.code != exitOK {
		t.Errorf("native: exit code %d, %s", r.code, r.err)
	}
}
