package runtest

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/internal/demo"
	"github.com/prforge/prforge/internal/fakegithub"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/config"
	"github.com/prforge/prforge/stages/run"
)

// World is the built-in world, served for all tests of a package that do not
// count its requests, and a build of it, which they only read.
type World struct {
	// Repositories are those of the built-in world, and Serve says how they are served.
	Repositories func() (*fakegithub.World, error)
	Serve        fakegithub.Options

	build  Builder
	server *fakegithub.Server
	dir    string
	packs  map[string]int // git transfers of the build, by repository
	once   func() (*Build, error)
}

// NewWorld is a world in which a benchmark is built.
func NewWorld(build Builder) *World {
	w := &World{Repositories: demo.World, Serve: fakegithub.Options{Now: Time.Now}, build: build}
	w.once = sync.OnceValues(w.first)
	return w
}

// Main runs the tests of a package, for its TestMain.
func (w *World) Main(m *testing.M) int {
	var err error
	if w.dir, err = os.MkdirTemp("", "stages-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(w.dir)
	code := m.Run()
	if w.server != nil {
		_ = w.server.Close()
	}
	return code
}

func (w *World) first() (*Build, error) {
	world, err := w.Repositories()
	if err != nil {
		return nil, err
	}
	if w.server, err = fakegithub.Start(world, w.Serve); err != nil {
		return nil, err
	}
	b, err := w.newBuild(w.server, w.dir)
	if err != nil {
		return nil, err
	}
	b.Workers, b.Shards = 8, 8 // tests compare it with one worker
	_, err = b.Run(context.Background())
	w.packs = w.server.Stats().Packs
	return b, err
}

// Server is the server that Built asked.
func (w *World) Server(t *testing.T) *fakegithub.Server {
	t.Helper()
	w.Built(t)
	return w.server
}

// Packs counts the git transfers of Built, by repository.
func (w *World) Packs(t *testing.T) map[string]int {
	t.Helper()
	w.Built(t)
	return w.packs
}

// Built is a build of the built-in world that ran to its end. All tests have the
// same one: its dataset and its state are only read.
func (w *World) Built(t *testing.T) *Build {
	t.Helper()
	b, err := w.once()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Golden compares the dataset that Built made with what it was, as the function Golden does.
func (w *World) Golden(t *testing.T, update bool) {
	t.Helper()
	Golden(t, w.Built(t).Out, update)
}

// FromCollected is a build of its own that begins where the collection of Built
// ended. The edits are lines of its configuration.
func (w *World) FromCollected(t *testing.T, edits ...string) *Build {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "state"), os.DirFS(w.Built(t).State)); err != nil {
		t.Fatal(err)
	}
	return w.Demo(t, w.server, dir, edits...)
}

// Demo is a build of the built-in world against a server. The edits are lines of
// its configuration.
func (w *World) Demo(t *testing.T, server *fakegithub.Server, dir string, edits ...string) *Build {
	t.Helper()
	b, err := w.newBuild(server, dir, edits...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (w *World) newBuild(server *fakegithub.Server, dir string, edits ...string) (*Build, error) {
	text := string(demo.Config())
	for _, e := range edits {
		text += e + "\n"
	}
	cfg, err := config.Parse("demo.yaml", []byte(text))
	if err != nil {
		return nil, err
	}
	return &Build{build: w.build, Config: cfg, Env: run.Env{
		State: filepath.Join(dir, "state"), Out: filepath.Join(dir, "dataset"), Shards: 2, AllowPartial: true,
		Host: pipeline.Host{Workers: 2, Getenv: func(string) string { return "a key that is long enough" },
			Log: slog.New(slog.DiscardHandler), Progress: pipeline.Silent{}},
		CloneURL: func(r model.RepoRef) string { return server.URL() + "/" + r.String() + ".git" },
		Connect:  ConnectTo(server),
		Tune:     func(o *collectors.Options) { o.Git.Sleep = func(context.Context, time.Duration) error { return nil } },
	}}, nil
}
