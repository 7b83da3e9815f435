package stages

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/internal/absence"
	"github.com/prforge/prforge/internal/config"
	"github.com/prforge/prforge/internal/demo"
	"github.com/prforge/prforge/internal/fakegithub"
	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/stages/run"
)

// demoServer serves the built-in world.
func demoServer(t *testing.T, opts fakegithub.Options) *fakegithub.Server {
	t.Helper()
	world, err := demo.World()
	if err != nil {
		t.Fatal(err)
	}
	opts.Now = clock.Now
	return fakegithub.ForTest(t, world, opts)
}

// clock is the time of GitHub and of those who ask it: who waits turns it on.
var clock turned

type turned struct{ by atomic.Int64 }

func (c *turned) Now() time.Time { return time.Now().Add(time.Duration(c.by.Load())) }

func (c *turned) Sleep(ctx context.Context, d time.Duration) error {
	c.by.Add(int64(d))
	return ctx.Err()
}

// demoBuild is a build of the built-in world against a server.
func demoBuild(t *testing.T, server *fakegithub.Server, dir string, edits ...string) *testRun {
	t.Helper()
	b, err := newDemoBuild(server, dir, edits...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func newDemoBuild(server *fakegithub.Server, dir string, edits ...string) (*testRun, error) {
	text := string(demo.Config())
	for _, e := range edits {
		text += e + "\n"
	}
	cfg, err := config.Parse("demo.yaml", []byte(text))
	if err != nil {
		return nil, err
	}
	return &testRun{Config: cfg, Env: run.Env{
		State: filepath.Join(dir, "state"), Out: filepath.Join(dir, "dataset"), Workers: 2, Shards: 2, AllowPartial: true,
		Getenv: func(string) string { return "a key that is long enough" }, Log: slog.New(slog.DiscardHandler), Progress: run.Silent{},
		CloneURL: func(r model.RepoRef) string { return server.URL() + "/" + r.String() + ".git" },
		Connect:  connectTo(server),
		Tune:     func(o *collectors.Options) { o.Git.Sleep = func(context.Context, time.Duration) error { return nil } },
	}}, nil
}

// connectTo signs in to a fake, with pauses that take no time.
func connectTo(server *fakegithub.Server) func(context.Context) (*ghapi.Client, error) {
	return func(context.Context) (*ghapi.Client, error) {
		o := ghapi.DefaultOptions()
		o.APIURL, o.GraphQLURL, o.Tokens, o.UserAgent = server.URL(), server.GraphQLURL(), ghapi.StaticToken("token-of-the-test"), "prforge-test"
		o.Now, o.Sleep = clock.Now, clock.Sleep
		return ghapi.New(o)
	}
}

// offline is a connection that must not be made.
func offline(t *testing.T) func(context.Context) (*ghapi.Client, error) {
	return func(context.Context) (*ghapi.Client, error) {
		t.Error("GitHub was asked")
		return nil, errors.New("offline")
	}
}

func runBuild(t *testing.T, b *testRun) *run.Report {
	t.Helper()
	report, err := b.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func manifestOf(t *testing.T, b *testRun) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(b.Out, artifacts.FileManifest))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// The manifest has the hash of every file: equal manifests are equal datasets.
func TestSameBytesHoweverTheRunGoes(t *testing.T) {
	server := shared(t)
	first := demoBuild(t, server, t.TempDir())
	first.Workers, first.Shards = 1, 1
	report := runBuild(t, first)
	if report.Records < 10 || report.LookedAt < 30 {
		t.Fatalf("%d records of %d pull requests: the world is not what it was", report.Records, report.LookedAt)
	}
	want := manifestOf(t, first)

	if manifestOf(t, built(t)) != want {
		t.Error("another dataset with eight workers")
	}
	t.Run("state there, GitHub out of reach", func(t *testing.T) {
		b := demoBuild(t, server, t.TempDir())
		b.State, b.Connect = first.State, offline(t)
		report := runBuild(t, b)
		if manifestOf(t, b) != want || report.Cost.GraphQL+report.Cost.REST != 0 {
			t.Errorf("another dataset, or a cost: %+v", report.Cost)
		}
	})
	t.Run("rebuilt from the dataset's own raw records", func(t *testing.T) {
		b := demoBuild(t, server, t.TempDir())
		b.From, b.Connect = first.Out, offline(t)
		b.CloneURL = func(model.RepoRef) string { return "http://127.0.0.1:1/none.git" }
		runBuild(t, b)
		if manifestOf(t, b) != want {
			t.Error("another dataset")
		}
	})
	t.Run("the same folder again", func(t *testing.T) {
		again := *first
		again.Connect = offline(t)
		runBuild(t, &again)
	})
	t.Run("refresh with nothing changed", func(t *testing.T) {
		b := demoBuild(t, server, t.TempDir())
		b.State, b.Refresh = first.State, true
		cost := runBuild(t, b).Cost
		if manifestOf(t, b) != want {
			t.Error("another dataset")
		}
		if now, first := cost.GraphQL+cost.REST, report.Cost.GraphQL+report.Cost.REST; now*20 > first {
			t.Errorf("%d requests; the first run had %d", now, first)
		}
	})
	t.Run("another dataset is in the folder", func(t *testing.T) {
		b := demoBuild(t, server, t.TempDir(), "contexts: {summary_tokens: 100}")
		b.Out, b.State = first.Out, first.State
		_, err := b.Run(context.Background())
		var frozen *artifacts.FrozenError
		if !errors.As(err, &frozen) || manifestOf(t, first) != want {
			t.Errorf("error %v", err)
		}
	})
}

func TestFaultsOfGitHubChangeNoByte(t *testing.T) {
	clean := built(t)
	secondary := `{"message":"You have exceeded a secondary rate limit. Please wait a few minutes before you try again."}`
	server := demoServer(t, fakegithub.Options{Faults: []fakegithub.Fault{
		{Target: "graphql", Nth: []int{1}, Status: 502, Body: "<html>unicorn</html>"},
		{Target: "graphql", Nth: []int{3}, Status: 200, Body: `{"data":null}`},
		{Target: "graphql", Nth: []int{5}, Drop: true},
		{Target: "graphql", Nth: []int{7}, Cut: 0.5},
		{Target: "graphql", Nth: []int{9}, Garbage: true},
		{Target: "graphql", Nth: []int{11}, Empty: true},
		{Target: "graphql", Nth: []int{13}, Status: 403, Body: secondary, Headers: map[string]string{"x-ratelimit-remaining": "4000", "x-ratelimit-reset": "{{now+3000}}"}},
		{Target: "rest", Nth: []int{2}, Status: 502, Body: `{"message":"Server Error"}`},
		{Target: "rest", Nth: []int{4}, Cut: 0.4},
		{Target: "rest", Nth: []int{6}, Garbage: true},
		{Target: "rest", Nth: []int{8}, Empty: true},
		{Target: "rest", Nth: []int{10}, Status: 429, Body: secondary, Headers: map[string]string{"retry-after": "1"}},
		{Target: "git", Nth: []int{2}, Status: 503},
		{Target: "git", Nth: []int{5}, Drop: true},
		{Target: "git", Nth: []int{8}, Cut: 0.3},
	}})
	b := demoBuild(t, server, t.TempDir())
	report := runBuild(t, b)
	if n := server.Stats().Faults; n < 14 {
		t.Fatalf("only %d of the faults happened", n)
	}
	if manifestOf(t, b) != manifestOf(t, clean) {
		t.Errorf("another dataset; failures: %+v", report.Failures)
	}
}

func TestWhatCannotBeHadIsListedAndTheRunGoesOn(t *testing.T) {
	gone := fakegithub.Fault{Target: "rest", Match: regexp.MustCompile(`/pulls/\d+`), Times: 1, Status: 404, Body: `{"message":"Not Found"}`}
	server := demoServer(t, fakegithub.Options{Faults: []fakegithub.Fault{gone}})
	b := demoBuild(t, server, t.TempDir())
	b.AllowPartial = false
	report, err := b.Run(context.Background())
	if !errors.Is(err, run.ErrPartial) || report == nil || len(report.Failures) == 0 {
		t.Fatalf("report %+v, error %v", report, err)
	}
	if _, err := os.Stat(b.Out); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something was frozen: %v", err)
	}
	b.AllowPartial = true
	if report := runBuild(t, b); !report.Frozen || len(report.Failures) == 0 {
		t.Errorf("report %+v", report)
	}
}

func TestTakedownsAndNamesAreNowhere(t *testing.T) {
	plain := built(t)
	first, reviewer := someRecord(t, plain)

	b := fromCollected(t, "takedown: {pull_requests: [{name: "+first.Repo+"#"+itoa(first.PRNumber)+", date: 2026-01-31}]}", "privacy: {pseudonyms: true}")
	runBuild(t, b)
	if holds(t, b.Out, first.Title) || holds(t, b.Out, reviewer) {
		t.Errorf("%q or %q is still in the dataset", first.Title, reviewer)
	}
	if !holds(t, plain.Out, first.Title) || !holds(t, plain.Out, reviewer) {
		t.Error("the test looks for what never was there")
	}
	tombstones, err := os.ReadFile(filepath.Join(b.Out, artifacts.FileTombstones))
	if err != nil || strings.TrimSpace(string(tombstones)) != `{"date":"2026-01-31","kind":"pull_request"}` {
		t.Errorf("tombstones %s, %v", tombstones, err)
	}
}

func TestNoSecretReachesStateOrDataset(t *testing.T) {
	record, _ := someRecord(t, built(t))
	kinds := found(t, sharedDir, record.Title)
	for _, kind := range []string{absence.Plain, absence.Zstd, absence.Parquet, absence.Bolt} {
		if kinds[kind] == 0 {
			t.Errorf("a title is in no %s file: the search could not find a token there either", kind)
		}
	}
	if kinds := found(t, sharedDir, "token-of-the-test"); len(kinds) > 0 {
		t.Errorf("the token was written: %v", kinds)
	}
}

// codes counts the reasons in a dataset's decisions.
func codes(t *testing.T, b *testRun) map[verdict.Code]int {
	t.Helper()
	out := map[verdict.Code]int{}
	for d, err := range artifacts.ReadLines[artifacts.Decision](b.Out, artifacts.FileDecisions) {
		if err != nil {
			t.Fatal(err)
		}
		out[d.Code]++
	}
	return out
}

func TestWhatLiesBeyondTheCapIsListed(t *testing.T) {
	b := fromCollected(t, "window: {max_pulls_per_repository: 3}")
	runBuild(t, b)
	if codes(t, b)[verdict.OverWindowCap] == 0 {
		t.Error("nothing is over the cap")
	}
}

func TestContextsThatCannotBeBuiltFailTheirPullRequestAlone(t *testing.T) {
	b := fromCollected(t)
	b.Config.Contexts.Budgets = model.Budgets{A: 240, B: 240, C: 240} // less than a configuration may say
	report := runBuild(t, b)
	if n := codes(t, b)[verdict.ContextsFailed]; n == 0 || n != len(report.Failures) || n+report.Records != 17 {
		t.Errorf("%d contexts failed, %d failures, %d records", n, len(report.Failures), report.Records)
	}
}

func TestAnAccountTakenDownLeavesNoLine(t *testing.T) {
	plain := built(t)
	r, _ := someRecord(t, plain)
	e, err := artifacts.ReadJSON[artifacts.Evidence](plain.Out, artifacts.FileEvidence(r.TaskID))
	if err != nil {
		t.Fatal(err)
	}
	b := fromCollected(t, "takedown: {accounts: [{name: "+e.Author+", date: 2026-01-31}]}")
	runBuild(t, b)
	if holds(t, b.Out, `"`+e.Author+`"`) || holds(t, b.Out, r.Title) {
		t.Errorf("%s or %q is still in the dataset", e.Author, r.Title)
	}
	if n := codes(t, b)[verdict.TakenDown]; n != 0 {
		t.Errorf("%d lines say that something was taken down", n)
	}
}

// What was taken down or renamed stays so when the dataset is built again from
// itself, and its bytes are the same.
func TestRedactedDatasetsAreRebuilt(t *testing.T) {
	plain := built(t)
	record, reviewer := someRecord(t, plain)
	for name, edits := range map[string][]string{
		"pseudonyms": {"privacy: {pseudonyms: true}"},
		"takedown": {"takedown: {pull_requests: [{name: " + record.Repo + "#" + itoa(record.PRNumber) + ", date: 2026-01-31}], accounts: [{name: " + reviewer +
			", date: 2026-01-30}], repositories: [{name: lanternworks/parcelpost, date: 2026-01-29}]}"},
	} {
		t.Run(name, func(t *testing.T) {
			b := fromCollected(t, edits...)
			runBuild(t, b)
			again, err := rebuild(t.Context(), run.Env{Workers: 2, Shards: 2, Log: b.Log, Progress: run.Silent{}, Getenv: func(string) string { return "" }}, b.Out)
			if err != nil {
				t.Fatal(err)
			}
			if len(again.Differ) > 0 || again.Files < 50 {
				t.Errorf("%d files, these differ: %v", again.Files, again.Differ)
			}
		})
	}
}

// One repository that is gone neither stops the freeze nor a rebuild.
func TestARepositoryThatIsGone(t *testing.T) {
	b := fromCollected(t)
	b.AllowPartial = false
	b.Config.Repositories = config.Repositories{"no/such", "quayside/tidelog"}
	report := runBuild(t, b)
	if !report.Frozen || len(report.Failures) > 0 || len(report.Gone) != 1 || report.Gone[0].Name != "no/such" || report.Gone[0].Code != string(verdict.NotFound) {
		t.Errorf("%+v", report)
	}
	again, err := rebuild(t.Context(), run.Env{Workers: 2, Shards: 2, Log: b.Log, Progress: run.Silent{}, Getenv: func(string) string { return "" }}, b.Out)
	if err != nil {
		t.Fatal(err)
	}
	if len(again.Differ) > 0 {
		t.Errorf("these differ: %v", again.Differ)
	}
}

// A repository takes six git transfers: the history of the default branch, the
// tree that its score reads and the files of it that say how it is built; then the
// commits of its pull requests, their trees, and all other files.
func TestSixGitTransfers(t *testing.T) {
	built(t)
	six := 0
	for repo, n := range sharedPacks {
		if n > 6 {
			t.Errorf("%s: %d git transfers", repo, n)
		}
		if n == 6 {
			six++
		}
	}
	if six == 0 {
		t.Errorf("no repository took six: %v", sharedPacks)
	}
}
