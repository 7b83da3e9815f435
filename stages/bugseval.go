package stages

import (
	"encoding/json"
	"fmt"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/evaluation"
	scoring "github.com/prforge/prforge/evaluation/bugs"
	"github.com/prforge/prforge/injection/bugs"
	"github.com/prforge/prforge/internal/model"
)

// bugItems reads the questions of a dataset of files with one fault. There is
// one configuration, the mode: file or change.
func bugItems(dir string) ([]evaluation.Item, error) {
	drafts, err := readBugs(dir)
	if err != nil {
		return nil, err
	}
	items := make([]evaluation.Item, len(drafts))
	for i, d := range drafts {
		if items[i], err = bugItem(&d.Question, &d.Answer, &d.Evidence); err != nil {
			return nil, err
		}
	}
	return items, nil
}

// readBugs reads questions, keys and evidence of a bugs dataset, in the order of
// the questions.
func readBugs(dir string) ([]bugs.Draft, error) {
	answers := map[string]*model.BugAnswer{}
	for a, err := range artifacts.ReadLines[model.BugAnswer](dir, artifacts.FileBugAnswers) {
		if err != nil {
			return nil, err
		}
		answers[a.QuestionID] = a
	}
	var out []bugs.Draft
	for q, err := range artifacts.ReadLines[model.BugQuestion](dir, artifacts.FileBugQuestions) {
		if err != nil {
			return nil, err
		}
		if err := artifacts.CheckQuestionID(q.QuestionID); err != nil {
			return nil, err
		}
		a, ok := answers[q.QuestionID]
		if !ok {
			return nil, fmt.Errorf("%s has no answer to %s", artifacts.FileBugAnswers, q.QuestionID)
		}
		e, err := artifacts.ReadJSON[model.BugEvidence](dir, artifacts.FileBugEvidence(q.QuestionID))
		if err != nil {
			return nil, err
		}
		out = append(out, bugs.Draft{Pull: fmt.Sprintf("%s#%d", a.Repo, a.PRNumber), Question: *q, Answer: *a, Evidence: *e})
	}
	return out, nil
}

// bugItem is one question. The level is its difficulty, the kind its type.
func bugItem(q *model.BugQuestion, a *model.BugAnswer, e *model.BugEvidence) (evaluation.Item, error) {
	k := scoring.Key{
		QuestionID: q.QuestionID, TaskID: a.TaskID, Repo: a.Repo, Path: q.Path, Mode: a.Mode, Prompt: q.Prompt,
		Family: a.Family, Kind: a.Kind, Level: a.Level, Chance: a.Chance, ControlOf: a.ControlOf,
		AddedLines: a.AddedLines, Candidates: a.CandidateLines, Source: string(bugs.Shown(q.View)), Bound: e.BoundNames,
	}
	level := "control"
	if f := a.Fault; f != nil {
		k.Fault = &scoring.Fault{Name: f.Name, Intended: f.Intended, CauseLine: f.CauseLine, EffectLines: f.EffectLines, ReportLine: f.ReportLine, Error: f.Error}
		level = fmt.Sprint("level ", a.Level)
	}
	it := evaluation.Item{
		ID: q.QuestionID, Prompts: map[string]string{a.Mode: q.View},
		Groups: map[string]string{"difficulty": level, "type": a.Kind, "repo": a.Repo, "family": a.Family},
	}
	var err error
	if it.Key, err = json.Marshal(k); err != nil {
		return it, fmt.Errorf("key of %s: %w", it.ID, err)
	}
	return it, nil
}
