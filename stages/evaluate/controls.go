package evaluate

import (
	"errors"
	"io/fs"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/evaluation"
)

// runControls is where a run folder has the clean hunks of its dataset.
const runControls = "controls.jsonl"

// controlled is the benchmark with the clean hunks that the run keeps, after it was
// given those of e.Controls.
func (e *Evaluation) controlled(b Benchmark, folder *runFolder, plan evaluation.Plan) (Benchmark, error) {
	if e.Controls != "" {
		hunks, err := cleanHunks(e.Controls, plan.Dataset)
		if err != nil {
			return b, err
		}
		if err := writeLines(folder, runControls, hunks); err != nil {
			return b, err
		}
	}
	clean := map[string][]evaluation.CleanHunk{}
	for h, err := range load.ReadLines[evaluation.CleanHunk](folder.dir, runControls) {
		if errors.Is(err, fs.ErrNotExist) {
			return b, nil
		}
		if err != nil {
			return b, err
		}
		clean[h.Task] = append(clean[h.Task], *h)
	}
	if _, ok := b.Benchmark.(evaluation.Reviews); !ok {
		return b, planErrorf("%s has clean hunks, but only reviews are scored on them", folder.dir)
	}
	b.Benchmark = evaluation.Reviews{Clean: clean}
	return b, nil
}

// cleanHunks are the clean hunks of controls, which must be of the dataset.
func cleanHunks(dir string, of evaluation.DatasetRef) ([]evaluation.CleanHunk, error) {
	m, err := load.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	if m.Controls == nil {
		return nil, planErrorf("%s has no negative controls; prforge controls makes them", dir)
	}
	if m.Controls.Manifest != of.ManifestSHA256 {
		return nil, planErrorf("%s has the controls of another dataset than the run's (%s)", dir, of.Name)
	}
	out := []evaluation.CleanHunk{}
	for h, err := range load.ReadLines[artifacts.ControlHunk](dir, artifacts.FileControlHunks) {
		if err != nil {
			return nil, err
		}
		if h.Clean {
			out = append(out, evaluation.CleanHunk{Task: h.TaskID, File: h.Path, Start: h.NewStart, Lines: h.NewLines})
		}
	}
	return out, nil
}
