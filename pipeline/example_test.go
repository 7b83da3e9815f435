package pipeline_test

import (
	"context"
	"fmt"

	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
)

// short passes words of at most five letters.
type short struct{}

func (short) Name() string { return "short" }

func (short) Run(_ context.Context, word string) (verdict.Verdict, error) {
	if len(word) > 5 {
		return verdict.Reject("too_long", "more than five letters"), nil
	}
	return verdict.Pass(), nil
}

func ExampleRun() {
	results, err := pipeline.Run(context.Background(), []pipeline.Stage[string]{short{}}, []string{"hello", "everybody"}, pipeline.Options{Workers: 2})
	if err != nil {
		panic(err)
	}
	for _, r := range results {
		last := r.Decisions[len(r.Decisions)-1]
		fmt.Println(r.Item, last.Stage, last.Code, last.Outcome)
	}
	// Output:
	// hello short  pass
	// everybody short too_long reject
}
