package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/collectors/exchange"
	"github.com/prforge/prforge/internal/fakegithub"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/config"
	"github.com/prforge/prforge/stages/run"
	"github.com/prforge/prforge/stages/run/runtest"
)

// cluster is a run in an exchange in a folder.
func cluster(t *testing.T, dir string, build *runtest.Build) *Cluster {
	t.Helper()
	x, err := exchange.Open(dir, exchange.S3Options{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(x, build.Config, "test")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// within opens a session on a state of its own and closes it.
func within(t *testing.T, build *runtest.Build, do func(*run.Session) error) error {
	t.Helper()
	env := build.Env
	env.State = t.TempDir()
	s, err := run.Open(t.Context(), env, build.Config)
	if err != nil {
		t.Fatal(err)
	}
	return errors.Join(do(s), s.Close())
}

// interrupting cancels when the nth repository is done.
type interrupting struct {
	pipeline.Silent
	cancel context.CancelFunc
	left   int
}

func (p *interrupting) Done(string, string) {
	if p.left--; p.left == 0 {
		p.cancel()
	}
}

// told keeps what is counted of each phase.
type told struct {
	pipeline.Silent
	phases map[string]int
}

func (p told) Phase(name string, n int) { p.phases[name] = n }

// collectedForCluster collects the built-in world for a cluster, offline from there on.
func collectedForCluster(t *testing.T, dir string, edits ...string) (build *runtest.Build, want string) {
	t.Helper()
	build = world.FromCollected(t, edits...)
	if edits == nil {
		want = runtest.ManifestOf(t, world.Built(t))
	} else {
		if _, err := build.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		want = runtest.ManifestOf(t, build)
	}
	err := within(t, build, func(s *run.Session) error {
		report, err := cluster(t, dir, build).Collect(t.Context(), s)
		if err == nil && (report.Collected != len(build.Config.Refs()) || len(report.Missing) > 0) {
			t.Errorf("%+v", report)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	build.Connect = runtest.Offline(t)
	build.CloneURL = func(model.RepoRef) string { return "http://127.0.0.1:1/none.git" }
	return build, want
}

// TestShardsGiveTheSameBytes spreads the built-in world over 1, 3 and 8 shares,
// in an order of their own, each twice and some of them at the same time, one
// interrupted; what is merged is what one machine builds.
func TestShardsGiveTheSameBytes(t *testing.T) {
	for name, edits := range map[string][]string{
		"plain":      nil,
		"pseudonyms": {"privacy: {pseudonyms: true}", "takedown: {accounts: [{name: nobody-of-this-name, date: 2026-01-31}]}", "revisions: all"},
	} {
		t.Run(name, func(t *testing.T) {
			if edits != nil && testing.Short() {
				t.Skip("a second world of shares")
			}
			first := t.TempDir()
			build, want := collectedForCluster(t, first, edits...)
			counts := []int{1, 3, 8}
			if edits != nil || testing.Short() {
				counts = []int{3}
			}
			for _, n := range counts {
				dir := t.TempDir()
				if err := os.CopyFS(dir, os.DirFS(first)); err != nil {
					t.Fatal(err)
				}
				spread(t, build, dir, n)
				build.Out = filepath.Join(t.TempDir(), "dataset")
				merged, progress := *build, told{phases: map[string]int{}}
				merged.Progress = progress
				err := within(t, &merged, func(s *run.Session) error {
					_, err := cluster(t, dir, build).Merge(t.Context(), s)
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
				if m, err := load.ReadManifest(build.Out); err != nil || progress.phases[verdict.StageContexts] < max(1, m.Records) {
					t.Errorf("%v, phases %v", err, progress.phases)
				}
				if runtest.ManifestOf(t, build) != want {
					t.Errorf("%d shares: another dataset, in %s", n, build.Out)
				}
			}
		})
	}
}

// spread runs every share of n twice: first the last one, interrupted after a
// repository, then each by two machines at once, from the last to the first.
func spread(t *testing.T, build *runtest.Build, dir string, n int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	killed := *build
	killed.Progress = &interrupting{cancel: cancel, left: 1}
	_ = within(t, &killed, func(s *run.Session) error {
		_, err := cluster(t, dir, build).AnalyzeShare(ctx, s, n-1, n)
		return err
	})
	seen := map[string]int{}
	for index := n - 1; index >= 0; index-- {
		var group sync.WaitGroup
		for machine := range 2 {
			group.Go(func() {
				err := within(t, build, func(s *run.Session) error {
					names, err := cluster(t, dir, build).AnalyzeShare(t.Context(), s, index, n)
					if machine == 0 {
						for _, name := range names {
							seen[name]++
						}
					}
					return err
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
	}
	for _, ref := range build.Config.Refs() {
		if seen[ref.String()] != 1 {
			t.Errorf("%s is in %d of %d shares", ref, seen[ref.String()], n)
		}
	}
}

// TestClusterNamesWhatIsMissing asks for each step before the one it needs.
func TestClusterNamesWhatIsMissing(t *testing.T) {
	dir := t.TempDir()
	build := world.Demo(t, world.Server(t), t.TempDir())
	build.Connect, build.AllowPartial = runtest.Offline(t), false
	c := cluster(t, dir, build)
	if _, err := Status(t.Context(), c.x, ""); err == nil || !strings.Contains(err.Error(), "prforge collect") {
		t.Errorf("an empty exchange: %v", err)
	}
	err := within(t, build, func(s *run.Session) error {
		_, err := c.AnalyzeShare(t.Context(), s, 0, 2)
		return err
	})
	var missing *MissingError
	if !errors.As(err, &missing) || missing.Step != "collect" || len(missing.Repositories) != len(build.Config.Refs()) {
		t.Errorf("nothing is collected: %v", err)
	}
	err = within(t, build, func(s *run.Session) error {
		_, err := c.Merge(t.Context(), s)
		return err
	})
	if !errors.As(err, &missing) || missing.Step != "shard" {
		t.Errorf("nothing is analyzed: %v", err)
	}
	for _, index := range []int{-1, 2} {
		if err := within(t, build, func(s *run.Session) error { _, err := c.AnalyzeShare(t.Context(), s, index, 2); return err }); err == nil || errors.As(err, &missing) && missing.Step == "" {
			t.Errorf("share %d of 2 exists", index)
		}
	}
}

// TestReadPlan: a plan that is too long is named as such.
func TestReadPlan(t *testing.T) {
	const text = `{"repositories": ["quayside/tidelog"]}`
	plan, err := readPlan(strings.NewReader(text), int64(len(text))+1)
	if err != nil || len(plan.Repositories) != 1 {
		t.Errorf("%+v, %v", plan, err)
	}
	for _, limit := range []int{len(text), len(text) / 2} {
		if _, err := readPlan(strings.NewReader(text), int64(limit)); err == nil || !strings.Contains(err.Error(), "too long") {
			t.Errorf("%d of %d bytes: %v", limit, len(text), err)
		}
	}
	if _, err := readPlan(strings.NewReader(text[:9]), 99); err == nil || strings.Contains(err.Error(), "too long") {
		t.Errorf("a plan that ends early: %v", err)
	}
}

// TestCollectTriesAgain: a repository of which something failed that may pass is
// left out and collected by the next run, which asks for nothing else.
func TestCollectTriesAgain(t *testing.T) {
	dir := t.TempDir()
	server := runtest.DemoServer(t, fakegithub.Options{Faults: []fakegithub.Fault{{Target: "git", Status: 503}}})
	build := world.Demo(t, server, t.TempDir())
	build.AllowPartial = false
	collect := func() (report *CollectReport) {
		err := within(t, build, func(s *run.Session) (err error) {
			report, err = cluster(t, dir, build).Collect(t.Context(), s)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	report := collect()
	if len(report.Missing) == 0 || len(report.Failures) == 0 || report.Collected+len(report.Missing) != len(build.Config.Refs()) {
		t.Fatalf("%+v", report)
	}
	status, err := Status(t.Context(), cluster(t, dir, build).x, "")
	if err != nil || len(status) != len(build.Config.Refs()) {
		t.Fatalf("%+v, %v", status, err)
	}
	for _, r := range status {
		if r.Collected == slices.Contains(report.Missing, r.Repository) || r.Analyzed {
			t.Errorf("%+v, missing are %v", r, report.Missing)
		}
	}
	server = world.Server(t)
	build.CloneURL = func(r model.RepoRef) string { return server.URL() + "/" + r.String() + ".git" }
	build.Connect = runtest.ConnectTo(server)
	if again := collect(); len(again.Missing) > 0 || again.Collected != len(build.Config.Refs()) {
		t.Errorf("%+v", again)
	}
	build.Connect = runtest.Offline(t)
	collect()
}

// TestShares: every repository is in one share, the largest alone where the
// others together are smaller.
func TestShares(t *testing.T) {
	sizes := map[string]int64{"a/big": 100, "a/b": 30, "a/c": 30, "a/d": 20, "a/none": 0}
	var refs []model.RepoRef
	for name := range sizes {
		ref, err := model.ParseRepoRef(name)
		if err != nil {
			t.Fatal(err)
		}
		refs = append(refs, ref)
	}
	size := func(r model.RepoRef) int64 { return sizes[r.String()] }
	got := shares(refs, size, 2)
	if len(got[0]) != 1 || got[0][0].String() != "a/big" || len(got[1]) != 4 {
		t.Errorf("%v", got)
	}
	if got := shares(refs, size, 8); len(got) != 8 || len(got[7]) != 0 {
		t.Errorf("%v", got)
	}
	none := func(model.RepoRef) int64 { return 0 }
	if got := shares(refs[:4], none, 2); len(got[0]) != 2 || len(got[1]) != 2 {
		t.Errorf("repositories without a size: %v", got)
	}
}

// TestNew: another version is another run, of which one is named where there are two; what
// cannot be spread is refused.
func TestNew(t *testing.T) {
	dir := t.TempDir()
	build := world.Demo(t, world.Server(t), t.TempDir())
	c := cluster(t, dir, build)
	other, err := New(c.x, build.Config, "another")
	if err != nil || other.run == c.run {
		t.Fatalf("%v, runs %s and %s", err, c.run, other.run)
	}
	empty := func(w io.Writer) error { return json.NewEncoder(w).Encode(runPlan{}) }
	for _, one := range []*Cluster{c, other} {
		if err := one.put(t.Context(), one.planName(), empty); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Status(t.Context(), c.x, ""); err == nil || !strings.Contains(err.Error(), c.run) || !strings.Contains(err.Error(), other.run) {
		t.Errorf("two runs: %v", err)
	}
	if status, err := Status(t.Context(), c.x, c.run); err != nil || len(status) != 0 {
		t.Errorf("one of two runs: %v, %v", status, err)
	}
	if _, err := Status(t.Context(), c.x, "run-none"); err == nil || !strings.Contains(err.Error(), "no run-none") {
		t.Errorf("a run that is none: %v", err)
	}
	for want, change := range map[string]func(*config.Config){
		"asks models":  func(cfg *config.Config) { cfg.Summary.Provider = "openai" },
		"that asks":    func(cfg *config.Config) { cfg.Encoder.Provider = "openai" },
		"no snapshots": func(cfg *config.Config) { cfg.Snapshots = true },
	} {
		cfg := *build.Config
		change(&cfg)
		if _, err := New(c.x, &cfg, "test"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
