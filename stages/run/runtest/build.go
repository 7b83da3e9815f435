// Package runtest builds datasets of the built-in world for the tests of the
// packages below stages, and damages copies of them.
package runtest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/internal/absence"
	"github.com/prforge/prforge/internal/demo"
	"github.com/prforge/prforge/internal/fakegithub"
	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/stages/config"
	"github.com/prforge/prforge/stages/run"
)

// Build is a build of the built-in world that a test can change before it runs.
type Build struct {
	run.Env
	Config *config.Config
	build  Builder
}

// Builder makes a dataset over an open session.
type Builder func(context.Context, *run.Session) (*run.Report, error)

// Run opens a session, builds, and closes it.
func (r *Build) Run(ctx context.Context) (*run.Report, error) {
	s, err := run.Open(ctx, r.Env, r.Config)
	if err != nil {
		return nil, err
	}
	report, err := r.build(ctx, s)
	return report, errors.Join(err, s.Close())
}

// RunBuild runs a build to its end.
func RunBuild(t *testing.T, b *Build) *run.Report {
	t.Helper()
	report, err := b.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// DemoServer serves the built-in world.
func DemoServer(t *testing.T, opts fakegithub.Options) *fakegithub.Server {
	t.Helper()
	world, err := demo.World()
	if err != nil {
		t.Fatal(err)
	}
	opts.Now = Time.Now
	return fakegithub.ForTest(t, world, opts)
}

// Time is the time of GitHub and of those who ask it: who waits turns it on.
var Time Clock

// Clock is the real time, and what was slept besides.
type Clock struct{ by atomic.Int64 }

// Now is the time.
func (c *Clock) Now() time.Time { return time.Now().Add(time.Duration(c.by.Load())) }

// Sleep turns the clock on and returns at once.
func (c *Clock) Sleep(ctx context.Context, d time.Duration) error {
	c.by.Add(int64(d))
	return ctx.Err()
}

// ConnectTo signs in to a fake, with pauses that take no time.
func ConnectTo(server *fakegithub.Server) func(context.Context) (*ghapi.Client, error) {
	return func(context.Context) (*ghapi.Client, error) {
		o := ghapi.DefaultOptions()
		o.APIURL, o.GraphQLURL, o.Tokens, o.UserAgent = server.URL(), server.GraphQLURL(),
			ghapi.StaticToken("token-of-the-test"), "prforge-test"
		o.Now, o.Sleep = Time.Now, Time.Sleep
		return ghapi.New(o)
	}
}

// Offline is a connection that must not be made.
func Offline(t *testing.T) func(context.Context) (*ghapi.Client, error) {
	return func(context.Context) (*ghapi.Client, error) {
		t.Error("GitHub was asked")
		return nil, errors.New("offline")
	}
}

// ManifestOf is the manifest of the dataset that a build froze.
func ManifestOf(t *testing.T, b *Build) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(b.Out, artifacts.FileManifest))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Golden compares the manifest of a dataset, which has the digest of every file, with
// testdata/manifest.json, or writes it.
func Golden(t *testing.T, dir string, update bool) {
	t.Helper()
	golden := filepath.Join("testdata", "manifest.json")
	got, err := os.ReadFile(filepath.Join(dir, artifacts.FileManifest))
	if err == nil && update {
		err = os.WriteFile(golden, got, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(golden)
	if diff := cmp.Diff(string(want), string(got)); diff != "" || err != nil {
		t.Errorf("other bytes than before, -update to accept: %v\n%s", err, diff)
	}
}

// SomeRecord is a record of a frozen dataset and a reviewer of its ground truth.
func SomeRecord(t *testing.T, b *Build) (*artifacts.Record, string) {
	t.Helper()
	for r, err := range load.ReadLines[artifacts.Record](b.Out, artifacts.FileRecords) {
		if err != nil {
			t.Fatal(err)
		}
		return r, r.HumanReviewComments[0].Author
	}
	t.Fatal("no record")
	return nil, ""
}

// Found says in which kinds of file below a folder a text occurs, decoded.
func Found(t *testing.T, dir, text string) map[string]int {
	t.Helper()
	kinds, err := absence.Find(dir, text)
	if err != nil {
		t.Fatal(err)
	}
	return kinds
}

// Holds reports whether a text occurs in any file below a folder.
func Holds(t *testing.T, dir, text string) bool {
	t.Helper()
	return len(Found(t, dir, text)) > 0
}
