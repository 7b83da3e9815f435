package collectors

import (
	"context"
	"path/filepath"

	"github.com/prforge/prforge/collectors/gitsource"
	"github.com/prforge/prforge/internal/model"
)

// Git gives access to more git objects than the facts need. It is closed with the repository.
func (r *Repository) Git(ctx context.Context) (*gitsource.Repo, error) { return r.openGit(ctx) }

// Git opens only the git objects of a repository. The caller closes them.
func (c *Collector) Git(ctx context.Context, ref model.RepoRef) (*gitsource.Repo, error) {
	opts := c.opts.Git
	opts.InUse = c.store.InUse
	return gitsource.Open(ctx, c.gitFolder(ref), c.opts.CloneURL(ref), opts)
}

// gitFolder is the folder of a repository's git objects, by its requested name.
func (c *Collector) gitFolder(asked model.RepoRef) string {
	return filepath.Join(c.opts.State, "git", c.store.ID(), asked.FileName()+".git")
}
