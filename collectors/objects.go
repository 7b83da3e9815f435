package collectors

import (
	"context"
	"path/filepath"

	"github.com/prforge/prforge/collectors/gitsource"
	"github.com/prforge/prforge/internal/model"
)

// Git is the repository's git objects, for more of them than the facts need. They
// are closed with the repository.
func (r *Repository) Git(ctx context.Context) (*gitsource.Repo, error) { return r.openGit(ctx) }

// Git opens the git objects of a repository of which nothing else is asked. The
// caller closes them.
func (c *Collector) Git(ctx context.Context, ref model.RepoRef) (*gitsource.Repo, error) {
	opts := c.opts.Git
	opts.InUse = c.store.InUse
	return gitsource.Open(ctx, c.gitFolder(ref), c.opts.CloneURL(ref), opts)
}

// gitFolder is where the git objects of a repository lie, by the name asked for.
func (c *Collector) gitFolder(asked model.RepoRef) string {
	return filepath.Join(c.opts.State, "git", c.store.ID(), asked.FileName()+".git")
}
