package run

import (
	"context"
	"io"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/verify"
	"github.com/prforge/prforge/stages/evaluate"
)

// Benchmark is one kind of dataset, with its package's implementation of what prforge does with any dataset.
type Benchmark struct {
	Name artifacts.Benchmark // the manifest's word
	Unit string              // one of the items that a build looks at: pull request, script

	// Verify recomputes what the files of a dataset allow and compares.
	Verify func(ctx context.Context, dir string, m *artifacts.Manifest) (*verify.Report, error)
	// Format is the layout of the published benchmark of its kind, whose defects VerifyPublished names; "" for none.
	Format          string
	VerifyPublished func(ctx context.Context, path string) (*verify.Report, error)
	// Shown reads what the records show, for snapshots; nil if these are not made of them.
	Shown verify.ShownOf
	// Build builds a dataset and freezes it, also from the raw records of a dataset; nil if that needs more than a
	// session.
	Build func(context.Context, *Session) (*Report, error)
	// DecidesAgain says that Verify already repeats every decision from the raw records, so that only a check of
	// every byte rebuilds the dataset.
	DecidesAgain bool
	// Explain adds to an explanation what a dataset holds about a pull request, or about a further record of one. It
	// reports whether that is everything known about it. It is nil if a dataset holds only the decision.
	Explain func(dir string, out *Explanation, is func(repo string, number int) bool, record int) (bool, error)
	// ExplainItem returns what a dataset holds about an item by its name; nil if the items are pull requests, which
	// Explain serves.
	ExplainItem func(dir, name string) (any, error)
	// Figures returns the figures of an audit, as a value for JSON. People see its text if it is a fmt.Stringer; so too
	// with ExplainItem.
	Figures func(*load.Reader) (any, error)
	// Page writes the page of an audit, in one file if create is nil. A nil Page means the page of pull requests.
	Page func(w io.Writer, r *load.Reader, create func(string) (io.WriteCloser, error)) error
	// EvidenceDir is the folder of a dataset that holds its evidence.
	EvidenceDir string
	// Evaluated says how reviewers are evaluated on it; without Items they are not.
	Evaluated evaluate.Benchmark
}
