package filters_test

import (
	"fmt"

	"github.com/prforge/prforge/filters"
	"github.com/prforge/prforge/filters/authorship"
	"github.com/prforge/prforge/internal/model"
)

func ExampleAll() {
	registry, err := authorship.New(authorship.Options{})
	if err != nil {
		panic(err)
	}
	open := &model.Candidate{Pull: &model.PullRequest{State: model.Open}}
	first := filters.All(registry, filters.DefaultOptions())[0]
	v := first.Check(open)
	fmt.Println(first.ID(), v.Outcome, v.Code)
	// Output: merged reject not_merged
}
