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

// graphGrowth is how many bytes of new commits, about 3,000 of them, justify writing the commit graph again.
const graphGrowth = 1 << 20

// writeGraph makes git index the whole history before queries. Merge bases then take a fifth of the time, and lists
// of commits are right whatever their dates. Without a graph git stops a few commits after the oldest relevant date,
// and with wrong clocks it lists commits that the other side has. Git reads commits newer than the graph one by one.
// The caller holds history.
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

// checkGraph removes a damaged commit graph: git reads it without checking its checksum.
func (r *Repo) checkGraph() error {
	_, _, err := trailer(r.graphFile())
	switch {
	case err == nil, errors.Is(err, fs.ErrNotExist):
		return nil
	}
	r.opts.Log.Warn("removing a damaged commit graph", "dir", r.dir, "error", err)
	return r.removeGraph()
}
