package review

import (
	"errors"
	"slices"
	"testing"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/config"
	"github.com/prforge/prforge/stages/run"
	"github.com/prforge/prforge/stages/run/runtest"
)

// TestLooserRulesOverRawRecords: what a strict build dropped early was never collected further. Built from the strict
// dataset by looser rules it is left out with a reason, and everything else is as the looser rules have it.
func TestLooserRulesOverRawRecords(t *testing.T) {
	for _, tc := range []struct {
		lacks  string
		stage  string
		strict func(*config.Config)
	}{
		{"pull requests", verdict.StageCollect, func(c *config.Config) { c.RQS.MinScore = 61 }},
		{"revisions", verdict.StageRevision, func(c *config.Config) { c.Filters.MinSubstantiveComments = 4 }},
		{"final diffs", verdict.StageFetchDiff, func(c *config.Config) { c.Filters.MaxAIShare = 0 }},
		{"sources", verdict.StageFetchBase, func(c *config.Config) { c.Filters.MaxAddedLines = 12 }},
	} {
		t.Run(tc.lacks, func(t *testing.T) {
			strict := offlineFrom(t, world.Built(t).Out)
			tc.strict(strict.Config)
			whole := runtest.RunBuild(t, strict)
			loose := offlineFrom(t, strict.Out)
			loose.AllowPartial = false
			report := runtest.RunBuild(t, loose)
			if whole.NotCollected != 0 || report.NotCollected == 0 || len(report.Failures) > 0 || report.Records < whole.Records {
				t.Errorf("%d left out and %d failed, %d records after %d", report.NotCollected, len(report.Failures), report.Records, whole.Records)
			}
			want := decisionsOf(t, world.Built(t))
			all, left := 0, map[string]int{}
			for name, d := range decisionsOf(t, loose) {
				switch {
				case d.Code == verdict.NotCollected && d.Outcome != artifacts.Undetermined:
					t.Errorf("%s: %+v", name, d)
				case d.Code == verdict.NotCollected:
					left[d.Stage]++
					all++
				case d.Stage != want[name].Stage && d.Stage != verdict.StageSelect && want[name].Stage != verdict.StageSelect: // selection sees them all
					t.Errorf("%s: %s, the whole build decided at %s", name, d.Stage, want[name].Stage)
				}
			}
			if all != report.NotCollected || left[tc.stage] == 0 {
				t.Errorf("%v have the reason, the report says %d", left, report.NotCollected)
			}
			verifyAgain(t, loose.Out)
		})
	}
}

// verifyAgain checks that a dataset comes out the same from itself.
func verifyAgain(t *testing.T, dir string) {
	t.Helper()
	checked, err := verifyDataset(t.Context(), dir, nil)
	if err != nil || !checked.OK() {
		t.Errorf("%v: %+v", err, checked)
	}
	again, err := run.Rebuild(t.Context(), run.Env{Host: pipeline.Quiet(1)}, dir, Build)
	if err != nil || len(again.Differ) > 0 {
		t.Errorf("%v: %+v", err, again)
	}
}

// offlineFrom is a build of the demo's configuration from a dataset alone.
func offlineFrom(t *testing.T, dataset string) *runtest.Build {
	t.Helper()
	b := world.Demo(t, world.Server(t), t.TempDir())
	b.From, b.Offline = dataset, true
	return b
}

// decisionsOf are the decisions of a build's dataset by name.
func decisionsOf(t *testing.T, b *runtest.Build) map[string]artifacts.Decision {
	t.Helper()
	out := map[string]artifacts.Decision{}
	for d, err := range load.ReadLines[artifacts.Decision](b.Out, artifacts.FileDecisions) {
		if err != nil {
			t.Fatal(err)
		}
		out[d.Name()] = *d
	}
	return out
}

// TestOfflineStateIsNoDataset: a state that lacks something ends a run that must not ask, because the same state gets
// it with the next request.
func TestOfflineStateIsNoDataset(t *testing.T) {
	b := world.FromCollected(t)
	b.Offline = true
	b.Config.Repositories = slices.DeleteFunc(slices.Clone(b.Config.Repositories), func(r string) bool { return r == "northgate/driftwood" })
	b.Config.RQS.MinScore, b.Config.Filters.MinSubstantiveComments = 0, 0
	if _, err := b.Run(t.Context()); !errors.Is(err, collectors.ErrOffline) {
		t.Errorf("error %v", err)
	}
}
