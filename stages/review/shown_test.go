package review

import (
	"testing"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/stages/run/runtest"
)

func TestGroundTruthIsWhatIsShown(t *testing.T) {
	b := world.FromCollected(t)
	b.Config.Contexts.MaxDiffTokens = 260 // less than a configuration may say: most diffs of the demo are small
	runtest.RunBuild(t, b)
	shown, hidden := 0, 0
	for _, e := range evidence(t, b.Out) {
		truths := 0
		for _, k := range e.Comments {
			if k.GroundTruth {
				truths++
				if len(*k.VisibleIn) != 3 {
					t.Errorf("%s: comment %d is visible in %v", e.TaskID, k.DatabaseID, *k.VisibleIn)
				}
			}
			if k.Reason != nil && *k.Reason == string(verdict.NotShown) {
				hidden++
				if last := k.Rules[len(k.Rules)-1]; last.ID != model.RuleShown || last.Passed {
					t.Errorf("%s: comment %d fails by %+v", e.TaskID, k.DatabaseID, last)
				}
			}
		}
		shown += truths
		if n := e.Scores.Inputs.Substantive; n != truths {
			t.Errorf("%s: the review value counts %d comments of %d", e.TaskID, n, truths)
		}
	}
	if rejected := codes(t, b)[verdict.TooFewShown]; shown == 0 || hidden == 0 || rejected == 0 {
		t.Errorf("%d shown, %d hidden, %d pull requests rejected: one of them is not tested", shown, hidden, rejected)
	}
}
