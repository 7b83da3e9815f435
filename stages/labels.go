package stages

import (
	"math"
	"slices"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/evaluation/stats"
	"github.com/prforge/prforge/internal/model"
)

// ruled is what the rules say of a comment that somebody judged.
type ruled struct {
	CommentID int64  `json:"comment_id"`
	Pull      string `json:"pull"`
	Truth     bool   `json:"truth"`
}

// ruledComments are the judged ones among a pull request's comments, with what
// the rules alone say of each.
func (s *Session) ruledComments(pull string, l *model.Labels) []ruled {
	if l == nil || len(s.config.Labels.Lines) == 0 {
		return nil
	}
	var out []ruled
	for i := range l.Comments {
		c := &l.Comments[i]
		if slices.ContainsFunc(s.config.Labels.Lines, func(j model.Judgement) bool { return j.CommentID == c.CommentID }) {
			out = append(out, ruled{c.CommentID, pull, c.ByRules()})
		}
	}
	return out
}

// judged are the judgements as the dataset has them, and how far rules, model
// and people agree that a comment is ground truth; nil where there are none.
// What a model or people say of a comment is the latest; people among each other
// are compared by the first two who judged it.
func (s *Session) judged(comments []ruled) *artifacts.Judged {
	lines := s.config.Labels.Lines
	if len(lines) == 0 {
		return nil
	}
	out := &artifacts.Judged{Text: s.config.Labels.Text, Lines: len(lines), Seen: len(comments)}
	people, models := s.config.Labels.Latest(model.ByPerson), s.config.Labels.Latest(model.ByModel)
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
		if both := s.config.Labels.People(c.CommentID); len(both) > 1 {
			among = append(among, stats.Rated{Cluster: c.Pull, A: labelTruth(both[0]), B: labelTruth(both[1])})
		}
	}
	out.Agreement = []artifacts.Agreement{
		agreement("rules", "people", byRules), agreement("rules", "model", rulesModel), agreement("model", "people", ofModel), agreement("one person", "another", among),
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

// finite rounds a figure; nil where it is undefined.
func finite(f float64) *artifacts.Float {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	out := artifacts.Float(math.Round(f*1000) / 1000)
	return &out
}
