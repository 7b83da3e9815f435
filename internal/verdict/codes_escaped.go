package verdict

// Codes of the benchmark of escaped defects.
const (
	MirrorMissing       Code = "mirror_missing"
	NoLaterFix          Code = "no_later_fix"
	LinkWrongPull       Code = "link_to_other_commit"
	LinkNoLines         Code = "fix_without_lines"
	RevertUnexplained   Code = "revert_without_reason"
	LinkAge             Code = "fix_too_soon_or_late"
	IntroducingTooLarge Code = "introducing_change_too_large"
	IntroducingReworks  Code = "introducing_change_reworks"
	LaterRequirement    Code = "later_requirement"
	IssueOlder          Code = "issue_older_than_change"
	NotReproducible     Code = "neither_test_nor_issue"
	LinesMoved          Code = "lines_moved"
	GradeB              Code = "grade_b"
	FaultNotPlaced      Code = "fault_not_in_diff"
)

// escapedReasons is that benchmark's part of Reasons.
func escapedReasons() []Reason {
	return []Reason{
		{MirrorMissing, StageHistory, "There is no full clone of the repository to read its later history from."},
		{NoLaterFix, StageLink, "No later commit that fixes, reverts or blames leads back to the pull request alone."},
		{LinkWrongPull, StageFilter, "The commit that leads back is not the pull request's merge, or is older than it."},
		{LinkNoLines, StageFilter, "The fix that names the pull request is too large, or changes no production code."},
		{RevertUnexplained, StageFilter, "The pull request was reverted, and the message states no fault."},
		{LinkAge, StageFilter, "The fix came too soon after the merge, or too late."},
		{IntroducingTooLarge, StageFilter,
			"The introducing change has too many files or added lines to be the origin of the fault."},
		{IntroducingReworks, StageFilter, "The title of the introducing change says that it moves or reworks code."},
		{LaterRequirement, StageFilter, "The title of the fix speaks of a requirement that came later, or of no fault."},
		{IssueOlder, StageFilter, "The issue that the fix closes was opened before the introducing pull request."},
		{NotReproducible, StageFilter, "The fix comes with neither a test nor an issue."},
		{LinesMoved, StageFilter, "The introducing change moved or reworked most of the lines that the fix changes."},
		{GradeB, StageGrade, "The link is of grade B, which is right too seldom to be released by rule."},
		{FaultNotPlaced, StagePlace, "The lines of the fault are neither in the reviewed nor in the final diff."},
	}
}
