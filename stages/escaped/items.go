package escaped

import (
	"encoding/json"
	"fmt"

	files "github.com/prforge/prforge/artifacts/escaped"
	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/escaped"
	"github.com/prforge/prforge/internal/model"
)

// readItems reads the questions of a dataset of escaped defects.
func readItems(dir string) ([]evaluation.Item, error) {
	questions, all, err := readRecords(dir)
	if err != nil {
		return nil, err
	}
	answers := map[string]model.EscapedAnswer{}
	for _, a := range all {
		answers[a.QuestionID] = a
	}
	var items []evaluation.Item
	for _, q := range questions {
		a, known := answers[q.QuestionID]
		if !known {
			return nil, fmt.Errorf("%s has no answer to %s", files.FileAnswers, q.QuestionID)
		}
		it, err := newItem(q, a)
		if err != nil {
			return nil, err
		}
		items = append(items, it)
	}
	return items, nil
}

// newItem is one question. Its date is the fix's: the change may be known to a model,
// the fault is not before.
func newItem(q model.EscapedQuestion, a model.EscapedAnswer) (evaluation.Item, error) {
	it := evaluation.Item{
		ID: q.QuestionID, Date: a.FixedAt, Prompts: map[string]string{},
		Groups: map[string]string{
			"difficulty": a.Grade, "language": a.Language, "type": a.Kind, "repo": a.Repo,
			"grade": a.Grade, "evidence": a.Evidence, "kind": a.Kind, "findable": a.Findable, "age": age(a.AgeDays),
		},
	}
	for _, c := range q.Contexts {
		it.Prompts["config_"+c.Config] = c.Text
	}
	if len(a.Lines) == 0 {
		return it, fmt.Errorf("%s has no faulty line", a.QuestionID)
	}
	first := a.Lines[0]
	k := escaped.Key{
		Key: evaluation.Key{
			Repo: a.Repo, Number: a.PRNumber, Title: q.Title, Description: q.Description, Diff: q.Diff,
			Truth: []evaluation.Truth{{ID: q.QuestionID, Body: a.Statement, File: first.Path, Line: &first.Line}},
		},
		Kind: a.Kind,
	}
	for _, l := range a.Lines {
		k.Lines = append(k.Lines, escaped.Line{File: l.Path, Line: l.Line})
	}
	var err error
	if it.Key, err = json.Marshal(k); err != nil {
		return it, fmt.Errorf("key of %s: %w", it.ID, err)
	}
	return it, nil
}

// age is the band of a fault's age in days; bands sort as they follow each other.
func age(days int) string {
	switch {
	case days < 7:
		return "0 to 6 days"
	case days <= 60:
		return "07 to 60 days"
	}
	return "more than 60 days"
}
