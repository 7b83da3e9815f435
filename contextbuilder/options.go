package contextbuilder

import (
	"github.com/prforge/prforge/internal/imports"
	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/internal/model"
)

// Options are the numbers of spec section 9 and what they leave open. Tokens
// are those of o200k_base.
type Options struct {
	// Budgets are the most tokens that each rendered text may have, unless Whole is set.
	Budgets model.Budgets
	// Whole has layer 2 show every hunk of the change, the same in A, B and C, as long
	// as the section has at most MaxDiffTokens; above it files and hunks are chosen,
	// with that room. Files that nobody reads in a review are named instead. Around
	// is then the room of each text without layer 2.
	Whole         bool
	MaxDiffTokens int
	Around        model.Budgets
	// SameDiff gives A, B and C the same task, summary, diff and metadata: the
	// diff takes what the tightest of them leaves it. Otherwise each text fills
	// its own budget, and what separates them is also how much of the change
	// they show.
	SameDiff bool
	// ShowDifficulty puts the difficulty into layer 6, as the published v0.4.1
	// did. It is derived from review comments, so it leaks.
	ShowDifficulty bool
	// SummaryTokens is the most that layer 1 says.
	SummaryTokens int
	// DescriptionTokens is what the description may take before the other
	// layers had their turn; it gets more when they leave room.
	DescriptionTokens int
	// MaxFiles is how many files layer 2 shows, unless Whole is set.
	MaxFiles int
	// Weights order the files of layer 2.
	Weights Weights
	// Reserve is what layer 2 leaves to the later layers of B and C.
	Reserve Reserve
	// MaxDefinitionTokens is the size from which a definition of layer 3 is first
	// shown by its signature; it is shown whole when room is left.
	MaxDefinitionTokens int
	// SmallDefinitionTokens is the size up to which what the change calls, and
	// what calls it, is shown whole at once.
	SmallDefinitionTokens int
	// MaxCallers is how many callers of one changed definition are shown.
	MaxCallers int
	// MaxRelated is how many fragments of one kind are considered for layers 3
	// to 5; it bounds the work on a change that touches everything.
	MaxRelated int
	// MaxReaders is how many places that read one setting layer 4 lists.
	MaxReaders int
	// SplitLines is the height of the pieces into which a hunk is cut where no
	// smaller definition and no blank line is left.
	SplitLines int
	// Imports bound the work on the import graph.
	Imports imports.Options
}

// Weights are the parts of a file's rank in layer 2, each normalized over the
// files of its class.
type Weights struct{ ChangedLines, CommentDensity, FunctionChanges float64 }

// Reserve is the room in tokens that the layers before leave to each of these,
// as far as it has something to say.
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
