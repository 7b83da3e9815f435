package run

import (
	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/convert"
)

// Explanation is everything that is known and was decided about one pull
// request. Every filter has answered, also those after a rejection, as far as
// the facts allowed.
type Explanation struct {
	Repository artifacts.RepositoryAudit `json:"repository"`
	Verdicts   []artifacts.VerdictLine   `json:"verdicts"`
	Weights    artifacts.RVSBreakdown    `json:"rvs_weights"` // of the parts of the review value
	Evidence   *artifacts.Evidence       `json:"evidence"`    // nil when the pull request was unavailable
	// NotComputed names what of the evidence was not computed, because what it needs is
	// missing: "scores" or "grade" (difficulty, type and language).
	NotComputed []string `json:"not_computed,omitempty"`
	// Records is how many records its revisions could give, or a dataset has; 0
	// where that is not known.
	Records int `json:"records,omitempty"`
	// Pull is what was said in it; nil when that is not known. Evidence, where
	// there is some, has its comments with more.
	Pull *convert.Seen `json:"pull"`
	// Questions are those that a dataset of files with one fault has of it.
	Questions any `json:"questions,omitempty"`
}

// What Explanation.NotComputed names.
const (
	NoScores = "scores"
	NoGrade  = "grade"
)
