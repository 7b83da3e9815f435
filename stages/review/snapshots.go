package review

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
	"github.com/prforge/prforge/stages/snapshots"
)

// snapshots makes the snapshots of the released pull requests, if the configuration asks for them: from the dataset
// of a rebuild, or by git.
func (r *Merged) snapshots(ctx context.Context, s *run.Session, tasks TaskSeq) (*freeze.Snapshots, error) {
	if !s.Config.Snapshots {
		return nil, nil
	}
	var wanted snapshots.List
	for t, err := range tasks {
		if err == nil {
			err = wanted.Add(&t.Record, &t.Evidence)
		}
		if err != nil {
			return nil, err
		}
	}
	repos := map[model.RepoRef]*collectors.Repository{}
	for _, c := range r.Releases {
		repos[c.Shard.Facts.Ref] = c.Shard.Repo
	}
	all, err := snapshots.Make(ctx, snapshots.Options{
		Dir: filepath.Join(s.State, "snapshots", s.Collector.Store().ID()), Refresh: s.Refresh, Repositories: s.Shards, Progress: s.Progress,
		Open: func(ctx context.Context, ref model.RepoRef) (snapshots.History, error) {
			if s.From != "" {
				h, err := snapshots.FromDataset(ctx, s.From, ref)
				if err == nil || !errors.Is(err, fs.ErrNotExist) {
					return h, err
				}
			}
			git, err := repos[ref].Git(ctx)
			if err != nil {
				return nil, err
			}
			return snapshots.FromGit(git), nil
		},
	}, wanted)
	if err != nil {
		return nil, fmt.Errorf("collect the snapshots: %w", err)
	}
	return all.Published()
}
