package evaluate

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/cheats"
)

// runCheats stores the results of reviewers that read no meaning when the run is first scored: some can run only on
// certain machines.
const runCheats = "cheats.json"

// cheatsFile is runCheats.
type cheatsFile struct {
	TasksSHA256 string          `json:"tasks_sha256"`
	Configs     []string        `json:"configs"`
	Results     []cheats.Result `json:"results"`
}

// cheats are the stored results of the plan's tasks; nil if there are none.
func (s *session) cheats() ([]cheats.Result, error) {
	kept, err := load.ReadJSON[cheatsFile](s.folder.dir, runCheats)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil || kept.TasksSHA256 != s.plan.TasksSHA256 || !slices.Equal(kept.Configs, s.plan.Configs) {
		return nil, err
	}
	return kept.Results, nil
}

// measureCheats stores the results of the plan's tasks that are not stored yet.
func (s *session) measureCheats(ctx context.Context) error {
	kept, err := s.cheats()
	if err != nil || kept != nil || len(s.benchmark.Cheats.List) == 0 {
		return err
	}
	items := make([]evaluation.Item, len(s.plan.Tasks))
	for i, id := range s.plan.Tasks {
		items[i] = s.items[id]
	}
	results, err := s.benchmark.Cheats.Measure(ctx, s.benchmark.Benchmark, items, s.plan.Configs)
	if err != nil {
		return err
	}
	return s.folder.write(runCheats, cheatsFile{s.plan.TasksSHA256, s.plan.Configs, results})
}
