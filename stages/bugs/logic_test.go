package bugs

import (
	"os"
	"testing"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/collectors/python"
	"github.com/prforge/prforge/stages/run/runtest"
)

// Faults of logic rest on calls that were kept: whoever has the raw records needs no
// Python for the same bytes, and verify finds nothing wrong.
func TestBugsOfLogic(t *testing.T) {
	if _, err := python.New(t.Context(), python.DefaultOptions()); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	first := world.FromCollected(t)
	first.Config.Bugs.Quotas.Logic = 4
	runBugs(t, first, nil)
	logic := 0
	for _, a := range answersOf(t, first.Out) {
		if a.Family == "logic" {
			logic++
			if a.Fault.Error != "" || a.Level != 3 {
				t.Errorf("%s: %+v", a.QuestionID, a)
			}
		}
	}
	if logic == 0 {
		t.Fatal("no fault of logic: the world is not what it was")
	}
	again := world.Demo(t, world.Server(t), t.TempDir())
	again.Config.Bugs.Quotas.Logic = 4
	again.From, again.Connect = first.Out, runtest.Offline(t)
	runBugs(t, again, nil)
	if runtest.ManifestOf(t, again) != runtest.ManifestOf(t, first) {
		t.Error("another dataset from the raw records")
	}
	m, err := load.ReadJSON[artifacts.Manifest](first.Out, artifacts.FileManifest)
	noError(t, err)
	report, err := verifyDataset(t.Context(), first.Out, m)
	noError(t, err)
	for _, f := range report.Faults {
		t.Errorf("verify: %+v", f)
	}
}
