package fakegithub

import (
	"strings"
	"time"
)

// World is everything that a fake GitHub knows: parsed, not yet built. One
// world may serve any number of servers; nothing changes it.
type World struct {
	// Bots and Mannequins are logins (without "[bot]") of accounts that are not
	// people; "ghost" is a deleted account; every other login is a User.
	Bots       []string
	Mannequins []string
	Repos      []*Repo // by owner and name
}

// Access says who may read a repository.
type Access string

// The kinds of access. Visible and Hidden are both private to the world; a
// Visible one may be read with the token, as by a member of the organization.
const (
	Public  Access = "public"
	Visible Access = "private" // private, and the token may read it
	Hidden  Access = "hidden"  // private or deleted: 404 and NOT_FOUND
	Blocked Access = "blocked" // taken down: 451
	// TakenDown is visible until the first request for a diff or the first git fetch,
	// and Blocked from the next request on.
	TakenDown Access = "taken-down"
)

// Repo is a repository with its first tree and all its pull requests; its
// history is made from them.
type Repo struct {
	Owner, Name   string
	ID            int64
	Stars         int
	License       string // SPDX id; "" for none
	Language      string // GitHub's primary language
	Description   string
	DefaultBranch string
	Branches      []string // further branches, starting at the first commit
	CreatedAt     time.Time
	Access        Access
	FormerNames   []string // "owner/name": REST answers 301, GraphQL follows
	IsArchived    bool
	IsFork        bool
	IsEmpty       bool // no commit, no default branch
	Files         []Edit
	Pulls         []*Pull // by number
}

// FullName is "owner/name".
func (r *Repo) FullName() string { return r.Owner + "/" + r.Name }

// MergeMethod is how a pull request ended.
type MergeMethod string

// How a pull request ended.
const (
	MergeCommit MergeMethod = "merge"  // a commit with two parents
	Squash      MergeMethod = "squash" // one new commit
	Rebase      MergeMethod = "rebase" // every commit rewritten
	NotMerged   MergeMethod = "closed"
	StillOpen   MergeMethod = "open"
)

// Pull is a pull request. Its commits are its steps; the talk says what
// happened in which order, pushes among it.
type Pull struct {
	Number    int
	Title     string
	Body      string
	FirstBody string    // the description as it was created, where it was edited
	EditedAt  time.Time // when the description became Body; zero if it always was
	Author    string
	CreatedAt time.Time
	ClosedAt  time.Time // merged or closed; zero while open
	Method    MergeMethod
	ClosedBy  string
	Labels    []string
	Base      string // branch; "" for the default one
	HeadRef   string
	IsDraft   bool
	CrossRepo bool // from a fork
	IsPurged  bool // its commits are gone: git and compare do not have them any more
	// BaseGone says that the branch which it was merged into was deleted and
	// collected, with the pull request's commits: git has them no more, the API does.
	BaseGone bool
	Steps    []Step
	Talk     []Event
}

// isMerged reports whether it was merged in any way.
func (p *Pull) isMerged() bool {
	return p.Method == MergeCommit || p.Method == Squash || p.Method == Rebase
}

// Step is one commit of a pull request.
type Step struct {
	Message   string
	MergeBase bool // merges the base branch as it then is
	Force     bool // replaces the steps before it: they leave the history
	Edits     []Edit
}

// EditKind is what an edit does to a file.
type EditKind string

// The edits.
const (
	Write  EditKind = "write"
	Patch  EditKind = "edit"
	Delete EditKind = "delete"
	Rename EditKind = "rename"
)

// Edit changes one file.
type Edit struct {
	Kind    EditKind
	Path    string
	To      string    // Rename: the new path
	Content []byte    // Write: the whole file
	Mode    string    // Write: "100644", "100755" or "120000"; "" for the first
	Patches []Replace // Patch, and Rename with changes
}

// Replace puts new lines in the place of old ones, which must occur once in
// the file. Both are whole lines joined by "\n".
type Replace struct{ Old, New string }

// EventKind is what happened in a pull request.
type EventKind string

// The events.
const (
	Push         EventKind = "push"    // the next step arrives
	ReviewEvent  EventKind = "review"  // a review, with the line and file comments after it
	LineComment  EventKind = "line"    // starts a thread on a line
	FileComment  EventKind = "file"    // starts a thread on a file
	Reply        EventKind = "reply"   // answers the thread above
	Conversation EventKind = "comment" // outside the review
	Dismiss      EventKind = "dismiss" // the last review is dismissed by Login
)

// Event is one line of the talk. Fields that its kind has no use for are empty.
type Event struct {
	Kind      EventKind
	Login     string
	State     string // ReviewEvent: APPROVED, CHANGES_REQUESTED, COMMENTED, PENDING
	Path      string // LineComment, FileComment
	Side      byte   // LineComment: '+' added, '-' deleted, '=' an unchanged or added line of the new file
	Text      string // LineComment: part of the line, which must be the only one
	Start     string // LineComment: part of the first of several lines
	Body      string
	Resolved  string // login that resolved the thread
	Minimized string // why it is minimized: "off-topic", "spam", ...
	Edited    bool
	Liked     []string // logins that reacted with a thumb up
}

// accountType is the GraphQL type of an account; ghost is "".
func (w *World) accountType(login string) string {
	is := func(list []string) bool {
		for _, l := range list {
			if strings.EqualFold(l, login) {
				return true
			}
		}
		return false
	}
	switch {
	case login == "" || login == "ghost":
		return ""
	case is(w.Bots):
		return "Bot"
	case is(w.Mannequins):
		return "Mannequin"
	}
	return "User"
}

// exported is a line of pulls.jsonl: what tests over real pull requests read of
// one, by the names that they read.
type exported struct {
	Repo     string           `json:"repo"`
	Number   int              `json:"number"`
	Title    string           `json:"title"`
	Body     string           `json:"body"`
	Labels   []string         `json:"labels"`
	BaseSHA  string           `json:"base_sha"`
	BaseTip  string           `json:"base_tip_sha"`
	HeadSHA  string           `json:"head_sha"`
	MergeSHA string           `json:"merge_sha"`
	MergedAt time.Time        `json:"merged_at"`
	Threads  []exportedThread `json:"threads"`
}

type exportedThread struct {
	Path         string            `json:"path"`
	Line         *int              `json:"line"`
	OriginalLine *int              `json:"original_line"`
	Side         string            `json:"side"`
	IsOutdated   bool              `json:"is_outdated"`
	Subject      string            `json:"subject_type"`
	Comments     []exportedComment `json:"comments"`
}

type exportedComment struct {
	ID             int64  `json:"id"`
	Body           string `json:"body"`
	DiffHunk       string `json:"diff_hunk"`
	OriginalCommit string `json:"original_commit"`
}
