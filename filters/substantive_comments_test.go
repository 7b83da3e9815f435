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
		{"one", count(1), verdict.OutcomePass, ""},
		{"two", count(2), verdict.OutcomePass, ""},
		{"enough, but threads are missing", without("threads"), verdict.OutcomeUndetermined, verdict.ThreadsIncomplete},
		{"enough, but replies are missing", without("thread_comments"), verdict.OutcomeUndetermined, verdict.ThreadsIncomplete},
		{"files are missing", without("files"), verdict.OutcomePass, ""},
		{"not labeled", func(c *model.Candidate) { c.Labels = nil }, verdict.OutcomeUndetermined, verdict.NotLabeled},
	})
}

func TestSubstantiveComments_Published(t *testing.T) {
	for n, want := range map[int]verdict.Outcome{1: verdict.OutcomeReject, 2: verdict.OutcomePass} {
		c := &model.Candidate{Pull: &model.PullRequest{}, Labels: &model.Labels{Substantive: n}}
		if got := (substantiveComments{min: 2}).Check(c); got.Outcome != want {
			t.Errorf("%d comments: %s, want %s", n, got.Outcome, want)
		}
	}
}
