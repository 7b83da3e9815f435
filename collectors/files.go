package collectors

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/prforge/prforge/collectors/gitsource"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
)

// Files reads files of one commit through git. Files that were transferred before are in the shard.
type Files struct {
	Git    *gitsource.Repo
	Shard  *store.Shard
	Commit string
}

// FilesAt reads files of a commit of the repository.
func (r *Repository) FilesAt(ctx context.Context, commit string) (Files, error) {
	git, err := r.openGit(ctx)
	return Files{Git: git, Shard: r.shard, Commit: commit}, err
}

// Tree lists every file of the commit. Build files and licenses can be read.
func (f Files) Tree(ctx context.Context) (model.Snapshot, error) {
	return f.collect(ctx, gitsource.Request{Key: "tree:" + f.Commit, BuildFiles: true})
}

// Only lists the given paths that the commit has. Files that are not too large can be read.
func (f Files) Only(ctx context.Context, paths []string) (model.Snapshot, error) {
	sum := sha256.Sum256([]byte(strings.Join(paths, "\x00")))
	return f.collect(ctx, gitsource.Request{Key: "files:" + f.Commit + ":" + hex.EncodeToString(sum[:8]), Changed: paths,
		Only: true})
}

func (f Files) collect(ctx context.Context, q gitsource.Request) (model.Snapshot, error) {
	q.Commit = f.Commit
	failed, err := f.Git.Collect(ctx, f.Shard, []gitsource.Request{q})
	if err := errors.Join(err, failed[q.Key]); err != nil {
		return nil, err
	}
	snapshot, err := f.Shard.Snapshot(q.Key)
	return snapshot, err
}

// revisionKey is the key of a revision's diff, fork point and sources.
func revisionKey(n int, oid string) string { return fmt.Sprintf("%d@%s", n, oid) }

// snapshot reads a tree; nil, without an error, where there is none.
func (r *Repository) snapshot(key string) (model.Snapshot, error) {
	s, err := r.shard.Snapshot(key)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}
