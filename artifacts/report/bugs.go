package report

import (
	_ "embed"
	"fmt"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/page"
)

//go:embed bugs.js
var bugsJS string

// askedRow is a question about a file with one fault in a list.
type askedRow struct {
	ID     string `json:"id"`
	Kind   string `json:"kind"`
	Level  string `json:"level"` // as in artifacts.BugSummary; "control" without a fault
	Repo   string `json:"repo"`
	Number int    `json:"number"`
	Path   string `json:"path"`
	Fault  bool   `json:"fault"`
	Says   string `json:"says,omitempty"` // error and name
	N      int    `json:"n"`
	Block  int    `json:"block"`
}

// askedQuestion is what the page shows of one.
type askedQuestion struct {
	Question *model.BugQuestion `json:"question"`
	Answer   *model.BugAnswer   `json:"answer"`
	Evidence *model.BugEvidence `json:"evidence"`
}

// writeQuestions writes the questions of a dataset of files with one fault, each
// with its key: the page is for whoever audits it.
func writeQuestions(w *page.Writer, dir string) error {
	questions := map[string]*model.BugQuestion{}
	for q, err := range load.ReadLines[model.BugQuestion](dir, artifacts.FileBugQuestions) {
		if err != nil {
			return err
		}
		questions[q.QuestionID] = q
	}
	rows := []askedRow{}
	blocks := w.Chunks("questions")
	for a, err := range load.ReadLines[model.BugAnswer](dir, artifacts.FileBugAnswers) {
		if err == nil {
			err = artifacts.CheckQuestionID(a.QuestionID)
		}
		if err != nil {
			return err
		}
		q := questions[a.QuestionID]
		if q == nil {
			return fmt.Errorf("%s has no question %s", artifacts.FileBugQuestions, a.QuestionID)
		}
		e, err := load.ReadJSON[model.BugEvidence](dir, artifacts.FileBugEvidence(a.QuestionID))
		if err != nil {
			return err
		}
		r := askedRow{ID: a.QuestionID, Kind: a.Kind, Level: "control", Repo: a.Repo, Number: a.PRNumber, Path: a.Path,
			N: len(rows)}
		if f := a.Fault; f != nil {
			r.Fault, r.Level, r.Says = true, model.LevelName(a.Level), f.Error+" "+f.Name
		}
		if r.Block, err = blocks.Add(r.N, askedQuestion{q, a, e}); err != nil {
			return err
		}
		rows = append(rows, r)
	}
	if err := blocks.Flush(); err != nil {
		return err
	}
	return w.Block("asked", rows)
}
