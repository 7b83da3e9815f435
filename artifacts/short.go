package artifacts

import (
	"slices"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// ShortComment is a line of FileShort: a comment with fewer words than ground truth needs, on a line of the diff
// shown, that the author acted on or agreed to.
type ShortComment struct {
	TaskID     string           `json:"task_id"`
	DatabaseID int64            `json:"database_id"`
	URL        string           `json:"url"`
	Path       string           `json:"path"`
	Line       *int             `json:"line"` // in the diff that the record shows
	Side       model.Side       `json:"side"`
	Validation model.Validation `json:"validation"`
	Body       string           `json:"body"`
}

// ShortComments lists those of a record, in the order of the evidence. The number
// of words is the only rule that they fail.
func ShortComments(e *Evidence) []ShortComment {
	var out []ShortComment
	for i := range e.Comments {
		c := &e.Comments[i]
		if c.Reason == nil || *c.Reason != string(verdict.TooFewWords) || c.Line == nil || c.Anchor == model.AnchorNone {
			continue
		}
		if slices.ContainsFunc(c.Rules,
			func(r model.Rule) bool { return !r.Passed && r.Code != string(verdict.TooFewWords) }) {
			continue
		}
		if _, valid, known := c.Since(); known && (valid.Holds() || valid == model.ValidAcknowledged) {
			out = append(out, ShortComment{
				TaskID: e.TaskID, DatabaseID: c.DatabaseID, URL: c.URL, Path: c.Path, Line: c.Line, Side: c.Side, Validation: valid,
				Body: c.Body,
			})
		}
	}
	return out
}
