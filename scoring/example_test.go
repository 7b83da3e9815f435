package scoring_test

import (
	"fmt"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/scoring"
)

// The paper's own example, dask/dask#12221.
func ExampleRVS() {
	r := scoring.RVS(model.RVSInputs{
		Substantive: 2, Threads: 3, Files: 2, ChangedLines: 156, Directories: 2, AnsweredThreads: 1, Reviewers: 2, TestsModified: true,
	}, scoring.DefaultRVSOptions())
	fmt.Println(r.Depth, r.Complexity, r.Discussion, r.Test, r.Bug, r.Score)
	// Output: 0.325 0.314 0.2 1 0 0.334
}
