package run

import (
	"slices"

	"github.com/prforge/prforge/internal/model"
)

// Ruled is what the rules say of a comment that somebody judged.
type Ruled struct {
	CommentID int64  `json:"comment_id"`
	Pull      string `json:"pull"`
	Truth     bool   `json:"truth"`
}

// ruledComments are the judged ones among a pull request's comments, with what
// the rules alone say of each.
func (s *Session) ruledComments(pull string, l *model.Labels) []Ruled {
	if l == nil || len(s.Config.Labels.Lines) == 0 {
		return nil
	}
	var out []Ruled
	for i := range l.Comments {
		c := &l.Comments[i]
		if slices.ContainsFunc(s.Config.Labels.Lines, func(j model.Judgement) bool { return j.CommentID == c.CommentID }) {
			out = append(out, Ruled{c.CommentID, pull, c.ByRules()})
		}
	}
	return out
}
