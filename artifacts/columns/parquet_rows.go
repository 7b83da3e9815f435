package columns

import (
	"fmt"
	"github.com/prforge/prforge/artifacts"
	"time"
)

// recordRow declares the columns of parquet/prs.parquet: those of Record, in
// its order, with a type also where every value is null.
type recordRow struct {
	TaskID                 string       `parquet:"task_id"`
	Repo                   string       `parquet:"repo"`
	RepoName               string       `parquet:"repo_name"`
	RepoCloneURL           string       `parquet:"repo_clone_url"`
	RepoURL                string       `parquet:"repo_url"`
	PRNumber               int64        `parquet:"pr_number"`
	PRURL                  string       `parquet:"pr_url"`
	Title                  string       `parquet:"title"`
	Description            string       `parquet:"description"`
	Language               string       `parquet:"language"`
	PRType                 string       `parquet:"pr_type"`
	Difficulty             string       `parquet:"difficulty"`
	Severity               *string      `parquet:"severity,optional"`
	RVSScore               float64      `parquet:"rvs_score"`
	RVSBreakdown           breakdownRow `parquet:"rvs_breakdown"`
	LinesAdded             int64        `parquet:"lines_added"`
	LinesRemoved           int64        `parquet:"lines_removed"`
	FilesChanged           int64        `parquet:"files_changed"`
	ChangedFiles           []string     `parquet:"changed_files,list"`
	MergedAt               time.Time    `parquet:"merged_at,timestamp(millisecond:utc)"`
	BaseCommit             string       `parquet:"base_commit"`
	HeadCommit             string       `parquet:"head_commit"`
	NumSubstantiveComments int64        `parquet:"num_substantive_comments"`
	NumUniqueReviewers     int64        `parquet:"num_unique_reviewers"`
	HasRequestedChanges    bool         `parquet:"has_requested_changes"`
	AICommentsRemoved      int64        `parquet:"ai_comments_removed"`
	HumanReviewComments    []commentRow `parquet:"human_review_comments,list"`
	AgentInput             *string      `parquet:"agent_input,optional"`
	DiffPatch              string       `parquet:"diff_patch"`
}

type breakdownRow struct {
	ReviewDepth      float64 `parquet:"review_depth"`
	CodeComplexity   float64 `parquet:"code_complexity"`
	DiscussionSignal float64 `parquet:"discussion_signal"`
	TestChangeSignal float64 `parquet:"test_change_signal"`
	BugFixSignal     float64 `parquet:"bug_fix_signal"`
}

type commentRow struct {
	Author   string    `parquet:"author"`
	Body     string    `parquet:"body"`
	Path     string    `parquet:"path"`
	Line     *int64    `parquet:"line,optional"`
	DiffHunk string    `parquet:"diffHunk"`
	ReplyTo  *replyRow `parquet:"replyTo,optional"`
}

type replyRow struct {
	ID string `parquet:"id"`
}

func newRecordRow(r *artifacts.Record) (recordRow, error) {
	merged, err := time.Parse(time.RFC3339, r.MergedAt)
	if err != nil {
		return recordRow{}, fmt.Errorf("merged_at: %w", err)
	}
	row := recordRow{
		TaskID: r.TaskID, Repo: r.Repo, RepoName: r.RepoName, RepoCloneURL: r.RepoCloneURL, RepoURL: r.RepoURL,
		PRNumber: int64(r.PRNumber), PRURL: r.PRURL, Title: r.Title, Description: r.Description,
		Language: r.Language, PRType: r.PRType, Difficulty: string(r.Difficulty), Severity: r.Severity,
		RVSScore: float64(r.RVSScore),
		RVSBreakdown: breakdownRow{
			ReviewDepth: float64(r.RVSBreakdown.ReviewDepth), CodeComplexity: float64(r.RVSBreakdown.CodeComplexity),
			DiscussionSignal: float64(r.RVSBreakdown.DiscussionSignal), TestChangeSignal: float64(r.RVSBreakdown.TestChangeSignal),
			BugFixSignal: float64(r.RVSBreakdown.BugFixSignal),
		},
		LinesAdded: int64(r.LinesAdded), LinesRemoved: int64(r.LinesRemoved), FilesChanged: int64(r.FilesChanged),
		ChangedFiles: r.ChangedFiles, MergedAt: merged.UTC(), BaseCommit: r.BaseCommit, HeadCommit: r.HeadCommit,
		NumSubstantiveComments: int64(r.NumSubstantiveComments), NumUniqueReviewers: int64(r.NumUniqueReviewers),
		HasRequestedChanges: r.HasRequestedChanges, AICommentsRemoved: int64(r.AICommentsRemoved),
		AgentInput: r.AgentInput, DiffPatch: r.DiffPatch,
	}
	for _, c := range r.HumanReviewComments {
		k := commentRow{Author: c.Author, Body: c.Body, Path: c.Path, Line: wide(c.Line), DiffHunk: c.DiffHunk}
		if c.ReplyTo != nil {
			k.ReplyTo = &replyRow{ID: c.ReplyTo.ID}
		}
		row.HumanReviewComments = append(row.HumanReviewComments, k)
	}
	return row, nil
}

