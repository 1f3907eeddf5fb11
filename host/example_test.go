package host_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/ctxplan/ctxplan/abi"
	"github.com/ctxplan/ctxplan/host"
)

// A conversation goes in, and the plan for a question comes out.
func Example() {
	ctx := context.Background()
	// Native needs no module. Without it the engine runs in its sandbox.
	runtime, err := host.New(ctx, host.Native())
	if err != nil {
		log.Fatal(err)
	}
	defer runtime.Close(ctx)
	space, err := runtime.Space(ctx, "owner-7")
	if err != nil {
		log.Fatal(err)
	}
	say := func(role, text string) abi.Message {
		return abi.Message{Role: role, Content: abi.TextContent(text)}
	}
	_, err = space.Append(ctx, &abi.AppendRequest{Thread: "t1", Messages: []abi.Message{
		say(abi.RoleSystem, "Answer briefly."),
		say(abi.RoleUser, "The cellar key hangs behind the boiler."),
		say(abi.RoleAssistant, "Good to know."),
		say(abi.RoleUser, "What colour suits a north room?"),
		say(abi.RoleAssistant, "A warm white."),
		say(abi.RoleUser, "Where is the cellar key?"),
	}})
	if err != nil {
		log.Fatal(err)
	}
	// With eight turns by default, six messages would all be in.
	history := int64(60)
	plan, err := space.Plan(ctx, &abi.PlanRequest{
		Thread:   "t1",
		Budget:   abi.BudgetRequest{History: &history},
		Settings: abi.SettingsPatch{Raw: []byte(`{"recent":{"turns":0}}`)},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, item := range plan.Items {
		fmt.Printf("%s: %s\n", item.Kind, item.Text)
	}
	// Output:
	// instruction: Answer briefly.
	// retrieved: The cellar key hangs behind the boiler.
	// live: Where is the cellar key?
}

// Errors carry a code of the ABI's closed list and the path to the field.
func ExampleError() {
	ctx := context.Background()
	runtime, err := host.New(ctx, host.Native())
	if err != nil {
		log.Fatal(err)
	}
	defer runtime.Close(ctx)
	space, err := runtime.Space(ctx, "owner-7")
	if err != nil {
		log.Fatal(err)
	}
	_, err = space.Append(ctx, &abi.AppendRequest{Thread: "t1", Messages: []abi.Message{{Role: "narrator"}}})
	var e *host.Error
	if errors.As(err, &e) {
		fmt.Println(e.Code, e.Path, e.Retryable)
	}
	fmt.Println(errors.Is(err, &host.Error{Code: abi.CodeInvalidRequest}))
	// Output:
	// invalid_request messages[0].role false
	// true
}

// With a model the plan takes meaning into account as well as words. The engine
// asks, the callback answers.
func ExampleWithModels() {
	ctx := context.Background()
	embed := func(ctx context.Context, need *abi.Need) (*host.Embedding, error) {
		e := &host.Embedding{Model: need.Model}
		for _, text := range need.Texts {
			// A real callback calls a model here.
			e.Vectors = append(e.Vectors, []float32{float32(len(text)), 1})
		}
		return e, nil
	}
	runtime, err := host.New(ctx, host.Native(), host.WithModels(host.Models{Embed: embed}))
	if err != nil {
		log.Fatal(err)
	}
	defer runtime.Close(ctx)
	space, err := runtime.Space(ctx, "owner-7")
	if err != nil {
		log.Fatal(err)
	}
	_, err = space.Configure(ctx, &abi.ConfigureRequest{Settings: abi.SettingsPatch{
		Raw: []byte(`{"models":{"embed":{"model":"my-model","dimension":2}}}`)}})
	if err != nil {
		log.Fatal(err)
	}
	_, err = space.Append(ctx, &abi.AppendRequest{Thread: "t1", Messages: []abi.Message{
		{Role: abi.RoleUser, Content: abi.TextContent("The cellar key hangs behind the boiler.")},
		{Role: abi.RoleAssistant, Content: abi.TextContent("Good to know.")},
	}})
	if err != nil {
		log.Fatal(err)
	}
	progress, err := space.Work(ctx, 100)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d asked, %d accepted, %d open\n", progress.Asked, progress.Accepted, progress.Open)
	// Output:
	// 2 asked, 2 accepted, 0 open
}
