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
	"github.com/prforge/prforge/internal/languages"
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

// Options are the numbers of spec section 9 and those that it leaves open. Tokens are those of o200k_base.
type Options struct {
	// Budgets are the maximum tokens of each rendered text, unless Whole is set.
	Budgets model.Budgets
	// Whole makes layer 2 show every hunk of the change, the same in A, B and C, as long as the section has at most
	// MaxDiffTokens. Above that, files and hunks are chosen for that room. Files that nobody reads in a review are
	// only named. Around is then the room of each text without layer 2.
	Whole         bool
	MaxDiffTokens int
	Around        model.Budgets
	// SameDiff gives A, B and C the same task, summary, diff and metadata: the diff gets the room of the tightest.
	// Otherwise each text fills its own budget, and the texts also differ in how much of the change they show.
	SameDiff bool
	// ShowDifficulty adds the difficulty to layer 6, as the published v0.4.1 did. It comes from review comments, so
	// it leaks them.
	ShowDifficulty bool
	// SummaryTokens is the maximum of layer 1.
	SummaryTokens int
	// DescriptionTokens is the description's maximum before the other layers had their turn; it gets more if they
	// leave room.
	DescriptionTokens int
	// MaxFiles is how many files layer 2 shows, unless Whole is set.
	MaxFiles int
	// Weights order the files of layer 2.
	Weights Weights
	// Reserve is what layer 2 reserves for the later layers of B and C.
	Reserve Reserve
	// MaxDefinitionTokens is the size from which layer 3 first shows only a definition's signature; it shows the
	// whole if room is left.
	MaxDefinitionTokens int
	// SmallDefinitionTokens is the size up to which callees and callers of the change are shown whole at once.
	SmallDefinitionTokens int
	// MaxCallers is how many callers of one changed definition are shown.
	MaxCallers int
	// MaxRelated is how many fragments of one kind layers 3 to 5 consider. It bounds the work on a change that
	// touches everything.
	MaxRelated int
	// MaxReaders is how many readers of one setting layer 4 lists.
	MaxReaders int
	// SplitLines is the height of the pieces of a hunk that has no smaller definition and no blank line left to cut
	// at.
	SplitLines int
	// Imports bound the work on the import graph.
	Imports imports.Options
}

// Weights are the parts of a file's rank in layer 2, each normalized over the
// files of its class.
type Weights struct{ ChangedLines, CommentDensity, FunctionChanges float64 }

// Reserve is the room in tokens that earlier layers leave to each of these, as far as it can use it.
type Reserve struct{ Execution, Behavior, Tests int }

// DefaultOptions are the numbers of spec section 9.
func DefaultOptions() Options {
	return Options{
		Budgets:               model.Budgets{A: 2000, B: 2200, C: 2500},
		MaxDiffTokens:         24_000,
		Around:                model.Budgets{A: 600, B: 4000, C: 6000},
		SameDiff:              true,
		SummaryTokens:         200,
		DescriptionTokens:     200,
		MaxFiles:              4,
		Weights:               Weights{ChangedLines: 0.5, CommentDensity: 0.3, FunctionChanges: 0.2},
		Reserve:               Reserve{Execution: 450, Behavior: 120, Tests: 300},
		MaxDefinitionTokens:   500,
		SmallDefinitionTokens: 120,
		MaxCallers:            5,
		MaxRelated:            60,
		MaxReaders:            4,
		SplitLines:            12,
		Imports:               imports.DefaultOptions(languages.All()),
	}
}
