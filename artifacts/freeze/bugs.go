package freeze

import (
	"bytes"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"text/template"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/card"
	"github.com/prforge/prforge/internal/model"
)

// BugSet is the contents of a bugs dataset. The three lists correspond: one question, one answer and one evidence
// each, by question id.
type BugSet struct {
	Manifest  artifacts.Manifest
	Card      card.Card
	Mode      string
	Options   any // of FileBugOptions
	Questions []model.BugQuestion
	Answers   []model.BugAnswer
	Evidence  []model.BugEvidence
	Short     []model.BugShortage
	Split     model.Split
}

//go:embed bugs.md.tmpl
var bugCard string

// Files are the set's files, the card among them.
func (s BugSet) Files() ([]File, error) {
	questions, err := artifacts.CanonicalLines(s.Questions)
	if err != nil {
		return nil, err
	}
	answers, err := artifacts.CanonicalLines(s.Answers)
	if err != nil {
		return nil, err
	}
	options, err := artifacts.Canonical(s.Options)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", artifacts.FileBugOptions, err)
	}
	split, err := artifacts.Canonical(s.Split)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", artifacts.FileBugSplit, err)
	}
	out := []File{FileOf(artifacts.FileBugQuestions, questions), FileOf(artifacts.FileBugAnswers, answers),
		FileOf(artifacts.FileBugOptions, options), FileOf(artifacts.FileBugSplit, split)}
	for i, e := range s.Evidence {
		if s.Questions[i].QuestionID != e.QuestionID || s.Answers[i].QuestionID != e.QuestionID {
			return nil, fmt.Errorf("question %d, its answer and its evidence differ in their ids", i+1)
		}
		if err := artifacts.CheckQuestionID(e.QuestionID); err != nil {
			return nil, err
		}
		b, err := artifacts.Canonical(e)
		if err != nil {
			return nil, fmt.Errorf("evidence of %s: %w", e.QuestionID, err)
		}
		out = append(out, FileOf(artifacts.FileBugEvidence(e.QuestionID), b))
	}
	card, err := s.card()
	if err != nil {
		return nil, err
	}
	return append(out, FileOf(artifacts.FileCard, card)), nil
}

// card writes README.md.
func (s BugSet) card() ([]byte, error) {
	t, err := template.New(artifacts.FileCard).Parse(bugCard)
	if err != nil {
		return nil, fmt.Errorf("read the card's template: %w", err)
	}
	repos := map[string]bool{}
	controls := 0
	licenses := map[string]bool{}
	for _, a := range s.Answers {
		repos[a.Repo] = true
		if a.Fault == nil {
			controls++
		}
		if a.License != nil {
			licenses[*a.License] = true
		}
	}
	var b bytes.Buffer
	err = t.Execute(&b, map[string]any{
		"Title": s.Card.Title, "Manifest": s.Manifest, "Mode": s.Mode, "Questions": len(s.Questions) - controls,
		"Controls":     controls,
		"Repositories": slices.Sorted(maps.Keys(repos)), "Licenses": slices.Sorted(maps.Keys(licenses)), "Short": s.Short,
		"Split":  s.Split,
		"Kinds":  artifacts.CountBugs(s.Answers, func(a model.BugAnswer) string { return a.Kind }),
		"Levels": artifacts.CountBugs(s.Answers, func(a model.BugAnswer) string { return model.LevelName(a.Level) }),
	})
	return b.Bytes(), err
}
