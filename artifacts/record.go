package artifacts

import "github.com/prforge/prforge/internal/model"

// Record is one line of prs.jsonl: the 29 fields of the published dataset, in
// its order (spec section 10). Text is what GitHub has, CRLF kept, with bytes
// that are not UTF-8 replaced by U+FFFD (Evidence.Replaced says where).
type Record struct {
	TaskID       string           `json:"task_id"`
	Repo         string           `json:"repo"`      // OWNER/NAME
	RepoName     string           `json:"repo_name"` // NAME
	RepoCloneURL string           `json:"repo_clone_url"`
	RepoURL      string           `json:"repo_url"`
	PRNumber     int              `json:"pr_number"`
	PRURL        string           `json:"pr_url"`
	Title        string           `json:"title"`
	Description  string           `json:"description"`
	Language     string           `json:"language"`
	PRType       string           `json:"pr_type"`
	Difficulty   model.Difficulty `json:"difficulty"`
	// of the whole pull request: GitHub has no such mark, so null
	Severity     *string      `json:"severity"`
	RVSScore     Float        `json:"rvs_score"`     // [0,1], three decimals
	RVSBreakdown RVSBreakdown `json:"rvs_breakdown"` // each [0,1], three decimals
	LinesAdded   int          `json:"lines_added"`   // of diff_patch
	LinesRemoved int          `json:"lines_removed"`
	FilesChanged int          `json:"files_changed"`
	// in the order of diff_patch; a deleted file by its old path
	ChangedFiles           []string        `json:"changed_files"`
	MergedAt               string          `json:"merged_at"`   // 2026-01-28T17:53:12Z
	BaseCommit             string          `json:"base_commit"` // fork point, full SHA-1
	HeadCommit             string          `json:"head_commit"` // final head, full SHA-1
	NumSubstantiveComments int             `json:"num_substantive_comments"`
	NumUniqueReviewers     int             `json:"num_unique_reviewers"`
	HasRequestedChanges    bool            `json:"has_requested_changes"`
	AICommentsRemoved      int             `json:"ai_comments_removed"` // review comments by bots or written by an AI
	HumanReviewComments    []ReviewComment `json:"human_review_comments"`
	AgentInput             *string         `json:"agent_input"` // always null, as published
	DiffPatch              string          `json:"diff_patch"`  // applies to the tree of base_commit
}

// RVSBreakdown holds the five parts of the PR Review Value Score (spec section
// 6), each in [0,1]: to three decimals in a record, to nine in its evidence.
type RVSBreakdown struct {
	ReviewDepth      Float `json:"review_depth"`
	CodeComplexity   Float `json:"code_complexity"`
	DiscussionSignal Float `json:"discussion_signal"`
	TestChangeSignal Float `json:"test_change_signal"`
	BugFixSignal     Float `json:"bug_fix_signal"`
}

// ReviewComment is one human review comment, replies and the author's own
// included; bots, AI texts, minimized and pending comments are left out.
type ReviewComment struct {
	Author   string    `json:"author"`
	Body     string    `json:"body"`
	Path     string    `json:"path"`
	Line     *int      `json:"line"` // in the final diff, on the thread's side; null if it has no position there
	DiffHunk string    `json:"diffHunk"`
	ReplyTo  *ReplyRef `json:"replyTo"` // null when it starts a thread
}

// ReplyRef names the comment that a reply answers.
type ReplyRef struct {
	ID string `json:"id"` // GitHub's node id
}

// Annotation is annotations/{task_id}_human.json: the ground truth of one pull
// request and nothing else.
type Annotation struct {
	TaskID                  string              `json:"task_id"`
	PRNumber                int                 `json:"pr_number"`
	Repo                    string              `json:"repo"`
	HasSeverityAnnotations  bool                `json:"has_severity_annotations"`
	HasRequestedChanges     bool                `json:"has_requested_changes"`     // a reviewer asked for changes
	TotalCommentCount       int                 `json:"total_comment_count"`       // of human_review_comments
	SubstantiveCommentCount int                 `json:"substantive_comment_count"` // of comments
	ChangesRequired         bool                `json:"changes_required"`          // requested_change_count > 0
	RequestedChangeCount    int                 `json:"requested_change_count"`
	SubstantiveCommentIDs   []string            `json:"substantive_comment_ids"` // c_1, c_2, ... in the order of comments
	RequestedChanges        []AnnotationComment `json:"requested_changes"`       // those of comments with requires_change
	Comments                []AnnotationComment `json:"comments"`                // by time of their thread
}

// AnnotationComment is one ground-truth comment.
type AnnotationComment struct {
	CommentID string `json:"comment_id"` // c_N
	Body      string `json:"body"`
	File      string `json:"file"`
	// in the final diff, on the side the evidence names; null for comments on a whole file or without a position
	Line                *int    `json:"line"`
	DiffHunk            string  `json:"diff_hunk"`
	Severity            *string `json:"severity"`    // only from an explicit mark
	IsBlocking          *bool   `json:"is_blocking"` // only from an explicit mark
	Reviewer            string  `json:"reviewer"`
	IsInitiatingComment bool    `json:"is_initiating_comment"` // always true: ground truth starts its thread
	IsReply             bool    `json:"is_reply"`              // always false
	ReplyTo             *string `json:"reply_to"`              // always null
	RequiresChange      bool    `json:"requires_change"`
	IsInDiff            bool    `json:"is_in_diff"`      // the line is one that diff_patch adds (right) or deletes (left)
	ThreadResolved      *bool   `json:"thread_resolved"` // GitHub's
}

// Context is contexts/config_{A,B,C}/{task_id}.json.
type Context struct {
	PRNumber        int    `json:"pr_number"`
	Repo            string `json:"repo"`
	TaskID          string `json:"task_id"`
	ConfigName      string `json:"config_name"` // config_A, config_B, config_C
	PipelineVersion string `json:"pipeline_version"`
	TotalTokens     int    `json:"total_tokens"`  // of rendered, by the manifest's tokenizer
	WasTruncated    bool   `json:"was_truncated"` // always false: nothing is cut in the middle
	Rendered        string `json:"rendered"`
}
