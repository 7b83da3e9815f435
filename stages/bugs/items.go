package bugs

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/evaluation"
	scoring "github.com/prforge/prforge/evaluation/bugs"
	"github.com/prforge/prforge/injection"
	"github.com/prforge/prforge/injection/bugs"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/stages/run"
)

// bugItems reads the questions of a dataset of files with one fault.
func readItems(dir string) ([]evaluation.Item, error) {
	drafts, err := readDrafts(dir)
	if err != nil {
		return nil, err
	}
	return itemsOf(drafts)
}

// itemsOf are questions as an evaluation reads them.
func itemsOf(drafts []bugs.Draft) ([]evaluation.Item, error) {
	keys := make([]scoring.Key, len(drafts))
	for i, d := range drafts {
		keys[i] = keyOf(&d)
	}
	configs := []string{"config_" + bugs.ConfigA, "config_" + bugs.ConfigB, "config_" + bugs.ConfigC}
	scoring.Oppose(keys, configs)
	items := make([]evaluation.Item, len(drafts))
	for i, d := range drafts {
		var err error
		if items[i], err = newItem(&d, keys[i]); err != nil {
			return nil, err
		}
	}
	return items, nil
}

// readBugs reads questions, keys and evidence of a bugs dataset, in the order of
// the questions.
func readDrafts(dir string) ([]bugs.Draft, error) {
	answers := map[string]*model.BugAnswer{}
	for a, err := range load.ReadLines[model.BugAnswer](dir, artifacts.FileBugAnswers) {
		if err != nil {
			return nil, err
		}
		answers[a.QuestionID] = a
	}
	var out []bugs.Draft
	for q, err := range load.ReadLines[model.BugQuestion](dir, artifacts.FileBugQuestions) {
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
		e, err := load.ReadJSON[model.BugEvidence](dir, artifacts.FileBugEvidence(q.QuestionID))
		if err != nil {
			return nil, err
		}
		out = append(out, bugs.Draft{Pull: fmt.Sprintf("%s#%d", a.Repo, a.PRNumber), Question: *q, Answer: *a, Evidence: *e})
	}
	return out, nil
}

// keyOf is what scoring knows of a question.
func keyOf(d *bugs.Draft) scoring.Key {
	q, a := &d.Question, &d.Answer
	return scoring.Key{
		QuestionID: q.QuestionID, TaskID: a.TaskID, Repo: a.Repo, Path: q.Path, Mode: a.Mode, Prompt: q.Prompt,
		Family: a.Family, Kind: a.Kind, Fault: a.Fault, Level: a.Level, Chance: a.Chance, ControlOf: a.ControlOf,
		AddedLines: a.AddedLines, Candidates: a.CandidateLines, Source: string(bugs.Shown(q.View)),
		Bound:       d.Evidence.BoundNames,
		DecidableIn: a.DecidableIn, Lint: linted(q, nil), Checked: map[string][]scoring.Finding{},
	}
}

// newItem is one question. The level is its difficulty, the kind its type; intervals
// take the questions about one file as a whole.
func newItem(d *bugs.Draft, k scoring.Key) (evaluation.Item, error) {
	level := "control"
	if k.Fault != nil {
		level = model.LevelName(k.Level)
	}
	it := evaluation.Item{
		ID: k.QuestionID, Prompts: map[string]string{},
		Groups: map[string]string{"difficulty": level, "type": k.Kind, "repo": k.Repo, "family": k.Family,
			evaluation.GroupWhole: k.Repo + " " + k.Path},
	}
	for _, config := range []string{bugs.ConfigA, bugs.ConfigB, bugs.ConfigC} {
		it.Prompts["config_"+config] = bugs.Shows(&d.Question, config)
		k.Checked["config_"+config] = linted(&d.Question, bugs.ReadContext(bugs.ContextOf(&d.Question, config)))
	}
	var err error
	if it.Key, err = json.Marshal(k); err != nil {
		return it, fmt.Errorf("key of %s: %w", it.ID, err)
	}
	return it, nil
}

// linted is what a linter says of what a question shows, as findings.
func linted(q *model.BugQuestion, modules injection.Modules) []scoring.Finding {
	kinds := map[string]string{"NameError": scoring.Undeclared, "UnboundLocalError": scoring.Undeclared,
		"ImportError": scoring.Import}
	out := []scoring.Finding{}
	for _, f := range injection.Lint(bugs.Shown(q.View), modules) {
		out = append(out, scoring.Finding{Path: q.Path, Line: f.ReportLine, Kind: cmp.Or(kinds[f.Error], scoring.Indentation),
			Name: f.Name, Error: f.Error, Why: "a linter's rule"})
	}
	return out
}

// explainQuestions adds the questions that a dataset has of a pull request. What was
// decided about it is in the audit.
func explainQuestions(dir string, out *run.Explanation, is func(repo string, number int) bool, _ int) (bool, error) {
	all, err := readDrafts(dir)
	if of := slices.DeleteFunc(all,
		func(d bugs.Draft) bool { return !is(d.Answer.Repo, d.Answer.PRNumber) }); len(of) > 0 {
		out.Questions = explained(of)
	}
	return false, err
}
