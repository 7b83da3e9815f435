// Package verdict defines the decisions about items and their reasons. A verdict is about the data; a failure on our
// side is an error.
package verdict

import "fmt"

// Code is a stable reason code, in snake case. Codes are never renamed: people
// count them.
type Code string

// Reason describes a code: docs/reasons.md is made from this table.
type Reason struct {
	Code  Code
	Stage string // the stages that give it, separated by ", "; or the rules of comments
	Text  string // one sentence for a reader
}

// Outcome is what a stage decided about an item.
type Outcome string

// The outcomes. Undetermined means missing or truncated data: it never passes silently. Failed means an item that
// could not be decided because of an error of ours.
const (
	OutcomePass         Outcome = "pass"
	OutcomeReject       Outcome = "reject"
	OutcomeUndetermined Outcome = "undetermined"
	OutcomeFailed       Outcome = "failed"
)

// Validate rejects an outcome that is not one of the four.
func (o Outcome) Validate() error {
	switch o {
	case OutcomePass, OutcomeReject, OutcomeUndetermined, OutcomeFailed:
		return nil
	}
	return fmt.Errorf("%q is not an outcome", string(o))
}

// Evidence is one fact behind a verdict: what was checked, the value found, the value expected.
type Evidence struct {
	What  string `json:"what"`            // "added lines", "author", "path"
	Found string `json:"found"`           // "912", "dependabot"
	Limit string `json:"limit,omitempty"` // "800"
	URL   string `json:"url,omitempty"`
}

// Verdict is the decision of one stage or filter about one item.
type Verdict struct {
	Outcome  Outcome    `json:"outcome"`
	Code     Code       `json:"code,omitempty"` // "" only for a pass
	Detail   string     `json:"detail,omitempty"`
	Evidence []Evidence `json:"evidence,omitempty"`
}

// Pass is a pass with its evidence.
func Pass(evidence ...Evidence) Verdict { return Verdict{Outcome: OutcomePass, Evidence: evidence} }

// Reject is a rejection with its reason; detail is a sentence for a reader.
func Reject(code Code, detail string, evidence ...Evidence) Verdict {
	return Verdict{Outcome: OutcomeReject, Code: code, Detail: detail, Evidence: evidence}
}

// Undetermined is the verdict about an item that lacks needed data.
func Undetermined(code Code, detail string, evidence ...Evidence) Verdict {
	return Verdict{Outcome: OutcomeUndetermined, Code: code, Detail: detail, Evidence: evidence}
}

// Fail is the verdict about an item that an error of ours kept from a decision. Its sentence depends on the code: it
// never contains the error's text, which differs from run to run.
func Fail(code Code, detail string) Verdict {
	return Verdict{Outcome: OutcomeFailed, Code: code, Detail: detail}
}

// Decision is one stage's verdict about an item.
type Decision struct {
	Stage string `json:"stage"`
	Verdict
}
