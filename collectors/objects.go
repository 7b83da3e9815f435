package collectors

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/prforge/prforge/collectors/gitsource"
	"github.com/prforge/prforge/internal/ghapi"
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

// openGit opens the repository's git objects, once.
func (r *Repository) openGit(ctx context.Context) (*gitsource.Repo, error) {
	r.gitMu.Lock()
	defer r.gitMu.Unlock()
	if r.git != nil {
		return r.git, nil
	}
	opts := r.c.opts.Git
	opts.Compare, opts.InUse = r.compare, r.c.store.InUse
	if tell := r.c.opts.Fetching; tell != nil {
		opts.Fetching = func(objects int, commits bool) { tell(r.facts.Ref, objects, commits) }
	}
	repo, err := gitsource.Open(ctx, r.c.gitFolder(r.facts.Asked), r.c.opts.CloneURL(r.facts.Ref), opts)
	if err != nil {
		return nil, err
	}
	r.git = repo
	return repo, nil
}

// compare asks GitHub for a merge base when git lacks one of the commits. It returns "" if GitHub does not know it
// either.
func (r *Repository) compare(ctx context.Context, base, head string) (string, error) {
	client, err := r.c.github(ctx)
	if err != nil {
		return "", err
	}
	oid, err := client.MergeBase(ctx, r.facts.Ref, base, head)
	if errors.Is(err, ghapi.ErrNotFound) {
		return "", nil
	}
	return oid, err
}
