package report

import (
	"bufio"
	"fmt"
	"slices"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/page"
	"github.com/prforge/prforge/internal/verdict"
)

// RawFact is what a dataset's raw records hold of a pull request: what was said
// in it, or how its code went on. They lie apart there.
type RawFact struct {
	Seen *artifacts.Seen // nil where it is about the code

	Repo      string
	Number    int
	Revisions []model.RevisionDiff // from commits that were commented on to the final head
}

// index is what the page has from the start; details are read when they
// are looked at.
type index struct {
	Summary      *Summary                     `json:"summary"`
	Manifest     manifest                     `json:"manifest"`
	Pulls        []*row                       `json:"pulls"`        // in the order of decisions.jsonl
	Repositories []*artifacts.RepositoryAudit `json:"repositories"` // by name
	Codes        map[verdict.Code]string      `json:"codes"`        // what each code means
}

type manifest struct {
	Tokenizer  string               `json:"tokenizer"`
	Encoder    string               `json:"encoder"`
	Parameters artifacts.Parameters `json:"parameters"`
}

// row is one pull request in a list.
type row struct {
	Repo    string         `json:"repo"`
	Number  int            `json:"number"`
	Outcome artifacts.Fate `json:"outcome"`
	Stage   string         `json:"stage"`
	Code    verdict.Code   `json:"code,omitempty"`
	Detail  string         `json:"detail,omitempty"`
	Block   int            `json:"block"` // the number of its data block

	// Of released pull requests only.
	Title       string           `json:"title,omitempty"`
	Language    string           `json:"language,omitempty"`
	Difficulty  model.Difficulty `json:"difficulty,omitempty"`
	PRType      string           `json:"pr_type,omitempty"`
	RVS         artifacts.Float  `json:"rvs,omitempty"`
	GroundTruth int              `json:"ground_truth,omitempty"`
}

// detail is the data block of one pull request.
type detail struct {
	Verdicts []artifacts.VerdictLine `json:"verdicts"`
	Released *released               `json:"released,omitempty"`
}

// released is what is told of a pull request of the dataset.
type released struct {
	TaskID       string                       `json:"task_id"`
	URL          string                       `json:"url"`
	Author       string                       `json:"author"`
	Description  string                       `json:"description"`
	MergedAt     string                       `json:"merged_at"`
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
	Scores       artifacts.ScoreEvidence      `json:"scores"`
	Difficulty   artifacts.DifficultyEvidence `json:"difficulty"`
	Tokens       []int                        `json:"tokens"` // of the contexts A, B, C
	Contexts     []shownText                  `json:"contexts"`
	Layers       []artifacts.Layer            `json:"layers"` // of the contexts, each once
	Hunks        []string                     `json:"hunks"`  // each once
	Comments     []comment                    `json:"comments"`
}

// shownText is a context, whose layers are given by their places in the list.
type shownText struct {
	Config string `json:"config"`
	Tokens int    `json:"tokens"`
	Layers []int  `json:"layers"`
}

// comment is a review comment whose hunk is told by its place in the list.
type comment struct {
	artifacts.EvidenceComment
	Hunk int `json:"hunk"`
}

// writeDetails writes one data block for each pull request and returns the
// index of them.
func writeDetails(w *bufio.Writer, r *artifacts.Reader) (*index, error) {
	x := &index{
		Manifest: manifest{r.Manifest.Tokenizer, r.Manifest.Encoder, r.Manifest.Parameters},
		Pulls:    []*row{}, Repositories: []*artifacts.RepositoryAudit{}, Codes: map[verdict.Code]string{},
	}
	for _, reason := range verdict.Reasons() {
		x.Codes[reason.Code] = reason.Text
	}
	rows := map[string]*row{} // by OWNER/NAME#N
	for d, err := range r.Decisions() {
		if err != nil {
			return nil, err
		}
		if d.Kind == artifacts.KindPullRequest && d.PRNumber != nil {
			p := &row{Repo: d.Repo, Number: *d.PRNumber, Outcome: d.Outcome, Stage: d.Stage, Code: d.Code, Detail: d.Detail, Block: len(x.Pulls)}
			x.Pulls = append(x.Pulls, p)
			rows[key(d.Repo, *d.PRNumber)] = p
		}
	}
	for a, err := range r.Repositories() {
		if err != nil {
			return nil, err
		}
		x.Repositories = append(x.Repositories, a)
	}
	return x, writeBlocks(w, r, rows)
}

