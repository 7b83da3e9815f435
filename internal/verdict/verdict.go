// Package verdict says what was decided about an item and why. A verdict is
// about the data; what went wrong on our side is an error.
package verdict

import "fmt"

// Outcome is what a stage decided about an item.
type Outcome string

// The outcomes. Undetermined stands for data that is missing or cut off: it
// never passes silently. Failed stands for an item that an error of ours kept
// from being decided.
const (
	Pass         Outcome = "pass"
	Reject       Outcome = "reject"
	Undetermined Outcome = "undetermined"
	Failed       Outcome = "failed"
)

// Validate refuses an outcome that is not one of the four.
func (o Outcome) Validate() error {
	switch o {
	case Pass, Reject, Undetermined, Failed:
		return nil
	}
	return fmt.Errorf("%q is not an outcome", string(o))
}

// Evidence is one fact behind a verdict: what was looked at, what was found,
// what was wanted.
type Evidence struct {
	What  string `json:"what"`            // "added lines", "author", "path"
	Found string `json:"found"`           // "912", "dependabot"
	Limit string `json:"limit,omitempty"` // "800"
	URL   string `json:"url,omitempty"`
}

// Verdict is the answer of one stage or filter about one item.
type Verdict struct {
	Outcome  Outcome    `json:"outcome"`
	Code     Code       `json:"code,omitempty"` // "" only for a pass
	Detail   string     `json:"detail,omitempty"`
	Evidence []Evidence `json:"evidence,omitempty"`
}

// OK is a pass with its evidence.
func OK(evidence ...Evidence) Verdict { return Verdict{Outcome: Pass, Evidence: evidence} }

// No is a rejection with its reason; detail is a sentence for a reader.
func No(code Code, detail string, evidence ...Evidence) Verdict {
	return Verdict{Outcome: Reject, Code: code, Detail: detail, Evidence: evidence}
}

// Unknown is an undetermined verdict: the data that it needs is missing.
func Unknown(code Code, detail string, evidence ...Evidence) Verdict {
	return Verdict{Outcome: Undetermined, Code: code, Detail: detail, Evidence: evidence}
}
