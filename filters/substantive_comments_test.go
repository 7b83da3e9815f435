package filters

import (
	"testing"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

func TestSubstantiveComments(t *testing.T) {
	count := func(n int) func(*model.Candidate) {
		return func(c *model.Candidate) { c.Labels.Substantive = n }
	}
	table(t, "substantive-comments", []check{
		{"none", count(0), verdict.OutcomeReject, verdict.TooFewSubstantive},
		{"one", count(1), verdict.OutcomeReject, verdict.TooFewSubstantive},
		{"two", count(2), verdict.OutcomePass, ""},
		{"three", count(3), verdict.OutcomePass, ""},
		{"enough, but threads are missing", without("threads"), verdict.OutcomeUndetermined, verdict.ThreadsIncomplete},
		{"enough, but replies are missing", without("thread_comments"), verdict.OutcomeUndetermined, verdict.ThreadsIncomplete},
		{"files are missing", without("files"), verdict.OutcomePass, ""},
		{"not labeled", func(c *model.Candidate) { c.Labels = nil }, verdict.OutcomeUndetermined, verdict.NotLabeled},
	})
}
