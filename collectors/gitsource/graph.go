package gitsource

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// graphGrowth is how many bytes of new commits, some 3,000 of them, make it
// worth while to write the commit graph again.
const graphGrowth = 1 << 20

func (r *Repo) graphFile() string { return filepath.Join(r.dir, "objects", "info", "commit-graph") }

// writeGraph has git index the history for merge bases, which take it a fifth of
// the time with one: after the first transfer, and after one of many commits.
// Commits that are not in it are read as before. Where history is cut off git
// has no use for it.
func (r *Repo) writeGraph(ctx context.Context, grown int64) error {
	if _, err := os.Stat(r.graphFile()); err == nil && grown < graphGrowth {
		return nil
	}
	if at, err := r.shallow(); err != nil || len(at) > 0 {
		return err
	}
	if _, err := r.git(ctx, nil, "commit-graph", "write", "--reachable", "--no-progress"); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		r.opts.Log.Warn("git did not write a commit graph; finding merge bases takes longer", "dir", r.dir, "error", err)
	}
	return nil
}

// checkGraph removes a commit graph that is not as git wrote it: git reads it
// without looking at its checksum.
func (r *Repo) checkGraph() error {
	_, _, err := trailer(r.graphFile())
	switch {
	case err == nil, errors.Is(err, fs.ErrNotExist):
		return nil
	}
	r.opts.Log.Warn("removing a damaged commit graph", "dir", r.dir, "error", err)
	if err := os.Remove(r.graphFile()); err != nil {
		return fmt.Errorf("%w: %w", ErrDisk, err)
	}
	return nil
}
