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
		{"below", score(0.299), verdict.Reject, verdict.ReviewValueTooLow},
		{"at the floor", score(0.30), verdict.Pass, ""},
		{"above", score(0.301), verdict.Pass, ""},
		{"no score", func(c *model.Candidate) { c.RVS = nil }, verdict.Undetermined, verdict.ReviewValueMissing},
		{"timeline missing", without("dismissed"), verdict.Undetermined, verdict.ReviewValueMissing},
	})
}
