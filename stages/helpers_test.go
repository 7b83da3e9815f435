package stages

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/internal/absence"
	"github.com/prforge/prforge/internal/config"
	"github.com/prforge/prforge/internal/demo"
	"github.com/prforge/prforge/internal/fakegithub"
	"github.com/prforge/prforge/stages/run"
)

// testRun is a build that a test can change before it runs.
type testRun struct {
	run.Env
	Config *config.Config
}

// Run opens a session, builds, and closes it.
func (r *testRun) Run(ctx context.Context) (*run.Report, error) {
	s, err := run.Open(ctx, r.Env, r.Config)
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

// The built-in world, served for all tests that do not count its requests, and
// the folder of a build of it. TestMain ends both.
var (
	sharedServer *fakegithub.Server
	sharedDir    string
	sharedPacks  map[string]int // git transfers of that build, by repository
)

func TestMain(m *testing.M) {
	os.Exit(func() int {
		var err error
		if sharedDir, err = os.MkdirTemp("", "stages-"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(sharedDir)
		code := m.Run()
		if sharedServer != nil {
			_ = sharedServer.Close()
		}
		return code
	}())
}

var builtOnce = sync.OnceValues(func() (*testRun, error) {
	world, err := demo.World()
	if err != nil {
		return nil, err
	}
	if sharedServer, err = fakegithub.Start(world, fakegithub.Options{Now: clock.Now}); err != nil {
		return nil, err
	}
	b, err := newDemoBuild(sharedServer, sharedDir)
	if err != nil {
		return nil, err
	}
	b.Workers, b.Shards = 8, 8 // TestSameBytesHoweverTheRunGoes compares it with one worker
	_, err = b.Run(context.Background())
	sharedPacks = sharedServer.Stats().Packs
	return b, err
})

// shared is the server of the built-in world that built asked.
func shared(t *testing.T) *fakegithub.Server {
	t.Helper()
	built(t)
	return sharedServer
}

// built is a build of the built-in world that ran to its end. All tests have the
// same one: its dataset and its state are only read.
func built(t *testing.T) *testRun {
	t.Helper()
	b, err := builtOnce()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// builtBugs is a build of the bugs benchmark from the same collection, which the
// tests only read.
func builtBugs(t *testing.T) *testRun {
	t.Helper()
	b, err := builtBugsOnce()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

var builtBugsOnce = sync.OnceValues(func() (*testRun, error) {
	whole, err := builtOnce()
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(sharedDir, "bugs")
	if err := os.CopyFS(filepath.Join(dir, "state"), os.DirFS(whole.State)); err != nil {
		return nil, err
	}
	b, err := newDemoBuild(sharedServer, dir)
	if err != nil {
		return nil, err
	}
	s, err := run.Open(context.Background(), b.Env, b.Config)
	if err != nil {
		return nil, err
	}
	_, err = BuildBugs(context.Background(), s, nil)
	return b, errors.Join(err, s.Close())
})

// fromCollected is a build of its own that begins where the collection of built ended.
func fromCollected(t *testing.T, edits ...string) *testRun {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "state"), os.DirFS(built(t).State)); err != nil {
		t.Fatal(err)
	}
	return demoBuild(t, sharedServer, dir, edits...)
}
