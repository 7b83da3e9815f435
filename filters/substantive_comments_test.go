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
		{"none", count(0), verdict.Reject, verdict.TooFewSubstantive},
		{"one", count(1), verdict.Reject, verdict.TooFewSubstantive},
		{"two", count(2), verdict.Pass, ""},
		{"three", count(3), verdict.Pass, ""},
		{"enough, but threads are missing", without("threads"), verdict.Undetermined, verdict.ThreadsIncomplete},
		{"enough, but replies are missing", without("thread_comments"), verdict.Undetermined, verdict.ThreadsIncomplete},
		{"files are missing", without("files"), verdict.Pass, ""},
		{"not labelled", func(c *model.Candidate) { c.Labels = nil }, verdict.Undetermined, verdict.NotLabelled},
	})
}
