package store

import "slices"

// Kind is the kind of a record.
type Kind string

// The kinds of records. The writer chooses the keys, except for the last six.
const (
	Repository Kind = "repository" // model.Repository
	Census     Kind = "census"     // model.Census
	Pull       Kind = "pull"       // model.PullRequest, by number
	Diff       Kind = "diff"       // model.Diff, by number
	Base       Kind = "base"       // model.Base, by number
	Revisions  Kind = "revisions"  // []model.RevisionDiff, by number
	Candidates Kind = "candidates" // model.RevisionSet, by number
	Failure    Kind = "failure"    // why something was unavailable
	Tree       Kind = "tree"       // a commit's folders, by number or whatever key (PutTree)
	Listing    Kind = "listing"    // one folder's files, by SHA-256; trees share them (PutTree)
	Blob       Kind = "blob"       // a file's bytes, by git object id (PutBlob)
	Answer     Kind = "answer"     // a model's answer, by hash of the question (Store.Answers)
	History    Kind = "history"    // model.LaterHistory, by what was asked for
	Run        Kind = "run"        // what a script did, by hash of what ran (Store.Answers)
	Meta       Kind = "meta"       // of one run only (high-water marks): never exported
)

// kinds lists all of them in the order of an export.
var kinds = func() []Kind {
	all := []Kind{Repository, Census, Pull, Diff, Base, Revisions, Candidates, Failure, Tree, Listing, Blob, Answer,
		History, Run, Meta}
	slices.Sort(all)
	return all
}()

// known reports whether this version of the store has the kind.
func (k Kind) known() bool { return slices.Contains(kinds, k) }
