package review

import (
	"context"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/internal/absence"
	"github.com/prforge/prforge/internal/fakegithub"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/config"
	"github.com/prforge/prforge/stages/run"
	"github.com/prforge/prforge/stages/run/runtest"
)

var update = flag.Bool("update", false, "rewrite testdata/manifest.json")

func TestGolden(t *testing.T) { world.Golden(t, *update) }

// The manifest has the hash of every file: equal manifests are equal datasets.
func TestSameBytesHoweverTheRunGoes(t *testing.T) {
	server := world.Server(t)
	first := world.Demo(t, server, t.TempDir())
	first.Workers, first.Shards = 1, 1
	report := runtest.RunBuild(t, first)
	if report.Records < 10 || report.LookedAt < 30 {
		t.Fatalf("%d records of %d pull requests: the world is not what it was", report.Records, report.LookedAt)
	}
	want := runtest.ManifestOf(t, first)

	if runtest.ManifestOf(t, world.Built(t)) != want {
		t.Error("another dataset with eight workers")
	}
	t.Run("state there, GitHub out of reach", func(t *testing.T) {
		b := world.Demo(t, server, t.TempDir())
		b.State, b.Connect = first.State, runtest.Offline(t)
		report := runtest.RunBuild(t, b)
		if runtest.ManifestOf(t, b) != want || report.Cost.GraphQL+report.Cost.REST != 0 {
			t.Errorf("another dataset, or a cost: %+v", report.Cost)
		}
	})
	t.Run("rebuilt from the dataset's own raw records", func(t *testing.T) {
		b := world.Demo(t, server, t.TempDir())
		b.From, b.Connect = first.Out, runtest.Offline(t)
		b.CloneURL = func(model.RepoRef) string { return "http://127.0.0.1:1/none.git" }
		runtest.RunBuild(t, b)
		if runtest.ManifestOf(t, b) != want {
			t.Error("another dataset")
		}
	})
	t.Run("the same folder again", func(t *testing.T) {
		again := *first
		again.Connect = runtest.Offline(t)
		runtest.RunBuild(t, &again)
	})
	t.Run("refresh with nothing changed", func(t *testing.T) {
		b := world.Demo(t, server, t.TempDir())
		b.State, b.Refresh = first.State, true
		cost := runtest.RunBuild(t, b).Cost
		if runtest.ManifestOf(t, b) != want {
			t.Error("another dataset")
		}
		if now, first := cost.GraphQL+cost.REST, report.Cost.GraphQL+report.Cost.REST; now*20 > first {
			t.Errorf("%d requests; the first run had %d", now, first)
		}
	})
	t.Run("another dataset is in the folder", func(t *testing.T) {
		b := world.Demo(t, server, t.TempDir(), "contexts: {summary_tokens: 100}")
		b.Out, b.State = first.Out, first.State
		_, err := b.Run(context.Background())
		var frozen *freeze.FrozenError
		if !errors.As(err, &frozen) || runtest.ManifestOf(t, first) != want {
			t.Errorf("error %v", err)
		}
	})
}

