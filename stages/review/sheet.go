package review

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/label"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/evaluate"
)

// truthSheet asks people about the ground truth of a dataset.
func truthSheet(_ context.Context, _ pipeline.Host, dir string) (evaluate.Asked, error) {
	items, err := readItems(dir)
	if err != nil {
		return evaluate.Asked{}, err
	}
	sheet, err := evaluation.TruthSheet(filepath.Base(dir), items)
	return evaluate.Asked{Sheet: sheet, AnswersIn: ".jsonl",
		Answers: func(labels []label.Label) ([]byte, error) { return overrides(dir, items, labels) }}, err
}

// overrides are labels of the ground truth as lines of ground_truth.overrides, by comment and rater. Who is unsure
// gives none; of two answers to the same item the first counts. A rater whose name begins with "model:" is a model.
func overrides(dir string, items []evaluation.Item, labels []label.Label) ([]byte, error) {
	r, about := load.Reader{Dir: dir}, map[string]int64{}
	for _, it := range items {
		key, err := it.Review()
		if err != nil {
			return nil, err
		}
		evidence, err := r.Evidence(it.ID)
		if err != nil {
			return nil, err
		}
		ids := map[string]int64{}
		for _, c := range evidence.Comments {
			if c.CommentID != nil {
				ids[*c.CommentID] = c.DatabaseID
			}
		}
		for _, t := range key.Truth {
			about[label.ID(it.ID, t.ID, t.Body)] = ids[t.ID]
		}
	}
	var lines []model.Judgement
	for _, l := range labels {
		answer := l.Answers[evaluation.AskedFinding]
		if l.Again || answer == "" || answer == label.Unsure {
			continue
		}
		j := model.Judgement{CommentID: about[l.Item], Label: string(verdict.NotConfirmed), Annotator: l.Rater, Note: answer}
		if answer == evaluation.IsFinding {
			j.Label = model.LabelGroundTruth
		}
		if strings.HasPrefix(l.Rater, modelRater) {
			j.By = model.ByModel
		}
		lines = append(lines, j)
	}
	slices.SortFunc(lines, func(a, b model.Judgement) int {
		return cmp.Or(cmp.Compare(a.CommentID, b.CommentID), cmp.Compare(a.Annotator, b.Annotator))
	})
	return artifacts.CanonicalLines(lines)
}

// modelRater begins the names of raters that are models.
const modelRater = "model:"
