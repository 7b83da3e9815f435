package report

import (
	"iter"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/convert"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// Raw yields a dataset's raw records, for display.
type Raw iter.Seq2[RawFact, error]

// RawFact is one raw fact about a pull request: its conversation, or how its code changed later. The records store
// them apart.
type RawFact struct {
	Seen *convert.Seen // nil where it is about the code

	Repo      string
	Number    int
	Revisions []model.RevisionDiff // from commits that were commented on to the final head
}

// index is the page's initial data: the content of the overview.
type index struct {
	Summary  *Summary                `json:"summary"`
	Manifest manifest                `json:"manifest"`
	Split    *model.Split            `json:"split,omitempty"`
	Bugs     *artifacts.BugSummary   `json:"bugs,omitempty"` // of a dataset of files with one fault
	Codes    map[verdict.Code]string `json:"codes"`          // what each code means
}

type manifest struct {
	Tokenizer  string               `json:"tokenizer"`
	Encoder    string               `json:"encoder"`
	Profile    string               `json:"profile"`
	Revision   string               `json:"revision"`
	Parameters artifacts.Parameters `json:"parameters"`
}

// lists is the block of data for the lists.
type lists struct {
	Pulls        []*row                       `json:"pulls"`        // in the order of decisions.jsonl
	Repositories []*artifacts.RepositoryAudit `json:"repositories"` // by name
}

// row is one pull request in a list. Why, Talk, Code and Went are the numbers of the blocks with its other data, 0
// for none.
type row struct {
	Repo    string         `json:"repo"`
	Number  int            `json:"number"`
	Record  string         `json:"record,omitempty"` // "@2" of a further record
	Outcome artifacts.Fate `json:"outcome"`
	Stage   string         `json:"stage"`
	Code    verdict.Code   `json:"code,omitempty"`
	Detail  string         `json:"detail,omitempty"`
	Title   string         `json:"title,omitempty"`
	Labels  map[string]int `json:"labels,omitempty"` // its review comments by label: truth, or a reason
	// the number of its description among the texts of the index; its comments follow
	At   int `json:"at,omitempty"`
	Why  int `json:"why,omitempty"`
	Talk int `json:"talk,omitempty"`
	Diff int `json:"diff,omitempty"`
	Went int `json:"went,omitempty"`

	// Of released pull requests only.
	Task        string           `json:"task,omitempty"`
	Language    string           `json:"language,omitempty"`
	Difficulty  model.Difficulty `json:"difficulty,omitempty"`
	PRType      string           `json:"pr_type,omitempty"`
	RVS         artifacts.Float  `json:"rvs,omitempty"`
	GroundTruth int              `json:"ground_truth,omitempty"`
	Lines       int              `json:"lines,omitempty"`
	Files       int              `json:"files,omitempty"`
	Tokens      []int            `json:"tokens,omitempty"` // of the contexts A, B, C
}

// truth is the label of a ground-truth comment in a row.
const truth = "ground_truth"

// why is the decisions about a pull request.
type why struct {
	Verdicts []artifacts.VerdictLine `json:"verdicts"`
	Facts    *facts                  `json:"facts,omitempty"` // of a released one
}

// facts are the fields of a record.
type facts struct {
	BaseCommit   string                       `json:"base_commit"`
	HeadCommit   string                       `json:"head_commit"`
	LinesAdded   int                          `json:"lines_added"`
	LinesRemoved int                          `json:"lines_removed"`
	ChangedFiles []string                     `json:"changed_files"`
	TypeBecause  string                       `json:"type_because"`
	Attribution  string                       `json:"attribution"`
	Reverts      []string                     `json:"reverts"`
	RevertedBy   []string                     `json:"reverted_by"`
	Diff         artifacts.DiffEvidence       `json:"diff"`
	Revision     artifacts.RevisionEvidence   `json:"revision"`
	Scores       artifacts.ScoreEvidence      `json:"scores"`
	Difficulty   artifacts.DifficultyEvidence `json:"difficulty"`
	Coverage     *artifacts.Float             `json:"coverage"`
}

// diff is the code that a pull request's reviewers saw, and the part of it that a model sees.
type diff struct {
	Text     string            `json:"text,omitempty"`
	Contexts []shownText       `json:"contexts,omitempty"`
	Layers   []artifacts.Layer `json:"layers,omitempty"` // of the contexts, each once
	Hunks    []string          `json:"hunks"`            // of the comments, each once
}

// shownText is a context, with its layers as indexes into the list.
type shownText struct {
	Config string `json:"config"`
	Tokens int    `json:"tokens"`
	Layers []int  `json:"layers"`
}

func newFacts(t *artifacts.Task) *facts {
	r, e := &t.Record, &t.Evidence
	return &facts{
		BaseCommit: r.BaseCommit, HeadCommit: r.HeadCommit, LinesAdded: r.LinesAdded, LinesRemoved: r.LinesRemoved,
		ChangedFiles: r.ChangedFiles,
		TypeBecause:  e.PRType.Because, Attribution: e.Attribution, Reverts: e.Reverts, RevertedBy: e.RevertedBy,
		Diff: e.Diff, Revision: e.Revision, Scores: e.Scores, Difficulty: e.Difficulty, Coverage: e.Coverage,
	}
}
