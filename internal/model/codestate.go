package model

// CodeState is the state of the code under a comment, from the comment's commit to the pull request's final head.
type CodeState string

// The states, in the order in which they are decided: the first that holds.
const (
	StateApplied       CodeState = "applied"        // a suggestion of the comment was taken over
	StateFileGone      CodeState = "file_gone"      // the file is not in the final diff
	StateEdited        CodeState = "edited"         // a commented line was changed
	StateNear          CodeState = "near"           // 1 to 3 lines away something was changed
	StateAround        CodeState = "around"         // 4 to 10 lines away
	StateFar           CodeState = "far"            // further away
	StateUntouched     CodeState = "untouched"      // nothing of the file was changed
	StateAtHead        CodeState = "at_head"        // it was written on the final head
	StateEditedText    CodeState = "edited_text"    // the commit is lost; the commented text is gone
	StateUntouchedText CodeState = "untouched_text" // the commit is lost; the text is there once
	StateUnknown       CodeState = "unknown"
)

// CodeStates lists all states in order.
func CodeStates() []CodeState {
	return []CodeState{StateApplied, StateFileGone, StateEdited, StateNear, StateAround, StateFar, StateUntouched,
		StateAtHead,
		StateEditedText, StateUntouchedText, StateUnknown}
}

// Addressed reports whether the state says that the commented code was changed.
func (s CodeState) Addressed() bool {
	return s == StateApplied || s == StateEdited || s == StateNear || s == StateEditedText
}

// Standing reports whether the state says that the commented code is unchanged in the final diff. StateAround,
// StateFileGone and StateUnknown are neither addressed nor standing.
func (s CodeState) Standing() bool {
	return s == StateUntouched || s == StateFar || s == StateAtHead || s == StateUntouchedText
}

// Validation is the evidence that a comment was right: what the author then did. The order is that of the grades,
// best first.
type Validation string

// The grades.
const (
	ValidApplied            Validation = "applied"                 // a suggestion was taken over
	ValidEditedAcknowledged Validation = "edited_and_acknowledged" // the code was changed and the author said so
	ValidEdited             Validation = "edited"                  // the code was changed
	ValidAcknowledged       Validation = "acknowledged"            // the author agreed in words alone
	ValidNone               Validation = "none"
	ValidDeclined           Validation = "declined" // the author refused
)

// Validations lists all grades in order.
func Validations() []Validation {
	return []Validation{ValidApplied, ValidEditedAcknowledged, ValidEdited, ValidAcknowledged, ValidNone, ValidDeclined}
}

// Holds reports whether the grade counts as validated: the author acted on the
// comment.
func (v Validation) Holds() bool {
	return v == ValidApplied || v == ValidEditedAcknowledged || v == ValidEdited
}

// CommentState is the state of the code under one comment.
type CommentState struct {
	CommentID int64      `json:"comment_id"`
	State     CodeState  `json:"state"`
	Distance  *int       `json:"distance"` // lines to the nearest change; nil where it was not measured
	Method    string     `json:"method"`   // "commit", "text", or "" where nothing could be compared
	Valid     Validation `json:"validation"`
	// Elsewhere is a path or name in the comment that changed since, more than 10 lines away: "" if there is none,
	// nil if unknown.
	Elsewhere *string `json:"elsewhere"`
}
