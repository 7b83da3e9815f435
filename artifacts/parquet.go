package artifacts

import (
	"fmt"
	"io"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	parquetzstd "github.com/parquet-go/parquet-go/compress/zstd"
)

// parquetRow declares the columns of parquet/prs.parquet: those of Record, in
// its order, with a type also where every value is null.
type parquetRow struct {
	TaskID                 string           `parquet:"task_id"`
	Repo                   string           `parquet:"repo"`
	RepoName               string           `parquet:"repo_name"`
	RepoCloneURL           string           `parquet:"repo_clone_url"`
	RepoURL                string           `parquet:"repo_url"`
	PRNumber               int64            `parquet:"pr_number"`
	PRURL                  string           `parquet:"pr_url"`
	Title                  string           `parquet:"title"`
	Description            string           `parquet:"description"`
	Language               string           `parquet:"language"`
	PRType                 string           `parquet:"pr_type"`
	Difficulty             string           `parquet:"difficulty"`
	Severity               *string          `parquet:"severity,optional"`
	RVSScore               float64          `parquet:"rvs_score"`
	RVSBreakdown           parquetBreakdown `parquet:"rvs_breakdown"`
	LinesAdded             int64            `parquet:"lines_added"`
	LinesRemoved           int64            `parquet:"lines_removed"`
	FilesChanged           int64            `parquet:"files_changed"`
	ChangedFiles           []string         `parquet:"changed_files,list"`
	MergedAt               time.Time        `parquet:"merged_at,timestamp(millisecond:utc)"`
	BaseCommit             string           `parquet:"base_commit"`
	HeadCommit             string           `parquet:"head_commit"`
	NumSubstantiveComments int64            `parquet:"num_substantive_comments"`
	NumUniqueReviewers     int64            `parquet:"num_unique_reviewers"`
	HasRequestedChanges    bool             `parquet:"has_requested_changes"`
	AICommentsRemoved      int64            `parquet:"ai_comments_removed"`
	HumanReviewComments    []parquetComment `parquet:"human_review_comments,list"`
	AgentInput             *string          `parquet:"agent_input,optional"`
	DiffPatch              string           `parquet:"diff_patch"`
}

type parquetBreakdown struct {
	ReviewDepth      float64 `parquet:"review_depth"`
	CodeComplexity   float64 `parquet:"code_complexity"`
	DiscussionSignal float64 `parquet:"discussion_signal"`
	TestChangeSignal float64 `parquet:"test_change_signal"`
	BugFixSignal     float64 `parquet:"bug_fix_signal"`
}

type parquetComment struct {
	Author   string        `parquet:"author"`
	Body     string        `parquet:"body"`
	Path     string        `parquet:"path"`
	Line     *int64        `parquet:"line,optional"`
	DiffHunk string        `parquet:"diffHunk"`
	ReplyTo  *parquetReply `parquet:"replyTo,optional"`
}

type parquetReply struct {
	ID string `parquet:"id"`
}

// rowGroup is how many rows are held before they are written: enough for good
// columns, few enough for memory (a row is mostly its diff).
const rowGroup = 64

// parquetWriter writes rows in groups. The bytes depend on the rows alone: the
// name of the writing library and its build are not in the file.
type parquetWriter struct {
	w    *parquet.GenericWriter[parquetRow]
	held int
}

func newParquetWriter(out io.Writer) (*parquetWriter, error) {
	pages, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true),
		zstd.WithWindowSize(1<<20), zstd.WithZeroFrames(true), zstd.WithEncoderCRC(false))
	if err != nil {
		return nil, fmt.Errorf("set up compression: %w", err)
	}
	return &parquetWriter{w: parquet.NewGenericWriter[parquetRow](out, parquet.SchemaOf(parquetRow{}),
		parquet.CreatedBy("prforge", "1", "0"), parquet.Compression(pageCodec{&parquet.Zstd, pages}))}, nil
}

// pageCodec compresses pages with one encoder of a small window. The library's
// own codec keeps several of 16 MB each for pages that are smaller than that.
type pageCodec struct {
	*parquetzstd.Codec
	enc *zstd.Encoder
}

// Encode implements compress.Codec.
func (c pageCodec) Encode(dst, src []byte) ([]byte, error) { return c.enc.EncodeAll(src, dst[:0]), nil }

func (p *parquetWriter) write(r *Record) error {
	row, err := newParquetRow(r)
	if err != nil {
		return err
	}
	if _, err := p.w.Write([]parquetRow{row}); err != nil {
		return err
	}
	if p.held++; p.held < rowGroup {
		return nil
	}
	p.held = 0
	return p.w.Flush()
}

func (p *parquetWriter) close() error { return p.w.Close() }

func newParquetRow(r *Record) (parquetRow, error) {
	merged, err := time.Parse(time.RFC3339, r.MergedAt)
	if err != nil {
		return parquetRow{}, fmt.Errorf("merged_at: %w", err)
	}
	row := parquetRow{
		TaskID: r.TaskID, Repo: r.Repo, RepoName: r.RepoName, RepoCloneURL: r.RepoCloneURL, RepoURL: r.RepoURL,
		PRNumber: int64(r.PRNumber), PRURL: r.PRURL, Title: r.Title, Description: r.Description,
		Language: r.Language, PRType: r.PRType, Difficulty: string(r.Difficulty), Severity: r.Severity,
		RVSScore: float64(r.RVSScore),
		RVSBreakdown: parquetBreakdown{
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
		k := parquetComment{Author: c.Author, Body: c.Body, Path: c.Path, DiffHunk: c.DiffHunk}
		if c.Line != nil {
			line := int64(*c.Line)
			k.Line = &line
		}
		if c.ReplyTo != nil {
			k.ReplyTo = &parquetReply{ID: c.ReplyTo.ID}
		}
		row.HumanReviewComments = append(row.HumanReviewComments, k)
	}
	return row, nil
}
