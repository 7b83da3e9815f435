package columns

import (
	"fmt"
	"time"

	"github.com/prforge/prforge/artifacts"
)

// recordRow declares the columns of parquet/prs.parquet: those of Record, in
// its order, with a type also where every value is null.
type recordRow struct {
	TaskID                 string       `parquet:"task_id" doc:"Name of the task: {repo}__{number}."`
	Repo                   string       `parquet:"repo" doc:"OWNER/NAME of the repository."`
	RepoName               string       `parquet:"repo_name" doc:"NAME of the repository."`
	RepoCloneURL           string       `parquet:"repo_clone_url" type:"sc:URL" doc:"Where git clones it from."`
	RepoURL                string       `parquet:"repo_url" type:"sc:URL" doc:"The repository's page."`
	PRNumber               int64        `parquet:"pr_number" doc:"Number of the pull request."`
	PRURL                  string       `parquet:"pr_url" type:"sc:URL" doc:"The pull request's page."`
	Title                  string       `parquet:"title" doc:"Its title."`
	Description            string       `parquet:"description" doc:"Its description, as written."`
	Language               string       `parquet:"language" doc:"Language of the changed production files."`
	PRType                 string       `parquet:"pr_type" doc:"security, bug_fix, performance, refactor or feature."`
	Difficulty             string       `parquet:"difficulty" doc:"Type1_Direct, Type2_Contextual or Type3_Latent_Candidate."`
	Severity               *string      `parquet:"severity,optional" doc:"Always null: comments carry severities."`
	RVSScore               float64      `parquet:"rvs_score" doc:"PR Review Value Score, 0 to 1."`
	RVSBreakdown           breakdownRow `parquet:"rvs_breakdown" doc:"The five parts of the score."`
	LinesAdded             int64        `parquet:"lines_added" doc:"Lines that the diff adds."`
	LinesRemoved           int64        `parquet:"lines_removed" doc:"Lines that the diff deletes."`
	FilesChanged           int64        `parquet:"files_changed" doc:"Files in the diff."`
	ChangedFiles           []string     `parquet:"changed_files,list" doc:"Their paths."`
	MergedAt               time.Time    `parquet:"merged_at,timestamp(millisecond:utc)" doc:"When it was merged, UTC."`
	BaseCommit             string       `parquet:"base_commit" doc:"The fork point that the diff is against."`
	HeadCommit             string       `parquet:"head_commit" doc:"The final head."`
	NumSubstantiveComments int64        `parquet:"num_substantive_comments" doc:"Ground-truth comments."`
	NumUniqueReviewers     int64        `parquet:"num_unique_reviewers" doc:"Human reviewers other than the author."`
	HasRequestedChanges    bool         `parquet:"has_requested_changes" doc:"Whether a reviewer asked for changes."`
	AICommentsRemoved      int64        `parquet:"ai_comments_removed" doc:"Review comments by bots or written by an AI."`
	HumanReviewComments    []commentRow `parquet:"human_review_comments,list" doc:"All human review comments, replies included."`
	AgentInput             *string      `parquet:"agent_input,optional" doc:"Always null."`
	DiffPatch              string       `parquet:"diff_patch" doc:"Unified diff against base_commit."`
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
			DiscussionSignal: float64(r.RVSBreakdown.DiscussionSignal),
			TestChangeSignal: float64(r.RVSBreakdown.TestChangeSignal),
			BugFixSignal:     float64(r.RVSBreakdown.BugFixSignal),
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
	TaskID     string     `parquet:"task_id" doc:"The task."`
	Repo       string     `parquet:"repo" doc:"OWNER/NAME of the repository."`
	PRNumber   int64      `parquet:"pr_number" doc:"Number of the pull request."`
	CommentID  string     `parquet:"comment_id" doc:"c_N within the task."`
	Author     string     `parquet:"author" doc:"Who wrote the comment."`
	Body       string     `parquet:"body" doc:"Text of the comment."`
	Path       string     `parquet:"path" doc:"File that it is about."`
	Side       string     `parquet:"side" doc:"Side of the diff: LEFT or RIGHT."`
	Line       *int64     `parquet:"line,optional" doc:"Line in the diff; null where it has no place there."`
	IsInDiff   bool       `parquet:"is_in_diff" doc:"Whether that line was changed."`
	Anchor     string     `parquet:"anchor" doc:"How the line was found: exact, remapped, hunk, file or none."`
	Severity   *string    `parquet:"severity,optional" doc:"From an explicit mark only."`
	IsBlocking *bool      `parquet:"is_blocking,optional" doc:"From an explicit mark only."`
	CodeState  *string    `parquet:"code_state,optional" doc:"What became of the code between the comment and the merge."`
	Addressed  *bool      `parquet:"addressed,optional" doc:"Whether the code was changed after the comment."`
	Standing   *bool      `parquet:"standing,optional" doc:"Whether the comment is about code that the diff shows."`
	Validation *string    `parquet:"validation,optional" doc:"What the author then did."`
	VisibleIn  []string   `parquet:"visible_in,list" doc:"The configurations (A, B, C) whose diff shows the line."`
	Difficulty string     `parquet:"difficulty" doc:"Class of this comment."`
	URL        string     `parquet:"url" type:"sc:URL" doc:"The comment's page."`
	CreatedAt  *time.Time `parquet:"created_at,optional,timestamp(millisecond:utc)" doc:"When it was written, UTC."`
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
			TaskID: a.TaskID, Repo: a.Repo, PRNumber: int64(a.PRNumber), CommentID: c.CommentID, Author: c.Reviewer,
			Body: c.Body,
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
	TaskID      string `parquet:"task_id" doc:"The task."`
	Config      string `parquet:"config" doc:"config_A, config_B or config_C."`
	TotalTokens int64  `parquet:"total_tokens" doc:"Tokens of the text."`
	Rendered    string `parquet:"rendered" doc:"The text that a model reviews."`
}

func newContextRow(c *artifacts.Context) contextRow {
	return contextRow{TaskID: c.TaskID, Config: c.ConfigName, TotalTokens: int64(c.TotalTokens), Rendered: c.Rendered}
}

// splitRow declares the columns of parquet/splits.parquet: one row for every
// list of evals/ that a task is on, in the order of prs.jsonl.
type splitRow struct {
	TaskID     string `parquet:"task_id" doc:"The task."`
	Split      string `parquet:"split" doc:"eval_100 or validated."`
	Difficulty string `parquet:"difficulty" doc:"Difficulty of the task."`
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
