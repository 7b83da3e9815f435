package model

import "time"

// PullState is the state of a pull request.
type PullState string

// The three states of GitHub's schema.
const (
	Open   PullState = "OPEN"
	Closed PullState = "CLOSED"
	Merged PullState = "MERGED"
)

// PullRequest is a pull request as GitHub reports it: never edited after
// collection. Lists are complete unless Incomplete names them; their order is
// the one documented on each field, so that equal facts give equal bytes.
type PullRequest struct {
	Ref          PullRef        `json:"ref"`
	NodeID       string         `json:"node_id"`
	URL          string         `json:"url"`
	Title        string         `json:"title"`
	Body         string         `json:"body"` // raw, CRLF kept
	State        PullState      `json:"state"`
	IsDraft      bool           `json:"is_draft"`
	Author       Account        `json:"author"`
	MergedBy     *Account       `json:"merged_by"`
	CreatedAt    time.Time      `json:"created_at"`
	UpdatedAt    time.Time      `json:"updated_at"`
	MergedAt     *time.Time     `json:"merged_at"`
	ClosedAt     *time.Time     `json:"closed_at"`
	LastEditedAt *time.Time     `json:"last_edited_at"`
	BaseRef      string         `json:"base_ref"`
	BaseRefOid   string         `json:"base_ref_oid"` // tip of the base branch: not the fork point
	HeadRef      string         `json:"head_ref"`
	HeadOid      string         `json:"head_oid"`
	MergeCommit  *MergeCommit   `json:"merge_commit"`
	Additions    int            `json:"additions"`
	Deletions    int            `json:"deletions"`
	ChangedFiles int            `json:"changed_files"`
	CrossRepo    bool           `json:"cross_repo"`
	Labels       []string       `json:"labels"`   // by name
	Files        []ChangedFile  `json:"files"`    // by path
	Reviews      []Review       `json:"reviews"`  // by time, then id
	Threads      []Thread       `json:"threads"`  // by time of the first comment, then its id
	Comments     []IssueComment `json:"comments"` // conversation comments, by time, then id
	// Dismissed maps a dismissed review's node id to its former state, from
	// the timeline.
	Dismissed map[string]ReviewState `json:"dismissed,omitempty"`
	// Version is FactsVersion when the record was written; 0 for records older
	// than it.
	Version     int         `json:"version,omitempty"`
	ForcePushes []ForcePush `json:"force_pushes,omitempty"` // by time
	Renames     []Rename    `json:"renames,omitempty"`      // by time
	// Edits are the versions of the description, oldest first; none where it
	// was never edited.
	Edits []Edit `json:"edits,omitempty"`
	// Incomplete names the connections ("files", "threads", ...) that fall short of GitHub's count; checks that need
	// them return "undetermined".
	Incomplete []string `json:"incomplete,omitempty"`
}

// MergeCommit is the commit that GitHub records as the merge, with its parents
// in order.
type MergeCommit struct {
	Oid     string   `json:"oid"`
	Parents []string `json:"parents"`
}

// ChangeType is how a file changed.
type ChangeType string

// The change types of GitHub's schema.
const (
	FileAdded    ChangeType = "ADDED"
	FileModified ChangeType = "MODIFIED"
	FileDeleted  ChangeType = "DELETED"
	FileRenamed  ChangeType = "RENAMED"
	FileCopied   ChangeType = "COPIED"
	FileChanged  ChangeType = "CHANGED"
)

// ChangedFile is a file of the pull request's file list. GraphQL knows no
// previous path; that is in the diff.
type ChangedFile struct {
	Path      string     `json:"path"`
	Additions int        `json:"additions"`
	Deletions int        `json:"deletions"`
	Change    ChangeType `json:"change"`
}

// ReviewState is the state of a review.
type ReviewState string

// The review states of GitHub's schema.
const (
	Approved         ReviewState = "APPROVED"
	ChangesRequested ReviewState = "CHANGES_REQUESTED"
	Commented        ReviewState = "COMMENTED"
	Dismissed        ReviewState = "DISMISSED"
	Pending          ReviewState = "PENDING"
)

