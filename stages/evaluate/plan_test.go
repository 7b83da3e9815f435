package evaluate

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestExtend_PlanKept: the plan that a run keeps has what it was extended by, so that the next command knows of it.
func TestExtend_PlanKept(t *testing.T) {
	e, _ := honestRun(t)
	second := e.Config.Models[0]
	second.ID = "second"
	e.Config.Models = append(e.Config.Models, second)
	e.Extend = true
	run(t, e)
	f, err := openRun(e.Run, false)
	noError(t, err)
	defer f.close()
	plan, found, err := f.plan()
	noError(t, err)
	if !found || len(plan.Models) != 2 {
		t.Errorf("the plan has %d models, want 2", len(plan.Models))
	}
}

// TestCheats_NoneToMeasure: a benchmark without certain machines leaves no file of theirs in the run.
func TestCheats_NoneToMeasure(t *testing.T) {
	e, _ := honestRun(t)
	if _, err := os.Stat(filepath.Join(e.Run, runCheats)); !os.IsNotExist(err) {
		t.Errorf("%s: %v, want %v", runCheats, err, fs.ErrNotExist)
	}
}
