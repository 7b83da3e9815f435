package run

import (
	"context"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/verify"
	"github.com/prforge/prforge/stages/evaluate"
)

// Benchmark is one kind of dataset: what prforge does with any dataset, as the
// package of its benchmark does it.
type Benchmark struct {
	Name artifacts.Benchmark // the manifest's word

	// Verify checks the dataset in a folder against all that can be recomputed
	// from its files.
	Verify func(ctx context.Context, dir string, m *artifacts.Manifest) (*verify.Report, error)
	// Build builds a dataset and freezes it, also again from the raw records of one;
	// nil where that needs more than a session.
	Build func(context.Context, *Session) (*Report, error)
	// DecidesAgain says that Verify already decides everything again from the raw
	// records, so that only a check of every byte builds the dataset again.
	DecidesAgain bool
	// Explain adds to an explanation what a dataset holds of a pull request that
	// it took, or of a further record of one. It reports whether that is
	// everything that is known of it. nil where a dataset holds no more than the
	// decision.
	Explain func(dir string, out *Explanation, is func(repo string, number int) bool, record int) (bool, error)
	// Evaluated is how reviewers are evaluated on it; without Items they are not.
	Evaluated evaluate.Benchmark
}
