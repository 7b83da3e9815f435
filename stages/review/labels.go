package review

import (
	"math"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/evaluation/stats"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/stages/run"
)

// judged returns the judgements in the dataset and how far rules, model and people agree that a comment is ground
// truth; nil without judgements. The latest judgement of a model or of people counts. Agreement between people uses
// the first two who judged a comment.
func judged(s *run.Session, comments []run.Ruled) *artifacts.Judged {
	lines := s.Config.Labels.Lines
	if len(lines) == 0 {
		return nil
	}
	out := &artifacts.Judged{Text: s.Config.Labels.Text, Lines: len(lines), Seen: len(comments)}
	people, models := s.Config.Labels.Latest(model.ByPerson), s.Config.Labels.Latest(model.ByModel)
	var byRules, ofModel, rulesModel, among []stats.Rated
	for _, c := range comments {
		rules := truthLabel(c.Truth)
		person, judged := people[c.CommentID]
		if judged {
			byRules = append(byRules, stats.Rated{Cluster: c.Pull, A: rules, B: labelTruth(person)})
		}
		if m, ok := models[c.CommentID]; ok {
			rulesModel = append(rulesModel, stats.Rated{Cluster: c.Pull, A: rules, B: labelTruth(m)})
			if judged {
				ofModel = append(ofModel, stats.Rated{Cluster: c.Pull, A: labelTruth(m), B: labelTruth(person)})
			}
		}
		if both := s.Config.Labels.People(c.CommentID); len(both) > 1 {
			among = append(among, stats.Rated{Cluster: c.Pull, A: labelTruth(both[0]), B: labelTruth(both[1])})
		}
	}
	out.Agreement = []artifacts.Agreement{
		agreement("rules", "people", byRules), agreement("rules", "model", rulesModel), agreement("model", "people", ofModel),
		agreement("one person", "another", among),
	}
	return out
}

func labelTruth(j model.Judgement) string { return truthLabel(j.Label == model.LabelGroundTruth) }

func truthLabel(is bool) string {
	if is {
		return model.LabelGroundTruth
	}
	return "not"
}

func agreement(a, b string, items []stats.Rated) artifacts.Agreement {
	out := artifacts.Agreement{A: a, B: b, Comments: len(items)}
	if len(items) == 0 {
		return out
	}
	k := stats.Kappa(stats.Default(), items)
	out.Observed, out.Kappa = finite(float64(k.Observed)), finite(float64(k.Kappa.Value))
	return out
}

// finite rounds a figure; nil if it is undefined.
func finite(f float64) *artifacts.Float {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	out := artifacts.Float(math.Round(f*1000) / 1000)
	return &out
}
