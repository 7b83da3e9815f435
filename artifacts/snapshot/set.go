package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/internal/model"
)

// Set is the snapshots of a dataset, or of a folder beside one.
type Set struct {
	dir   string
	stats []Stat
}

// Open reads the index of the snapshots in dir.
func Open(dir string) (*Set, error) {
	s := &Set{dir: dir}
	for stat, err := range load.ReadLines[Stat](dir, artifacts.FileSnapshotIndex) {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s holds no snapshots (%s): 'prforge snapshots' makes them", dir,
				artifacts.FileSnapshotIndex)
		}
		if err != nil {
			return nil, err
		}
		s.stats = append(s.stats, *stat)
	}
	return s, nil
}

// Stats covers all records, including those without a snapshot, by task id.
func (s *Set) Stats() []Stat { return s.stats }

// Checkout is the function Checkout for a record's file.
func (s *Set) Checkout(ctx context.Context, taskID, dir string) (*Stat, error) {
	i := slices.IndexFunc(s.stats, func(s Stat) bool { return s.TaskID == taskID })
	if i < 0 {
		return nil, fmt.Errorf("%w of %s in %s", ErrNoTask, taskID, s.dir)
	}
	if stat := s.stats[i]; stat.Problem != "" {
		return nil, fmt.Errorf("%w of %s: %s: %s", ErrNoTask, taskID, stat.Problem, stat.Detail)
	}
	repo, err := model.ParseRepoRef(s.stats[i].Repository) // never the path in the index
	if err != nil {
		return nil, err
	}
	f, err := load.OpenFile(s.dir, artifacts.FileSnapshots(repo))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Checkout(ctx, f, taskID, dir, DefaultLimits())
}
