// Package contextbuilder makes the three frozen texts of a pull request that
// reviewers under test read (spec section 9): A holds the task, a summary, the
// diff and metadata; B adds the code around the change and what configures it;
// C adds the signatures of its tests.
//
// A text is a pure function of Input and Options. Input has no field for reviews, labels, scores or dates, so these
// cannot enter the texts. Nothing is cut in the middle: every fragment is whole or left out, and unused room flows on
// to the next.
//
// build.go lays the texts out: study.go reads what changed and what is around it,
// each layer of a text is a file (layer 6 is beside layer 0; of layer 3, enclosing.go
// holds the changed code itself and callers.go who uses it), and budget.go shares the
// room among them. Below these are render.go, the published form, change.go, what is
// known of a changed file, hunks.go, how hunks are split, related.go, what finds code
// around the change, and excerpt.go, how pieces of source files are shown. A file
// uses only files below it.
package contextbuilder

import (
	"fmt"

	"github.com/prforge/prforge/contextbuilder/tokens"
	"github.com/prforge/prforge/internal/imports"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/unidiff"
)

// Config names one of the three texts.
type Config string

// The three configurations.
const (
	A Config = "A"
	B Config = "B"
	C Config = "C"
)

// Input is everything that a context depends on. It has no reviews, comments, labels, scores or dates.
type Input struct {
	Repo        model.RepoRef
	Title       string
	Description string // as the author wrote it
	// Diff is the pull request's, parsed from the text that is released.
	Diff *unidiff.Diff
	// Base is the tree of the commit that the diff is against. If it is nil because it was unavailable, layers 3 to 5
	// are left out.
	Base         model.Snapshot
	Language     string
	PRType       string
	FilesChanged int
	// Summary is a model's text for layer 1; "" asks for the rules' own.
	Summary string
	// Difficulty is only shown, and only with Options.ShowDifficulty.
	Difficulty model.Difficulty
}

// Context is one frozen text.
type Context struct {
	Config   Config
	Rendered string // valid UTF-8
	Tokens   int    // of Rendered, in o200k_base
	Layers   []LayerReport
}

// LayerReport describes one layer of a text.
type LayerReport struct {
	Layer     int
	Tokens    int  // of its section, with heading and separator; 0 when left out
	Fragments int  // hunks, definitions, statements or lines shown
	LeftOut   int  // fragments that were known and did not fit
	Filled    bool // it is in the text with more than its heading
}

// Result is the result of Build.
type Result struct {
	A, B, C Context
	// Problems are what made the texts poorer, by path: files that could not be read or parsed, hunks too large for
	// any room.
	Problems []string
}

// Builder makes contexts. Build does not change it, so any number of goroutines may share one.
type Builder struct {
	opts    Options
	counter *tokens.Counter
	cache   *imports.Cache
}

// NewBuilder makes a builder. Other builders of import graphs of the same repositories may share the cache.
func NewBuilder(opts Options, counter *tokens.Counter, cache *imports.Cache) *Builder {
	return &Builder{opts: opts, counter: counter, cache: cache}
}

// mismatchError says that the diff is not against the base commit given.
type mismatchError struct {
	Path   string
	Commit string
	Err    error // the first line that does not fit
}

func (e *mismatchError) Error() string {
	return fmt.Sprintf("the diff of %s does not apply to base commit %s: %v", e.Path, e.Commit, e.Err)
}

func (e *mismatchError) Unwrap() error { return e.Err }
