package filters

import (
	"testing"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

func TestReviewValue(t *testing.T) {
	score := func(s float64) func(*model.Candidate) {
		return func(c *model.Candidate) { c.RVS.Score = s }
	}
	table(t, "review-value", []check{
		{"below", score(0.299), verdict.OutcomeReject, verdict.ReviewValueTooLow},
		{"at the floor", score(0.30), verdict.OutcomePass, ""},
		{"above", score(0.301), verdict.OutcomePass, ""},
		{"no score", func(c *model.Candidate) { c.RVS = nil }, verdict.OutcomeUndetermined, verdict.ReviewValueMissing},
		{"timeline missing", without("dismissed"), verdict.OutcomeUndetermined, verdict.ReviewValueMissing},
	})
}
