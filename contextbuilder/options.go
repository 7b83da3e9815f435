package contextbuilder

import (
	"github.com/prforge/prforge/internal/imports"
	"github.com/prforge/prforge/internal/languages"
	"github.com/prforge/prforge/internal/model"
)

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
