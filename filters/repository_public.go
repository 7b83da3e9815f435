package filters

import (
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// repositoryPublic is filter 9; any lets private and internal repositories pass.
type repositoryPublic struct{ any bool }

func (repositoryPublic) ID() string { return verdict.FilterRepositoryPublic }

// Check rejects a repository that the public can no longer read or, if private repositories take part, that nobody
// can read.
func (f repositoryPublic) Check(c *model.Candidate) verdict.Verdict {
	if c.Repo == nil {
		return verdict.Undetermined(verdict.RepositoryUnknown, "nothing is known about the repository")
	}
	name := verdict.Evidence{What: "repository", Found: c.Repo.Ref.String()}
	switch {
	case c.Repo.Unavailable != "":
		return verdict.Reject(verdict.RepositoryGone, "GitHub no longer gives the repository out", name,
			verdict.Evidence{What: "status", Found: c.Repo.Unavailable})
	case c.Repo.IsPrivate && !f.any:
		return verdict.Reject(verdict.RepositoryPrivate, "the repository is private", name)
	case c.Repo.IsDisabled:
		return verdict.Reject(verdict.RepositoryDisabled, "GitHub has disabled the repository", name)
	}
	return verdict.Pass(name)
}
