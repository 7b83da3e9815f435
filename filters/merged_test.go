package filters

import (
	"testing"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

func TestMerged(t *testing.T) {
	table(t, "merged", []check{
		{"open", func(c *model.Candidate) { c.Pull.State, c.Pull.MergedAt = model.Open, nil }, verdict.OutcomeReject, verdict.NotMerged},
		{"closed", func(c *model.Candidate) { c.Pull.State, c.Pull.MergedAt = model.Closed, nil }, verdict.OutcomeReject, verdict.NotMerged},
		{"merged without a moment", func(c *model.Candidate) { c.Pull.MergedAt = nil }, verdict.OutcomeReject, verdict.NotMerged},
		{"merged without a merge commit", func(c *model.Candidate) { c.Pull.MergeCommit = nil }, verdict.OutcomePass, ""},
	})
}
