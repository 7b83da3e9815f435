package run

import (
	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/convert"
)

// Explanation is everything known and decided about one pull request. It has the answers of all filters, also of
// those after a rejection, as far as the facts allow.
type Explanation struct {
	Repository artifacts.RepositoryAudit `json:"repository"`
	Verdicts   []artifacts.VerdictLine   `json:"verdicts"`
	Weights    artifacts.RVSBreakdown    `json:"rvs_weights"` // of the parts of the review value
	Evidence   *artifacts.Evidence       `json:"evidence"`    // nil when the pull request was unavailable
	// NotComputed names the evidence that was not computed because its inputs are missing: "scores" or "grade"
	// (difficulty, type and language).
	NotComputed []string `json:"not_computed,omitempty"`
	// Records is how many records its revisions could give, or a dataset has; 0 if unknown.
	Records int `json:"records,omitempty"`
	// Pull is its conversation; nil if unknown. Evidence, if set, has more about its comments.
	Pull *convert.Seen `json:"pull"`
	// Questions are the questions about it in a dataset of files with one fault.
	Questions any `json:"questions,omitempty"`
}

// The values of Explanation.NotComputed.
const (
	NoScores = "scores"
	NoGrade  = "grade"
)
