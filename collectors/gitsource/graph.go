package gitsource

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

func (r *Repo) graphFile() string { return filepath.Join(r.dir, "objects", "info", "commit-graph") }

// graphGrowth is how many bytes of new commits, some 3,000 of them, make it
// worth while to write the commit graph again.
const graphGrowth = 1 << 20

// writeGraph has git index the whole history before it is asked about it. Merge
// bases take a fifth of the time so, and lists of commits are right whatever their
// dates are (see lists), also where a few commits came since, which git then all
// looks at. Where history is cut off git has no use for it. The caller holds
// history.
func (r *Repo) writeGraph(ctx context.Context) error {
	r.graphMu.Lock()
	defer r.graphMu.Unlock()
	if _, err := os.Stat(r.graphFile()); err == nil {
		return nil
	}
	if at, err := r.shallow(); err != nil || len(at) > 0 {
		return err
	}
	_, err := r.git(ctx, nil, "commit-graph", "write", "--reachable", "--no-progress")
	return err
}

func (r *Repo) removeGraph() error {
	if err := os.Remove(r.graphFile()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %w", ErrDisk, err)
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
	return r.removeGraph()
}