// annotationRow declares the columns of parquet/annotations.parquet: one row per ground-truth comment, with its
// evidence. Null is unknown.
type annotationRow struct {
	TaskID     string     `parquet:"task_id"`
	Repo       string     `parquet:"repo"` // OWNER/NAME
	PRNumber   int64      `parquet:"pr_number"`
	CommentID  string     `parquet:"comment_id"` // c_N
	Author     string     `parquet:"author"`
	Body       string     `parquet:"body"`
	Path       string     `parquet:"path"`
	Side       string     `parquet:"side"` // LEFT or RIGHT
	Line       *int64     `parquet:"line,optional"`
	IsInDiff   bool       `parquet:"is_in_diff"`
	Anchor     string     `parquet:"anchor"`
	Severity   *string    `parquet:"severity,optional"`
	IsBlocking *bool      `parquet:"is_blocking,optional"`
	CodeState  *string    `parquet:"code_state,optional"`
	Addressed  *bool      `parquet:"addressed,optional"`
	Standing   *bool      `parquet:"standing,optional"`
	Validation *string    `parquet:"validation,optional"`
	VisibleIn  []string   `parquet:"visible_in,list"` // of A, B, C
	Difficulty string     `parquet:"difficulty"`      // class of this comment
	URL        string     `parquet:"url"`
	CreatedAt  *time.Time `parquet:"created_at,optional,timestamp(millisecond:utc)"`
}

// newAnnotationRows joins the comments of an annotation with their evidence by comment_id. A comment without
// evidence, which is a fault, has empty columns.
func newAnnotationRows(a *artifacts.Annotation, e *artifacts.Evidence) ([]annotationRow, error) {
	known := map[string]*artifacts.EvidenceComment{}
	for i := range e.Comments {
		if id := e.Comments[i].CommentID; id != nil {
			known[*id] = &e.Comments[i]
		}
	}
	var rows []annotationRow
	for _, c := range a.Comments {
		row := annotationRow{
			TaskID: a.TaskID, Repo: a.Repo, PRNumber: int64(a.PRNumber), CommentID: c.CommentID, Author: c.Reviewer, Body: c.Body,
			Path: c.File, Line: wide(c.Line), IsInDiff: c.IsInDiff, Severity: c.Severity, IsBlocking: c.IsBlocking,
			Difficulty: string(e.Difficulty.Comments[c.CommentID].Class),
		}
		if k := known[c.CommentID]; k != nil {
			if err := row.learn(k); err != nil {
				return nil, fmt.Errorf("%s: %w", c.CommentID, err)
			}
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// learn fills the columns that come from the evidence.
func (r *annotationRow) learn(k *artifacts.EvidenceComment) error {
	created, err := time.Parse(time.RFC3339, k.CreatedAt)
	if err != nil {
		return fmt.Errorf("created_at: %w", err)
	}
	created = created.UTC()
	r.CreatedAt = &created
	r.Side, r.Anchor, r.URL = string(k.Side), string(k.Anchor), k.URL
	r.CodeState, r.Validation = (*string)(k.CodeState), (*string)(k.Validation)
	r.Addressed, r.Standing = k.Addressed, k.Standing
	if k.VisibleIn != nil {
		r.VisibleIn = *k.VisibleIn
	}
	return nil
}

// contextRow declares the columns of parquet/contexts.parquet: one row per task and configuration.
type contextRow struct {
	TaskID      string `parquet:"task_id"`
	Config      string `parquet:"config"`       // one of Configs
	TotalTokens int64  `parquet:"total_tokens"` // of rendered
	Rendered    string `parquet:"rendered"`
}

func newContextRow(c *artifacts.Context) contextRow {
	return contextRow{TaskID: c.TaskID, Config: c.ConfigName, TotalTokens: int64(c.TotalTokens), Rendered: c.Rendered}
}

// splitRow declares the columns of parquet/splits.parquet: one row for every
// list of evals/ that a task is on, in the order of prs.jsonl.
type splitRow struct {
	TaskID     string `parquet:"task_id"`
	Split      string `parquet:"split"` // eval_100 or validated
	Difficulty string `parquet:"difficulty"`
}

func newSplitRows(r *artifacts.Record, evaluated, validated bool) (rows []splitRow) {
	if evaluated {
		rows = append(rows, splitRow{r.TaskID, "eval_100", string(r.Difficulty)})
	}
	if validated {
		rows = append(rows, splitRow{r.TaskID, "validated", string(r.Difficulty)})
	}
	return rows
}

// wide converts a number for columns; null stays null.
func wide(n *int) *int64 {
	if n == nil {
		return nil
	}
	w := int64(*n)
	return &w
}
