package model

import (
	"slices"

	"github.com/prforge/prforge/internal/unidiff"
)

// RevisionSource says where the diff of a revision came from.
type RevisionSource string

// The sources.
const (
	RevisionFromGit RevisionSource = "git" // fetched by refs/pull/N/head or by its id
	RevisionFromAPI RevisionSource = "api" // the API's comparison, where git does not have it
)

// RevisionCandidate is a commit that reviewers may have looked at.
type RevisionCandidate struct {
	Oid string `json:"oid"`
	// Why it is one: "comment", "review", "force_push", "branch", sorted.
	Why    []string       `json:"why"`
	Source RevisionSource `json:"source,omitempty"` // "" where it is unreachable
	// Base is its fork point: the merge base of it and the first parent of the
	// merge commit.
	Base    string `json:"base,omitempty"`
	Problem string `json:"problem,omitempty"` // why there is no diff
	// Stands lists the comments, each the first of its thread, whose whole diff
	// hunk begins a hunk of the diff from Base to Oid, by id. Shifted lists those
	// whose lines are there once, at other numbers.
	Stands  []int64 `json:"stands,omitempty"`
	Shifted []int64 `json:"shifted,omitempty"`
}

// RevisionSet holds the facts about the revisions of a pull request.
type RevisionSet struct {
	HeadOid string `json:"head_oid"` // the head that it was collected for
	// Candidates are in topological order, earliest first; among unrelated
	// commits the older one first. Those that git does not have come last, by id.
	Candidates []RevisionCandidate `json:"candidates"`
	// Since holds, for comments that apply to a later candidate than their own commit, the diffs between the two that
	// change their files, and those between their fork points. Empty diffs are left out.
	Since []RevisionDiff `json:"since,omitempty"`
}

// RevisionReason says why a revision was chosen.
type RevisionReason string

// The reasons. All but the first choose among revisions to which equally many comments apply, in this order.
const (
	RevisionMost      RevisionReason = "most_comments" // more comments stand there than anywhere else
	RevisionCommented RevisionReason = "commented"     // one of them was written on it
	RevisionNamed     RevisionReason = "review"        // a review names it
	RevisionEarliest  RevisionReason = "earliest"
)

// RevisionReasons are all reasons, in their order.
var RevisionReasons = []RevisionReason{RevisionMost, RevisionCommented, RevisionNamed, RevisionEarliest}

// Rank is the index of a reason in that order.
func (r RevisionReason) Rank() int { return slices.Index(RevisionReasons, r) }

// Reviewed is the revision that a record shows.
type Reviewed struct {
	Candidate RevisionCandidate
	Because   RevisionReason
	Standing  []int64 // the substantive comments that stand there and that no record before has, by id
	// Answered lists the comments, each the first of its thread, whose hunk also applies to this commit, but whose
	// code changed between their own commit and this one.
	Answered   []int64
	Candidates int // how many there were
	Reachable  int // how many of them had a diff
	// Lost lists the substantive comments that apply to no candidate.
	Lost []int64
	// DescriptionAsOf is the time of title and description: just before the first review comment. Edited is set if
	// they were edited later and their former text is unknown, so that the current one is shown.
	DescriptionAsOf string
	Edited          bool
}

// Stands reports whether a substantive comment is ground truth of the record
// that shows the revision.
func (r *Reviewed) Stands(comment int64) bool { return slices.Contains(r.Standing, comment) }

// Elsewhere reports whether a substantive comment applies to the revision but is ground truth of another record of
// the pull request.
func (r *Reviewed) Elsewhere(comment int64) bool {
	return !r.Stands(comment) && slices.Contains(r.Candidate.Stands, comment)
}

// Final is the merged change if the candidate shows a reviewed revision; in final mode it equals the candidate.
type Final struct {
	Pull   *PullRequest
	Diff   *Diff
	Parsed *unidiff.Diff // nil where there is no diff, or none that can be parsed
	Base   *Base
	// Head holds the commented files at the final head; nil if it was unavailable.
	Head Snapshot
}
