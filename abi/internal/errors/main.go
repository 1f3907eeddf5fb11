// Command errors takes the explanations of package abi in and writes docs/errors.md, the page about every error code,
// refusal, reason and warning.
//
//	go run ./internal/errors [file]
//
// It runs in the folder abi, and writes ../docs/errors.md when no file is named.
package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/ctxplan/ctxplan/abi"
)

func main() {
	file := "../docs/errors.md"
	if len(os.Args) > 1 {
		file = os.Args[1]
	}
	if err := os.WriteFile(file, []byte(page()), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, "errors:", err)
		os.Exit(1)
	}
}

const head = `# Errors, refusals, reasons and warnings

Written from ` + "`abi/explain.go`" + ` by ` + "`go generate ./abi/...`" + `; change it there. Programs compare codes and never messages: codes are closed lists, messages are for people and may change.

An error is ` + "`{\"error\":{\"code\",\"message\",\"path\",\"retryable\",\"details\"}}`" + `. The state is then exactly as it was before the request. ` + "`retryable`" + ` says that the same request may succeed later without anybody changing it; the column *again* says what has to change first where that is not so.
`

// section is one list of the page.
type section struct {
	list, title, intro string
	codes              []string
}

func sections() []section {
	return []section{
		{abi.ListErrors, "Errors of the engine", "An op failed.", abi.Codes},
		{abi.ListHostErrors, "Errors of hosts", "The op did not come to its end, and the engine has not answered. The codes are those of whatever runs the engine: package `host`, an SDK, a service.", abi.HostCodes},
		{abi.ListRefusals, "Refusals", "`fulfil` takes each result by itself. A refused one has `status` `refused` and one of these as its `reason`; the others of the request are not touched by it.", abi.Refusals},
		{abi.ListReasons, "Reasons for dropping", "Every message of the thread is in the plan, or it is counted in `dropped_counts` under one of these. They are no errors: most of a long conversation is not in a plan.", abi.Reasons},
		{abi.ListWarnings, "Warnings", "The plan is valid, and its reader should know this. They stand in `warnings` of a plan.", abi.WarningCodes},
		{abi.ListDegraded, "Reasons of `degraded`", "They stand in `reason` of that warning.", abi.DegradedReasons},
	}
}

func page() string {
	var b strings.Builder
	b.WriteString(head)
	for _, s := range sections() {
		b.WriteString("\n## " + s.title + "\n\n" + s.intro + "\n\n| code | what it means | what to do | again |\n|---|---|---|---|\n")
		for _, e := range abi.Explanations {
			if e.List != s.list {
				continue
			}
			again := "no"
			if e.Retry != "" {
				again = e.Retry
			}
			b.WriteString("| `" + e.Code + "` | " + cell(e.Meaning) + " | " + cell(e.Action) + " | " + cell(again) + " |\n")
		}
	}
	return b.String()
}

// cell is text that ends no column.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
