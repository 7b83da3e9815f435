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
// dates are: without a graph git stops looking some commits after the oldest date
// that it still has to do with, and lists one that the other side has where clocks
// are wrong. Commits that came since it was written git looks at all. The caller
// holds history.
func (r *Repo) writeGraph(ctx context.Context) error {
	if r.isMirror() {
		return nil
	}
	r.graphMu.Lock()
	defer r.graphMu.Unlock()
	if _, err := os.Stat(r.graphFile()); err == nil {
		return nil
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
