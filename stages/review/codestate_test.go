package review

import (
	"testing"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/stages/run/runtest"
)

// evidence reads the evidence of every record of a dataset.
func evidence(t *testing.T, dir string) []*artifacts.Evidence {
	t.Helper()
	r, err := load.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []*artifacts.Evidence
	for rec, err := range load.ReadLines[artifacts.Record](dir, artifacts.FileRecords) {
		if err != nil {
			t.Fatal(err)
		}
		e, err := r.Evidence(rec.TaskID)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}

func TestPolicyStandingLeavesOutWhatWasChanged(t *testing.T) {
	all := world.FromCollected(t, "revision: final", "contexts: {diff: budget}")
	runtest.RunBuild(t, all)
	states := map[model.CodeState]int{}
	truths := 0
	for _, e := range evidence(t, all.Out) {
		for _, c := range e.Comments {
			if c.CodeState == nil || c.Validation == nil {
				t.Fatalf("%s: comment %d has no state", e.TaskID, c.DatabaseID)
			}
			if c.GroundTruth {
				truths++
				states[*c.CodeState]++
			}
		}
	}
	for _, s := range []model.CodeState{model.StateEdited, model.StateUntouched, model.StateAtHead} {
		if states[s] == 0 {
			t.Errorf("no ground truth is %s: %v", s, states)
		}
	}

	standing := world.FromCollected(t, "revision: final", "contexts: {diff: budget}", "ground_truth: {policy: standing}")
	standing.State = all.State
	runtest.RunBuild(t, standing)
	kept, left := 0, 0
	for _, e := range evidence(t, standing.Out) {
		for _, c := range e.Comments {
			switch {
			case c.GroundTruth && !c.CodeState.Standing():
				t.Errorf("%s: comment %d is ground truth and %s", e.TaskID, c.DatabaseID, *c.CodeState)
			case c.GroundTruth:
				kept++
			case c.Reason != nil && *c.Reason == string(verdict.CodeChanged):
				left++
			}
		}
		if e.Revision.Standing < 2 {
			t.Errorf("%s has %d standing comments", e.TaskID, e.Revision.Standing)
		}
	}
	if kept == 0 || kept >= truths || left == 0 {
		t.Errorf("%d of %d kept, %d left out", kept, truths, left)
	}
	if v := enough(1, 2); v.Outcome != verdict.OutcomeReject || v.Code != verdict.TooFewStanding {
		t.Errorf("one comment of two: %+v", v)
	}
	if v := enough(2, 2); v.Outcome != verdict.OutcomePass {
		t.Errorf("two comments of two: %+v", v)
	}
}
