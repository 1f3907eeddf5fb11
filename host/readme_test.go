package host_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"
	"testing"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/host"
)

// answer stores what was said and gives the messages of the next request to a model.
func answer(ctx context.Context, runtime *host.Runtime, said []abi.Message, question string) ([]byte, error) {
	space, err := runtime.Space(ctx, "user-42") // one owner, one memory
	if err != nil {
		return nil, err
	}
	if _, err := space.Append(ctx, &abi.AppendRequest{Thread: "t1", Messages: said}); err != nil {
		return nil, err
	}
	window := int64(8000)
	plan, err := space.Plan(ctx, &abi.PlanRequest{
		Thread: "t1",
		Input:  []abi.Message{{Role: abi.RoleUser, Content: abi.TextContent(question)}},
		Budget: abi.BudgetRequest{Window: &window, Output: 1200},
		Render: "openai.chat",
	})
	if err != nil {
		return nil, err // *host.Error, with a code; docs/errors.md says what to do
	}
	return plan.Rendered, nil
}

// What the README shows, run.
func Example_readme() {
	ctx := context.Background()
	runtime, err := host.New(ctx, host.Native())
	if err != nil {
		log.Fatal(err)
	}
	defer runtime.Close(ctx)
	body, err := answer(ctx, runtime, []abi.Message{
		{Role: abi.RoleUser, Content: abi.TextContent("The cellar key hangs behind the boiler.")},
		{Role: abi.RoleAssistant, Content: abi.TextContent("Good to know.")},
	}, "Where is the cellar key?")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", body)
	// Output:
	// {"messages":[{"role":"user","content":"The cellar key hangs behind the boiler."},{"role":"assistant","content":"Good to know."},{"role":"user","content":"Where is the cellar key?"}]}
}

// The README shows the function answer as it stands here.
func TestReadmeShowsWhatIsRun(t *testing.T) {
	source, err := os.ReadFile("readme_test.go")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(source), "\n// answer stores")
	body, _, ok := strings.Cut("// answer stores"+rest, "\n}\n")
	if !ok || !strings.Contains(string(readme), "```go\n"+body+"\n}\n```") {
		t.Error("README.md does not show the function answer of host/readme_test.go")
	}
}
