package filters

import (
	"testing"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

func TestRepositoryPublic(t *testing.T) {
	table(t, "repository-public", []check{
		{"unknown", func(c *model.Candidate) { c.Repo = nil }, verdict.OutcomeUndetermined, verdict.RepositoryUnknown},
		{"private", func(c *model.Candidate) { c.Repo.IsPrivate = true }, verdict.OutcomeReject, verdict.RepositoryPrivate},
		{"disabled", func(c *model.Candidate) { c.Repo.IsDisabled = true }, verdict.OutcomeReject, verdict.RepositoryDisabled},
		{"gone", func(c *model.Candidate) { c.Repo.Unavailable = "404" }, verdict.OutcomeReject, verdict.RepositoryGone},
		{"blocked", func(c *model.Candidate) { c.Repo.Unavailable = "451" }, verdict.OutcomeReject, verdict.RepositoryGone},
		{"archived", func(c *model.Candidate) { c.Repo.IsArchived = true }, verdict.OutcomePass, ""},
		{"a fork", func(c *model.Candidate) { c.Repo.IsFork = true }, verdict.OutcomePass, ""},
	})
}
