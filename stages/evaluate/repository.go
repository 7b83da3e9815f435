package evaluate

import (
	"context"
	"fmt"
	"slices"

	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/snapshot"
	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/internal/reviewer"
)

// withRepository adds the configuration Repository to items if it is requested. An item without a snapshot has none.
func (e *Evaluation) withRepository(items []evaluation.Item) ([]evaluation.Item, error) {
	if !e.reads() && !slices.Contains(slices.Concat(e.Choice.Configs, e.Config.Configs), reviewer.Repository) {
		return items, nil
	}
	set, err := e.snapshots()
	if err != nil {
		return nil, &planError{err}
	}
	at := map[string]snapshot.Stat{}
	for _, s := range set.Stats() {
		if s.Problem == "" {
			at[s.TaskID] = s
		}
	}
	out := slices.Clone(items)
	found := false
	for i, it := range out {
		s, ok := at[it.ID]
		if !ok {
			continue
		}
		found = true
		if out[i], err = it.InRepository(s.Head, s.Base); err != nil {
			return nil, err
		}
	}
	if !found {
		return nil, planErrorf("no task of %s has a snapshot", e.Dataset)
	}
	return out, nil
}

// Repositories opens the dataset's tasks that have a snapshot, with the configuration
// Repository, and the snapshots.
func (e *Evaluation) Repositories() (Benchmark, []evaluation.Item, *snapshot.Set, error) {
	b, items, err := Open(e.Benchmarks, e.Dataset)
	if err != nil {
		return b, nil, nil, err
	}
	e.Choice.Configs = []string{reviewer.Repository}
	if items, err = e.withRepository(items); err != nil {
		return b, nil, nil, err
	}
	items = slices.DeleteFunc(items, func(it evaluation.Item) bool { return it.Prompts[reviewer.Repository] == "" })
	set, err := e.snapshots()
	return b, items, set, err
}

// snapshots opens the dataset's snapshots: in it, or in a folder beside it.
func (e *Evaluation) snapshots() (*snapshot.Set, error) {
	if e.Snapshots == "" {
		set, err := snapshot.Open(e.Dataset)
		if err != nil {
			err = fmt.Errorf("a reviewer that reads the repository needs the code: %w; then say --snapshots DIR", err)
		}
		return set, err
	}
	m, err := load.ReadManifest(e.Snapshots)
	if err != nil {
		return nil, err
	}
	ref, err := datasetRef(e.Dataset)
	if err != nil {
		return nil, err
	}
	if m.Snapshots == nil || m.Snapshots.Manifest != ref.ManifestSHA256 {
		return nil, fmt.Errorf("%s are not the snapshots of %s as it is", e.Snapshots, e.Dataset)
	}
	return snapshot.Open(e.Snapshots)
}

// checkout writes the work tree of a task to a new folder and returns its change.
func (s *session) checkout(ctx context.Context, task, dir string) (diff string, err error) {
	key, err := s.items[task].Review()
	if err != nil {
		return "", err
	}
	set, err := s.snapshots()
	if err != nil {
		return "", err
	}
	_, err = set.Checkout(ctx, task, dir)
	return key.Diff, err
}
