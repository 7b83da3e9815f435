package filters

import (
	"testing"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

func TestNotAIDominated(t *testing.T) {
	share := func(ai, all float64) func(*model.Candidate) {
		return func(c *model.Candidate) {
			s := ai / all
			c.Labels.AIShare = &s
		}
	}
	table(t, "not-ai-dominated", []check{
		{"29 of 100", share(29, 100), verdict.OutcomePass, ""},
		{"3 of 10", share(3, 10), verdict.OutcomePass, ""},
		{"31 of 100", share(31, 100), verdict.OutcomeReject, verdict.AIDominated},
		{"all", share(1, 1), verdict.OutcomeReject, verdict.AIDominated},
		{"no comments", func(c *model.Candidate) { c.Labels.AIShare = nil }, verdict.OutcomePass, ""},
		{"comments missing", without("comments"), verdict.OutcomeUndetermined, verdict.CommentsIncomplete},
		{"reviews missing", without("reviews"), verdict.OutcomeUndetermined, verdict.CommentsIncomplete},
		{"not labeled", func(c *model.Candidate) { c.Labels = nil }, verdict.OutcomeUndetermined, verdict.NotLabeled},
	})
}
