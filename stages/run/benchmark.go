package run

import (
	"context"
	"io"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
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
	// ExplainItem says what a dataset holds of a thing by its name; nil where these
	// are pull requests, which Explain is for.
	ExplainItem func(dir, name string) (any, error)
	// Figures are those of an audit, which can be written as JSON.
	Figures func(*load.Reader) (any, error)
	// Page writes the page of an audit, in one file where create is nil; nil for the
	// page of pull requests.
	Page func(w io.Writer, r *load.Reader, create func(string) (io.WriteCloser, error)) error
	// EvidenceDir is the folder of a dataset that holds its evidence.
	EvidenceDir string
	// Evaluated is how reviewers are evaluated on it; without Items they are not.
	Evaluated evaluate.Benchmark
}