func TestFaultsOfGitHubChangeNoByte(t *testing.T) {
	clean := world.Built(t)
	secondary := `{"message":"You have exceeded a secondary rate limit. Please wait a few minutes before you try again."}`
	server := runtest.DemoServer(t, fakegithub.Options{Faults: []fakegithub.Fault{
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
	b := world.Demo(t, server, t.TempDir())
	report := runtest.RunBuild(t, b)
	if n := server.Stats().Faults; n < 14 {
		t.Fatalf("only %d of the faults happened", n)
	}
	if runtest.ManifestOf(t, b) != runtest.ManifestOf(t, clean) {
		t.Errorf("another dataset; failures: %+v", report.Failures)
	}
}

func TestWhatCannotBeHadIsListedAndTheRunGoesOn(t *testing.T) {
	gone := fakegithub.Fault{Target: "rest", Match: regexp.MustCompile(`/pulls/\d+`), Times: 1, Status: 404, Body: `{"message":"Not Found"}`}
	server := runtest.DemoServer(t, fakegithub.Options{Faults: []fakegithub.Fault{gone}})
	b := world.Demo(t, server, t.TempDir())
	b.AllowPartial = false
	report, err := b.Run(context.Background())
	if !errors.Is(err, run.ErrPartial) || report == nil || len(report.Failures) == 0 {
		t.Fatalf("report %+v, error %v", report, err)
	}
	if _, err := os.Stat(b.Out); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something was frozen: %v", err)
	}
	b.AllowPartial = true
	if report := runtest.RunBuild(t, b); !report.Frozen || len(report.Failures) == 0 {
		t.Errorf("report %+v", report)
	}
}

func TestTakedownsAndNamesAreNowhere(t *testing.T) {
	plain := world.Built(t)
	first, reviewer := runtest.SomeRecord(t, plain)

	b := world.FromCollected(t, "takedown: {pull_requests: [{name: "+first.Repo+"#"+strconv.Itoa(first.PRNumber)+", date: 2026-01-31}]}", "privacy: {pseudonyms: true}")
	runtest.RunBuild(t, b)
	if runtest.Holds(t, b.Out, first.Title) || runtest.Holds(t, b.Out, reviewer) {
		t.Errorf("%q or %q is still in the dataset", first.Title, reviewer)
	}
	if !runtest.Holds(t, plain.Out, first.Title) || !runtest.Holds(t, plain.Out, reviewer) {
		t.Error("the test looks for what never was there")
	}
	tombstones, err := os.ReadFile(filepath.Join(b.Out, artifacts.FileTombstones))
	if err != nil || strings.TrimSpace(string(tombstones)) != `{"date":"2026-01-31","kind":"pull_request"}` {
		t.Errorf("tombstones %s, %v", tombstones, err)
	}
}

func TestSecret_ReachesNeitherStateNorDataset(t *testing.T) {
	record, _ := runtest.SomeRecord(t, world.Built(t))
	kinds := runtest.Found(t, filepath.Dir(world.Built(t).State), record.Title)
	for _, kind := range []string{absence.Plain, absence.Zstd, absence.Parquet, absence.Bolt} {
		if kinds[kind] == 0 {
			t.Errorf("a title is in no %s file: the search could not find a token there either", kind)
		}
	}
	if kinds := runtest.Found(t, filepath.Dir(world.Built(t).State), "token-of-the-test"); len(kinds) > 0 {
		t.Errorf("the token was written: %v", kinds)
	}
}

// codes counts the reasons in a dataset's decisions.
func codes(t *testing.T, b *runtest.Build) map[verdict.Code]int {
	t.Helper()
	out := map[verdict.Code]int{}
	for d, err := range load.ReadLines[artifacts.Decision](b.Out, artifacts.FileDecisions) {
		if err != nil {
			t.Fatal(err)
		}
		out[d.Code]++
	}
	return out
}

// TestDemo_OneOfEach: the demo shows each of the ten filters at work, and each reason
// that takes a comment out of what a record shows.
func TestDemo_OneOfEach(t *testing.T) {
	b := world.Built(t)
	rejects, reasons := map[string]bool{}, map[verdict.Code]bool{}
	for d, err := range load.ReadLines[artifacts.Decision](b.Out, artifacts.FileDecisions) {
		if err != nil {
			t.Fatal(err)
		}
		if d.Outcome == artifacts.Rejected {
			rejects[d.Stage] = true
		}
	}
	for _, filter := range []string{
		verdict.FilterMerged, verdict.FilterSubstantiveComments, verdict.FilterNonTestChange, verdict.FilterNotDocsOnly, verdict.FilterNotDependencyUpdate,
		verdict.FilterNotAIDominated, verdict.FilterDiffParseable, verdict.FilterBaseAccessible, verdict.FilterRepositoryPublic, verdict.FilterReviewValue, verdict.StageShown,
	} {
		if !rejects[filter] {
			t.Errorf("%s rejects nothing", filter)
		}
	}
	e, err := load.ReadJSON[artifacts.Evidence](b.Out, artifacts.FileEvidence("tidelog__65"))
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range e.Comments {
		if k.Reason != nil {
			reasons[verdict.Code(*k.Reason)] = true
		}
	}
	for _, code := range []verdict.Code{verdict.NotShown, verdict.AnsweredBefore, verdict.OtherRevision} {
		if !reasons[code] {
			t.Errorf("no comment of tidelog#65 is %s", code)
		}
	}
}

func TestCap_ListsTheRest(t *testing.T) {
	b := world.FromCollected(t, "window: {max_pulls_per_repository: 3}")
	runtest.RunBuild(t, b)
	if codes(t, b)[verdict.OverWindowCap] == 0 {
		t.Error("nothing is over the cap")
	}
}

func TestContextsThatCannotBeBuiltFailTheirPullRequestAlone(t *testing.T) {
	b := world.FromCollected(t)
	b.Config.Contexts.Around = model.Budgets{A: 240, B: 240, C: 240} // less than a configuration may say
	report := runtest.RunBuild(t, b)
	if n := codes(t, b)[verdict.ContextsFailed]; n == 0 || n != len(report.Failures) || n+report.Records != 17 {
		t.Errorf("%d contexts failed, %d failures, %d records", n, len(report.Failures), report.Records)
	}
}

func TestTakedown_AccountLeavesNoLine(t *testing.T) {
	plain := world.Built(t)
	r, _ := runtest.SomeRecord(t, plain)
	e, err := load.ReadJSON[artifacts.Evidence](plain.Out, artifacts.FileEvidence(r.TaskID))
	if err != nil {
		t.Fatal(err)
	}
	b := world.FromCollected(t, "takedown: {accounts: [{name: "+e.Author+", date: 2026-01-31}]}")
	runtest.RunBuild(t, b)
	if runtest.Holds(t, b.Out, `"`+e.Author+`"`) || runtest.Holds(t, b.Out, r.Title) {
		t.Errorf("%s or %q is still in the dataset", e.Author, r.Title)
	}
	if n := codes(t, b)[verdict.TakenDown]; n != 0 {
		t.Errorf("%d lines say that something was taken down", n)
	}
}

// What was taken down or renamed stays so when the dataset is built again from
// itself, and its bytes are the same.
func TestRedactedDatasetsAreRebuilt(t *testing.T) {
	plain := world.Built(t)
	record, reviewer := runtest.SomeRecord(t, plain)
	for name, edits := range map[string][]string{
		"pseudonyms": {"privacy: {pseudonyms: true}"},
		"takedown": {"takedown: {pull_requests: [{name: " + record.Repo + "#" + strconv.Itoa(record.PRNumber) + ", date: 2026-01-31}], accounts: [{name: " + reviewer +
			", date: 2026-01-30}], repositories: [{name: lanternworks/parcelpost, date: 2026-01-29}]}"},
	} {
		t.Run(name, func(t *testing.T) {
			b := world.FromCollected(t, edits...)
			runtest.RunBuild(t, b)
			again, err := run.Rebuild(t.Context(), run.Env{Host: pipeline.Quiet(2), Shards: 2}, b.Out, Build)
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
func TestRepository_Gone(t *testing.T) {
	b := world.FromCollected(t)
	b.AllowPartial = false
	b.Config.Repositories = config.Repositories{"no/such", "quayside/tidelog"}
	report := runtest.RunBuild(t, b)
	if !report.Frozen || len(report.Failures) > 0 || len(report.Gone) != 1 || report.Gone[0].Name != "no/such" || report.Gone[0].Code != string(verdict.NotFound) {
		t.Errorf("%+v", report)
	}
	again, err := run.Rebuild(t.Context(), run.Env{Host: pipeline.Quiet(2), Shards: 2}, b.Out, Build)
	if err != nil {
		t.Fatal(err)
	}
	if len(again.Differ) > 0 {
		t.Errorf("these differ: %v", again.Differ)
	}
}

// A repository takes seven git transfers: the history of the default branch, the
// tree that its score reads and the files of it that say how it is built; then the
// commits of its pull requests, their trees, the files that revisions are compared in,
// and the sources of those that the cheap filters let through.
func TestSevenGitTransfers(t *testing.T) {
	seven := 0
	for repo, n := range world.Packs(t) {
		if n > 7 {
			t.Errorf("%s: %d git transfers", repo, n)
		}
		if n == 7 {
			seven++
		}
	}
	if seven == 0 {
		t.Errorf("no repository took seven: %v", world.Packs(t))
	}
}