func key(repo string, number int) string { return fmt.Sprintf("%s#%d", repo, number) }

func writeBlocks(w *bufio.Writer, r *artifacts.Reader, rows map[string]*row) error {
	written := map[int]bool{}
	write := func(p *row, d detail) error {
		if p == nil || written[p.Block] {
			return nil // the dataset contradicts itself: verify says so
		}
		written[p.Block] = true
		return page.Block(w, fmt.Sprintf("pull-%d", p.Block), d)
	}
	for t, err := range r.Tasks() {
		if err != nil {
			return err
		}
		p := rows[key(t.Record.Repo, t.Record.PRNumber)]
		if p != nil {
			p.fill(t)
		}
		if err := write(p, detail{t.Evidence.Verdicts, newReleased(t)}); err != nil {
			return err
		}
	}
	for d, err := range r.Rejections() {
		if err != nil {
			return err
		}
		if d.PRNumber == nil {
			continue
		}
		if err := write(rows[key(d.Repo, *d.PRNumber)], detail{Verdicts: d.Verdicts}); err != nil {
			return err
		}
	}
	return writeUndecided(r, rows, write)
}

// writeUndecided writes the blocks of what was neither released nor rejected:
// of those the dataset keeps the last verdict only.
func writeUndecided(r *artifacts.Reader, rows map[string]*row, write func(*row, detail) error) error {
	for d, err := range r.Decisions() {
		if err != nil {
			return err
		}
		if d.Kind != artifacts.KindPullRequest || d.PRNumber == nil {
			continue
		}
		last := artifacts.VerdictLine{Filter: d.Stage, Outcome: verdict.Outcome(d.Outcome), Code: d.Code, Detail: d.Detail, Evidence: d.Evidence}
		if err := write(rows[key(d.Repo, *d.PRNumber)], detail{Verdicts: []artifacts.VerdictLine{last}}); err != nil {
			return err
		}
	}
	return nil
}

func (p *row) fill(t *artifacts.Task) {
	r := &t.Record
	p.Title, p.Language, p.Difficulty, p.PRType, p.RVS = r.Title, r.Language, r.Difficulty, r.PRType, r.RVSScore
	p.GroundTruth = len(t.Annotation.Comments)
}

func newReleased(t *artifacts.Task) *released {
	r, e := &t.Record, &t.Evidence
	out := &released{
		TaskID: r.TaskID, URL: r.PRURL, Author: e.Author, Description: r.Description, MergedAt: r.MergedAt,
		BaseCommit: r.BaseCommit, HeadCommit: r.HeadCommit, LinesAdded: r.LinesAdded, LinesRemoved: r.LinesRemoved,
		ChangedFiles: r.ChangedFiles, TypeBecause: e.PRType.Because, Attribution: e.Attribution, Reverts: e.Reverts, RevertedBy: e.RevertedBy,
		Diff: e.Diff, Scores: e.Scores, Difficulty: e.Difficulty, Hunks: []string{}, Comments: []comment{}, Contexts: []shownText{}, Layers: []artifacts.Layer{},
	}
	out.addContexts(t.Contexts)
	places := map[string]int{}
	for _, c := range e.Comments {
		place, ok := places[c.DiffHunk]
		if !ok {
			place = len(out.Hunks)
			places[c.DiffHunk] = place
			out.Hunks = append(out.Hunks, c.DiffHunk)
		}
		c.DiffHunk = ""
		out.Comments = append(out.Comments, comment{c, place})
	}
	return out
}

// addContexts adds the contexts, which share most of their layers.
func (r *released) addContexts(contexts []artifacts.Context) {
	for _, c := range contexts {
		x := shownText{c.ConfigName, c.TotalTokens, []int{}}
		for _, l := range artifacts.Layers(c.Rendered) {
			place := slices.IndexFunc(r.Layers, func(other artifacts.Layer) bool {
				return other.Heading == l.Heading && slices.Equal(other.Parts, l.Parts)
			})
			if place < 0 {
				place = len(r.Layers)
				r.Layers = append(r.Layers, l)
			}
			x.Layers = append(x.Layers, place)
		}
		r.Tokens = append(r.Tokens, c.TotalTokens)
		r.Contexts = append(r.Contexts, x)
	}
}
