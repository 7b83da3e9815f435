package model

import "time"

// The facts of a default branch that escaped defects are found by, and the
// records of that benchmark.

// LaterHistory is the later fate, in a default branch, of the changes of a window.
type LaterHistory struct {
	Tip     string          `json:"tip"`     // the last commit that was looked at
	Units   map[string]Unit `json:"units"`   // of the first-parent line, by id: those that Commits refer to
	Commits []LaterCommit   `json:"commits"` // that may repair, revert or blame an earlier one, oldest first
}

// Unit is a commit of the first-parent line: a merge with all that it brings, or
// one commit.
type Unit struct {
	Subject string     `json:"subject"`
	Body    string     `json:"body"`
	At      time.Time  `json:"at"`
	Pull    CommitPull `json:"-"` // what GitHub says beside
}

// CommitPull is what GitHub says of the pull request that brought a commit in; the
// zero value where there is none, or nobody was asked.
type CommitPull struct {
	Number int           `json:"number"`
	Title  string        `json:"title"`
	Body   string        `json:"body"`
	Labels []string      `json:"labels"`
	Issues []LinkedIssue `json:"issues"` // that it closes
}

// LinkedIssue is an issue that a pull request closes.
type LinkedIssue struct {
	Number int    `json:"number"`
	Title  string `json:"title"`
	Body   string `json:"body"`
}

// LaterCommit is a commit of the first-parent line with what it changes.
type LaterCommit struct {
	Oid string `json:"oid"`
	Unit
	Refs   map[string]string `json:"refs,omitempty"` // ids that the message names, and their units
	Change FixChange         `json:"change"`
}

// FixChange is the production code that a commit changes. Lines are code lines:
// no comments, imports or lone braces.
type FixChange struct {
	Files   int          `json:"files"`
	Deleted int          `json:"deleted"`
	Added   int          `json:"added"`
	Tests   bool         `json:"tests"`   // it changes tests, too
	Extends bool         `json:"extends"` // it keeps every word of the lines that it deletes
	Lines   []OriginLine `json:"lines"`   // deleted ones, or where it only adds, those around the insertions
}

// OriginLine is a line of the commit's first parent and who wrote it.
type OriginLine struct {
	Path string `json:"path"`
	Line int    `json:"line"`
	Text string `json:"text"`
	Near bool   `json:"near,omitempty"` // not deleted: close to an insertion
	Unit string `json:"unit"`           // that brought the line in
	From string `json:"from"`           // its path in that unit
}

// EscapedQuestion is a line of escaped/questions.jsonl: all that a reviewer may
// see.
type EscapedQuestion struct {
	QuestionID  string       `json:"question_id"`
	Title       string       `json:"title"`
	Description string       `json:"description"` // at that time; "" where it is not known
	Diff        string       `json:"diff"`        // the whole change at the shown revision
	Contexts    []BugContext `json:"contexts"`    // A, B and C
}

// EscapedAnswer is a line of escaped/answers.jsonl: the fault that the reviewers
// of a pull request let through, and what says so.
type EscapedAnswer struct {
	QuestionID string `json:"question_id"`
	Repo       string `json:"repo"`
	PRNumber   int    `json:"pr_number"`
	Language   string `json:"language"`
	MergedAt   string `json:"merged_at"`
	Revision   string `json:"revision"` // reviewed: the last that was approved; final: the merged head
	Head       string `json:"head"`     // the commit that is shown
	Base       string `json:"base"`     // its fork point
	// Kind is lines, where the fault is in lines that the change adds, or omission,
	// where code is missing beside them.
	Kind      string      `json:"kind"`
	Lines     []FaultLine `json:"lines"` // of the shown diff, right side
	Statement string      `json:"statement"`
	Symptom   string      `json:"symptom"` // the statement without names, numbers and the cure
	Source    string      `json:"source"`  // of the statement: fix, revert or issue
	Fix       string      `json:"fix"`     // the commit
	FixPR     int         `json:"fix_pr"`  // its pull request; 0 where git has no number
	FixedAt   string      `json:"fixed_at"`
	FixTests  bool        `json:"fix_changes_tests"`
	AgeDays   int         `json:"age_days"` // from the merge to the fix
	Grade     string      `json:"grade"`
	Evidence  string      `json:"evidence"` // named, reverted, deleted_lines or neighboring_lines
	// Findable is what a reviewer needs to see the fault: diff, repository, outside (knowledge), or unknown.
	Findable string `json:"findable"`
	// Noticed is the address of a comment of the time on the faulty lines that speaks
	// of what the statement does; "" where there is none.
	Noticed string `json:"noticed_in_review"`
}

// FaultLine is a line of a diff.
type FaultLine struct {
	Path string `json:"path"`
	Line int    `json:"line"`
	Text string `json:"text"`
}
