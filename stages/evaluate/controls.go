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
// given the hunks, or else those of e.Controls.
func (e *Evaluation) controlled(b Benchmark, folder *runFolder, plan evaluation.Plan,
	hunks []evaluation.CleanHunk) (Benchmark, error) {
	if e.Controls != "" && hunks == nil {
		var err error
		if hunks, err = cleanHunks(e.Controls, plan.Dataset); err != nil {
			return b, err
		}
	}
	if hunks != nil {
		if err := writeLines(folder, runControls, hunks); err != nil {
			return b, err
		}
	}
	hunks, err := folder.cleanHunks()
	if err != nil || hunks == nil {
		return b, err
	}
	c, ok := b.Benchmark.(evaluation.Controlled)
	if !ok {
		return b, planErrorf("%s has clean hunks, but %s is not scored on them", folder.dir, b.Name())
	}
	b.Benchmark = c.WithClean(byTask(hunks))
	return b, nil
}

// cleanHunks are those that the run keeps; nil where it keeps none.
func (f *runFolder) cleanHunks() ([]evaluation.CleanHunk, error) {
	hunks := []evaluation.CleanHunk{}
	for h, err := range load.ReadLines[evaluation.CleanHunk](f.dir, runControls) {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		hunks = append(hunks, *h)
	}
	return hunks, nil
}

func byTask(hunks []evaluation.CleanHunk) map[string][]evaluation.CleanHunk {
	out := map[string][]evaluation.CleanHunk{}
	for _, h := range hunks {
		out[h.Task] = append(out[h.Task], h)
	}
	return out
}

// borrowed are the items with clean hunks of e.ControlsOf that a run asks about beside
// its own, and their hunks; none without it.
func (e *Evaluation) borrowed(b Benchmark, own []evaluation.Item) (items []evaluation.Item,
	hunks []evaluation.CleanHunk, err error) {
	if e.ControlsOf == "" {
		return nil, nil, nil
	}
	borrower, ok := b.Benchmark.(evaluation.Borrower)
	if !ok || e.Controls == "" {
		return nil, nil, planErrorf("the dataset that controls are of is named with them, for a run on escaped defects")
	}
	_, reviews, err := Open(e.Benchmarks, e.ControlsOf)
	if err != nil {
		return nil, nil, err
	}
	ref, err := datasetRef(e.ControlsOf)
	if err != nil {
		return nil, nil, err
	}
	clean, err := cleanHunks(e.Controls, ref)
	if err != nil {
		return nil, nil, err
	}
	all, of, err := borrower.Borrow(own, reviews)
	if err != nil {
		return nil, nil, err
	}
	cleanOf := byTask(clean)
	for _, it := range all {
		for _, h := range cleanOf[of[it.ID]] {
			h.Task = it.ID
			hunks = append(hunks, h)
		}
		if cleanOf[of[it.ID]] != nil {
			items = append(items, it)
		}
	}
	if len(items) == 0 {
		return nil, nil, planErrorf("%s has no clean hunk in the repositories of %s", e.Controls, e.Dataset)
	}
	return items, hunks, nil
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
