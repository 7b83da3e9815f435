package run

import (
	"slices"

	"github.com/prforge/prforge/internal/model"
)

// Ruled is the rules' verdict on a comment that somebody judged.
type Ruled struct {
	CommentID int64  `json:"comment_id"`
	Pull      string `json:"pull"`
	Truth     bool   `json:"truth"`
}

// ruledComments are the judged comments of a pull request, each with the verdict of the rules alone.
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
