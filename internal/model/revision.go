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

// RevisionSet is what is known of the revisions of a pull request.
type RevisionSet struct {
	HeadOid string `json:"head_oid"` // the head that it was collected for
	// Candidates are in topological order, earliest first; among unrelated
	// commits the older one first. Those that git does not have come last, by id.
	Candidates []RevisionCandidate `json:"candidates"`
	// Since holds, for comments that stand at a later candidate than the one that
	// they were written on, the diffs from the one to the other that change their
	// files, and those between the fork points of the two. Empty diffs are left out.
	Since []RevisionDiff `json:"since,omitempty"`
}

// RevisionReason says why a revision was chosen.
type RevisionReason string

// The reasons. But for the first, they choose among revisions at which equally many
// comments stand, in this order.
const (
	RevisionMost      RevisionReason = "most_comments" // more comments stand there than anywhere else
	RevisionCommented RevisionReason = "commented"     // one of them was written on it
	RevisionNamed     RevisionReason = "review"        // a review names it
	RevisionEarliest  RevisionReason = "earliest"
)

// RevisionReasons are all reasons, in their order.
var RevisionReasons = []RevisionReason{RevisionMost, RevisionCommented, RevisionNamed, RevisionEarliest}

// Rank is the place of a reason in that order.
func (r RevisionReason) Rank() int { return slices.Index(RevisionReasons, r) }

// Reviewed is the revision that a record shows.
type Reviewed struct {
	Candidate RevisionCandidate
	Because   RevisionReason
	Standing  []int64 // the substantive comments that stand there and that no record before has, by id
	// Answered lists the comments, each the first of its thread, whose hunk stands there too, but whose
	// code was changed between the commit that they were written on and this one.
	Answered   []int64
	Candidates int // how many there were
	Reachable  int // how many of them had a diff
	// Lost lists the substantive comments that stand at no candidate.
	Lost []int64
	// DescriptionAsOf is when title and description were read: just before the
	// first review comment. Edited is set where they were edited later and their
	// former text is not known, so that today's stands there.
	DescriptionAsOf string
	Edited          bool
}

// Stands reports whether a substantive comment is ground truth of the record
// that shows the revision.
func (r *Reviewed) Stands(comment int64) bool { return slices.Contains(r.Standing, comment) }

// Elsewhere reports whether a substantive comment stands at the revision and is
// ground truth of another record of the pull request.
func (r *Reviewed) Elsewhere(comment int64) bool {
	return !r.Stands(comment) && slices.Contains(r.Candidate.Stands, comment)
}

// Final is what was merged, where the candidate shows a revision that was
// reviewed; in final mode it holds the same as the candidate.
type Final struct {
	Pull   *PullRequest
	Diff   *Diff
	Parsed *unidiff.Diff // nil where there is no diff, or none that can be parsed
	Base   *Base
	// Head holds the commented files at the final head; nil where it could not
	// be had.
	Head Snapshot
}
