package stages

import (
	"context"
	"errors"
	"strconv"
	"testing"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/internal/absence"
	"github.com/prforge/prforge/internal/config"
)

// testRun is a build that a test can change before it runs.
type testRun struct {
	Env
	Config *config.Config
}

// Run opens a session, builds, and closes it.
func (r *testRun) Run(ctx context.Context) (*Report, error) {
	s, err := Open(r.Env, r.Config)
	if err != nil {
		return nil, err
	}
	report, err := Build(ctx, s)
	return report, errors.Join(err, s.Close())
}

func itoa(n int) string { return strconv.Itoa(n) }

// someRecord is a record of a frozen dataset and a reviewer of its ground truth.
func someRecord(t *testing.T, b *testRun) (*artifacts.Record, string) {
	t.Helper()
	for r, err := range artifacts.ReadLines[artifacts.Record](b.Out, artifacts.FileRecords) {
		if err != nil {
			t.Fatal(err)
		}
		return r, r.HumanReviewComments[0].Author
	}
	t.Fatal("no record")
	return nil, ""
}

// found says in which kinds of file below a folder a text occurs, decoded.
func found(t *testing.T, dir, text string) map[string]int {
	t.Helper()
	kinds, err := absence.Find(dir, text)
	if err != nil {
		t.Fatal(err)
	}
	return kinds
}

// holds reports whether a text occurs in any file below a folder.
func holds(t *testing.T, dir, text string) bool {
	t.Helper()
	return len(found(t, dir, text)) > 0
}
