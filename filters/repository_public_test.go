package filters

import (
	"testing"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

func TestRepositoryPublic(t *testing.T) {
	table(t, "repository-public", []check{
		{"unknown", func(c *model.Candidate) { c.Repo = nil }, verdict.Undetermined, verdict.RepositoryUnknown},
		{"private", func(c *model.Candidate) { c.Repo.IsPrivate = true }, verdict.Reject, verdict.RepositoryPrivate},
		{"disabled", func(c *model.Candidate) { c.Repo.IsDisabled = true }, verdict.Reject, verdict.RepositoryDisabled},
		{"gone", func(c *model.Candidate) { c.Repo.Unavailable = "404" }, verdict.Reject, verdict.RepositoryGone},
		{"blocked", func(c *model.Candidate) { c.Repo.Unavailable = "451" }, verdict.Reject, verdict.RepositoryGone},
		{"archived", func(c *model.Candidate) { c.Repo.IsArchived = true }, verdict.Pass, ""},
		{"a fork", func(c *model.Candidate) { c.Repo.IsFork = true }, verdict.Pass, ""},
	})
}