// Review is one submitted review.
type Review struct {
	ID          int64       `json:"id"`
	NodeID      string      `json:"node_id"`
	Author      Account     `json:"author"`
	State       ReviewState `json:"state"`
	Body        string      `json:"body"`
	SubmittedAt *time.Time  `json:"submitted_at"`
	CommitOid   string      `json:"commit_oid"` // "" if GitHub no longer knows it
	IsMinimized bool        `json:"is_minimized"`
}

// Side is the side of a diff: LEFT is the old file, RIGHT the new one.
type Side string

// The two sides.
const (
	Left  Side = "LEFT"
	Right Side = "RIGHT"
)

// SubjectType says whether a thread is about a line or a whole file.
type SubjectType string

// The subjects of GitHub's schema.
const (
	SubjectLine SubjectType = "LINE"
	SubjectFile SubjectType = "FILE"
)

// Thread is a review thread. Line numbers are 1-based; nil where GitHub has
// none (outdated threads, file comments).
type Thread struct {
	NodeID            string      `json:"node_id"`
	Path              string      `json:"path"`
	Side              Side        `json:"side"`
	StartSide         Side        `json:"start_side,omitempty"`
	Line              *int        `json:"line"`
	StartLine         *int        `json:"start_line"`
	OriginalLine      *int        `json:"original_line"`
	OriginalStartLine *int        `json:"original_start_line"`
	Subject           SubjectType `json:"subject"`
	IsResolved        bool        `json:"is_resolved"`
	IsOutdated        bool        `json:"is_outdated"`
	ResolvedBy        *Account    `json:"resolved_by"`
	Comments          []Comment   `json:"comments"` // by time, then id; the first one starts the thread
}

// Comment is one comment of a review thread.
type Comment struct {
	ID              int64      `json:"id"` // databaseId
	NodeID          string     `json:"node_id"`
	URL             string     `json:"url"`
	Author          Account    `json:"author"`
	Association     string     `json:"association"` // MEMBER, CONTRIBUTOR, NONE, ...
	Body            string     `json:"body"`        // raw, CRLF kept
	CreatedAt       time.Time  `json:"created_at"`
	LastEditedAt    *time.Time `json:"last_edited_at"`
	DiffHunk        string     `json:"diff_hunk"` // from its header down to the commented line
	CommitOid       string     `json:"commit_oid"`
	OriginalOid     string     `json:"original_oid"` // the commit it was written on; "" if unknown
	ReplyTo         string     `json:"reply_to"`     // node id of the parent; "" if it starts the thread
	ReviewNodeID    string     `json:"review_node_id"`
	State           string     `json:"state"` // SUBMITTED or PENDING
	IsMinimized     bool       `json:"is_minimized"`
	MinimizedReason string     `json:"minimized_reason"`
	Edits           []Edit     `json:"edits,omitempty"`     // versions of the body, oldest first
	Reactions       []Reaction `json:"reactions,omitempty"` // by content; only kinds that somebody used
}

// IssueComment is a comment of the conversation, outside any review thread.
type IssueComment struct {
	ID              int64     `json:"id"`
	NodeID          string    `json:"node_id"`
	Author          Account   `json:"author"`
	Body            string    `json:"body"`
	CreatedAt       time.Time `json:"created_at"`
	IsMinimized     bool      `json:"is_minimized"`
	MinimizedReason string    `json:"minimized_reason"`
}

// Lacks names what was not collected yet when the record was written; nil for
// one of the present version.
func (p *PullRequest) Lacks() []string {
	if p.Version >= FactsVersion {
		return nil
	}
	return []string{"force_pushes", "renames", "edits", "reactions"}
}

// DescriptionAt is the description as it was at a time, and whether that is
// known: it is where the description was never edited after that time, or
// where its edits were collected.
func (p *PullRequest) DescriptionAt(at time.Time) (string, bool) {
	if p.LastEditedAt == nil || p.LastEditedAt.Before(at) {
		return p.Body, true
	}
	for i := len(p.Edits) - 1; i >= 0; i-- {
		if p.Edits[i].At.Before(at) {
			return p.Edits[i].Body, true
		}
	}
	return p.Body, false
}

// TitleAt is the title as it was at a time; today's where no later change of
// it is known.
func (p *PullRequest) TitleAt(at time.Time) string {
	for _, r := range p.Renames {
		if !r.At.Before(at) {
			return r.From
		}
	}
	return p.Title
}
