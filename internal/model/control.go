package model

import "github.com/prforge/prforge/internal/unidiff"

// ControlReason is the evidence against a hunk being clean; "" is none.
type ControlReason string

// The reasons, in the order in which they are looked for.
const (
	ControlChanged      ControlReason = "changed_before_merge"  // the merged diff has other changes there
	ControlCommented    ControlReason = "commented"             // a person commented within reach, at some revision
	ControlPlaceUnknown ControlReason = "comment_place_unknown" // a person commented on the file, nobody knows where
	ControlNotReviewed  ControlReason = "file_not_reviewed"     // nobody who approved the final head commented on the file
	ControlNotInMirror  ControlReason = "not_in_mirror"         // no mirror, or it lacks the merge in its default branch
	ControlTooYoung     ControlReason = "too_young"             // mirror or day of looking end before the time is over
	ControlNotInMerge   ControlReason = "not_in_merge_commit"   // the merge commit's own change does not have it
	ControlReverted     ControlReason = "reverted"              // a later commit reverts the pull request
	ControlNamedLater   ControlReason = "named_later"           // a later message blames the pull request for a fault
	// a later commit shows a fault in the pull request (docs/escaped.md)
	ControlEscaped      ControlReason = "escaped_defect"
	ControlChangedLater ControlReason = "changed_later" // its lines were changed, or its file is gone
	ControlFixedLater   ControlReason = "fixed_later"   // a commit whose message marks a fix touched its lines
)

// ControlReasons lists the reasons in their order.
func ControlReasons() []ControlReason {
	return []ControlReason{ControlChanged, ControlCommented, ControlPlaceUnknown, ControlNotReviewed, ControlNotInMirror,
		ControlTooYoung, ControlNotInMerge, ControlReverted, ControlNamedLater, ControlEscaped, ControlChangedLater,
		ControlFixedLater}
}

// ControlHunk is a hunk of a production file of the diff that a record shows.
type ControlHunk struct {
	Path   string // as the shown diff has it
	Hunk   unidiff.Hunk
	Runs   []unidiff.Run // its changes
	By     []string      // who approved the final head and commented on the file, by login
	Reason ControlReason
}

// DeclinedFinding is a contested comment: substantive, about code that was merged unchanged.
type DeclinedFinding struct {
	CommentID int64
	Because   string // "author_declined", "resolved_by_reviewer"
}
