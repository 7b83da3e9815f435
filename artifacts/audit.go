package artifacts

import (
	"fmt"

	"github.com/prforge/prforge/internal/verdict"
)

// Kind says what a decision is about.
type Kind string

// The kinds of audit/decisions.jsonl.
const (
	KindRepository  Kind = "repository"
	KindPullRequest Kind = "pull_request"
	KindRevision    Kind = "revision" // a further record of a pull request, which shows another of its revisions
	KindFile        Kind = "file"     // a file of a pull request (bugs)
	KindScript      Kind = "script"   // a script, or a fault injected into it (debugging)
)

// Fate is the final outcome of a repository or a pull request.
type Fate string

// The four fates (spec section 10). For a repository, selected means that it
// passed its gate.
const (
	Selected     Fate = "selected"
	Rejected     Fate = "rejected"
	Undetermined Fate = "undetermined"
	Failed       Fate = "failed"
)

// Decision is one line of audit/decisions.jsonl: one for every repository and every pull request examined.
type Decision struct {
	Kind     Kind               `json:"kind"`
	Repo     string             `json:"repo"`
	PRNumber *int               `json:"pr_number"`      // null where it is about no pull request
	Item     string             `json:"item,omitempty"` // a file's path, a script's id, "@2" of a further record
	Stage    string             `json:"stage"`          // the stage or filter that decided
	Outcome  Fate               `json:"outcome"`
	Code     verdict.Code       `json:"code"` // "" when selected
	Detail   string             `json:"detail"`
	Evidence []verdict.Evidence `json:"evidence"`
}

// Rejection is one line of audit/rejections.jsonl: a rejected decision with
// all verdicts up to it.
type Rejection struct {
	Decision
	Verdicts []VerdictLine `json:"verdicts"`
}

// Mark is the RecordMark of what the decision is about.
func (d *Decision) Mark() string {
	if d.Kind == KindRevision {
		return d.Item
	}
	return ""
}

// Name is the decision's subject: OWNER/NAME, OWNER/NAME#N, or OWNER/NAME#N@2 for a further record.
func (d *Decision) Name() string {
	if d.PRNumber == nil || d.Kind == KindRepository {
		return d.Repo
	}
	return fmt.Sprintf("%s#%d%s", d.Repo, *d.PRNumber, d.Mark())
}

// Filled is the rejection with empty lists instead of null.
func (r Rejection) Filled() Rejection {
	r.Evidence = validEvidence(r.Evidence)
	if r.Verdicts == nil {
		r.Verdicts = []VerdictLine{}
	}
	return r
}

// RepositoryAudit is one line of audit/repositories.jsonl: the Repository
// Quality Score and its parts (spec section 3).
type RepositoryAudit struct {
	Repo     string       `json:"repo"`
	Asked    string       `json:"asked"` // the name in the configuration
	Outcome  Fate         `json:"outcome"`
	Code     verdict.Code `json:"code"`
	Detail   string       `json:"detail"`
	RQS      *Float       `json:"rqs"`     // 0-100, the sum of the measured parts; null if unknown
	Best     *Float       `json:"best"`    // the score if every missing part had full marks
	Parts    []ScorePart  `json:"parts"`   // in the order of the table
	Missing  []string     `json:"missing"` // parts that could not be measured
	SPDX     *string      `json:"spdx"`
	Copyleft bool         `json:"copyleft"`
	Stars    int          `json:"stars"`
	Language string       `json:"language"`
}

// ScorePart is one component of the Repository Quality Score.
type ScorePart struct {
	Name   string  `json:"name"`   // review_culture, pr_recency, ...
	Points *Float  `json:"points"` // null when missing
	Max    Float   `json:"max"`
	Inputs []Input `json:"inputs"` // what was counted
	Note   string  `json:"note"`   // why it is missing, or what would raise it
}

// Input is one number that a score was made from.
type Input struct {
	Name  string `json:"name"`
	Value Float  `json:"value"`
}

// FateOf returns the audit's word for an outcome.
func FateOf(o verdict.Outcome) Fate {
	switch o {
	case verdict.OutcomePass:
		return Selected
	case verdict.OutcomeReject:
		return Rejected
	case verdict.OutcomeUndetermined:
		return Undetermined
	}
	return Failed
}
