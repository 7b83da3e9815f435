package snapshots

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/stages/run"
)

// Build makes the snapshots that a build's dataset holds: from the dataset of a rebuild, or by the shards' git.
func Build[F any](ctx context.Context, s *run.Session, wanted List, shards []*run.Shard[F]) (*freeze.Snapshots, error) {
	repos := map[model.RepoRef]*collectors.Repository{}
	for _, sh := range shards {
		if sh.Repo != nil {
			repos[sh.Facts.Ref] = sh.Repo
		}
	}
	all, err := Make(ctx, Options{
		Dir: filepath.Join(s.State, "snapshots", s.Collector.Store().ID()), Refresh: s.Refresh, Repositories: s.Shards,
		Progress: s.Progress,
		Open: func(ctx context.Context, ref model.RepoRef) (History, error) {
			if s.From != "" {
				h, err := FromDataset(ctx, s.From, ref)
				if err == nil || !errors.Is(err, fs.ErrNotExist) {
					return h, err
				}
			}
			git, err := repos[ref].Git(ctx)
			if err != nil {
				return nil, err
			}
			return FromGit(git), nil
		},
	}, wanted)
	if err != nil {
		return nil, fmt.Errorf("collect the snapshots: %w", err)
	}
	return all.Published()
}
