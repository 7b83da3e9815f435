package review

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/internal/fakegithub"
	"github.com/prforge/prforge/stages/run/runtest"
)

// Where GitHub refuses a diff for its size, git makes the same one.
func TestDiffsOfGit(t *testing.T) {
	var made [2][]byte
	for i, lines := range []int{0, 1} {
		b := world.Demo(t, runtest.DemoServer(t, fakegithub.Options{MaxDiffLines: lines}), t.TempDir())
		if report := runtest.RunBuild(t, b); len(report.Failures) > 0 {
			t.Errorf("at most %d lines: %+v", lines, report.Failures)
		}
		data, err := os.ReadFile(filepath.Join(b.Out, artifacts.FileRecords))
		if err != nil {
			t.Fatal(err)
		}
		made[i] = data
	}
	if !bytes.Equal(made[0], made[1]) {
		t.Errorf("%d bytes of records with diffs of the API, %d with those of git", len(made[0]), len(made[1]))
	}
}
