// Package escaped writes the files of a dataset of escaped defects.
package escaped

import (
	"bytes"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"text/template"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/card"
	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/internal/model"
)

// The files of a dataset of escaped defects, beside audit/, raw/, README.md and
// manifest.json.
const (
	FileQuestions = "escaped/questions.jsonl"
	FileAnswers   = "escaped/answers.jsonl"
)

// Set is the contents of a dataset of escaped defects: questions and answers, by question id.
type Set struct {
	Manifest  artifacts.Manifest
	Card      card.Card
	Questions []model.EscapedQuestion
	Answers   []model.EscapedAnswer
	Snapshots *artifacts.SnapshotSummary // nil without
}

//go:embed escaped.md.tmpl
var cardTemplate string

// Files are the set's files, the card among them.
func (s Set) Files() ([]freeze.File, error) {
	questions, err := artifacts.CanonicalLines(s.Questions)
	if err != nil {
		return nil, err
	}
	answers, err := artifacts.CanonicalLines(s.Answers)
	if err != nil {
		return nil, err
	}
	t, err := template.New(artifacts.FileCard).Funcs(template.FuncMap{"cell": card.Cell}).Parse(card.SnapshotTable +
		cardTemplate)
	if err != nil {
		return nil, fmt.Errorf("read the card's template: %w", err)
	}
	repos, kinds, evidence, revisions := map[string]bool{}, map[string]int{}, map[string]int{}, map[string]int{}
	for _, a := range s.Answers {
		repos[a.Repo] = true
		kinds[a.Kind]++
		evidence[a.Evidence]++
		revisions[a.Revision]++
	}
	var text bytes.Buffer
	err = t.Execute(&text, map[string]any{
		"Title": s.Card.Title, "Manifest": s.Manifest, "Records": len(s.Answers),
		"Repositories": slices.Sorted(maps.Keys(repos)),
		"Kinds":        kinds, "Evidence": evidence, "Revisions": revisions, "Snapshots": s.Snapshots,
	})
	return []freeze.File{freeze.FileOf(FileQuestions, questions), freeze.FileOf(FileAnswers, answers),
		freeze.FileOf(artifacts.FileCard, text.Bytes())}, err
}
