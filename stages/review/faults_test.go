package review

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/internal/fakegithub"
	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
	"github.com/prforge/prforge/stages/config"
	"github.com/prforge/prforge/stages/run"
	"github.com/prforge/prforge/stages/run/runtest"
)

// faultModes are the columns of the table: what happens to a request.
var faultModes = []struct {
	name  string
	fault fakegithub.Fault
}{
	{"502 twice", fakegithub.Fault{Status: http.StatusBadGateway, Times: 2}},
	{"502 always", fakegithub.Fault{Status: http.StatusBadGateway}},
	{"never answers", fakegithub.Fault{Stall: true}},
	{"garbage", fakegithub.Fault{Garbage: true}},
	{"truncated", fakegithub.Fault{Cut: 0.5}},
	{"dropped", fakegithub.Fault{Drop: true}},
	{"empty", fakegithub.Fault{Empty: true}},
	{"403", fakegithub.Fault{Status: http.StatusForbidden, Body: `{"message":"Resource not accessible by personal access token"}`}},
	{"404", fakegithub.Fault{Status: http.StatusNotFound, Body: `{"message":"Not Found"}`}},
	{"451", fakegithub.Fault{Status: http.StatusUnavailableForLegalReasons, Body: `{"message":"Repository access blocked","block":{"reason":"dmca"}}`}},
	{"422", fakegithub.Fault{Status: http.StatusUnprocessableEntity, Body: `{"message":"Validation Failed"}`}},
	{"401", fakegithub.Fault{Status: http.StatusUnauthorized, Body: `{"message":"Bad credentials"}`}},
	{"limit", fakegithub.Fault{Status: http.StatusForbidden, Headers: map[string]string{"Retry-After": "3600"}, Body: `{"message":"You have exceeded a secondary rate limit."}`}},
}

// faultCall is a row of the table: a kind of request, and which of them.
type faultCall struct {
	name, target string
	match        string
	repo         string
	pull         int  // the pull request that it is about; 0 is the whole repository
	stays        bool // --refresh does not ask again for what it learnt
	refresh      bool // it is made by a refresh alone
}

// faultCalls are the rows. They are made of what a run without faults learnt: the
// ids of commits and files.
func faultCalls(t *testing.T, clean *runtest.Build) []faultCall {
	t.Helper()
	lost, forked, newest := keptPull(t, clean, 14), keptPull(t, clean, 12), keptPull(t, clean, 15)
	const pier = "harbor/pier"
	commented := lost.Threads[0].Comments[0].OriginalOid
	return []faultCall{
		{name: "survey", target: "graphql", match: `"a0":null.*"n0":"pier"`, repo: pier},
		{name: "census", target: "graphql", match: `"a0":"[^"]+".*"n0":"pier"`, repo: pier},
		{name: "changed", target: "graphql", match: `Repository.*"R_71"`, repo: pier, refresh: true},
		{name: "details", target: "graphql", match: `mergeCommit\{oid.*"PR_7100013"`, repo: pier, pull: 13},
		{name: "threads", target: "graphql", match: `PullRequestReviewThread\{id,comments.*"PRRT_740013`, repo: pier, pull: 13},
		{name: "long lists", target: "graphql", match: `page: .*"(PR_7100013|PRRT_740013\d+)"`, repo: pier, pull: 13},
		{name: "history", target: "graphql", match: `userContentEdits.*"PR_7100013"`, repo: pier, pull: 13},
		{name: "why refused", target: "rest", match: `^/repos/harbor/wreck$`, repo: "harbor/wreck"},
		{name: "diff", target: "rest", match: `/pulls/13$`, repo: pier, pull: 13},
		{name: "fork point", target: "rest", match: `/compare/.*\.\.\.` + forked.HeadOid + `\?`, repo: pier, pull: 12, stays: true},
		{name: "lost commit", target: "rest", match: `/compare/.*\.\.\.` + commented + `\?`, repo: pier, pull: 14, stays: true},
		{name: "its diff", target: "rest", match: `/compare/.*\.\.\.` + commented + `$`, repo: pier, pull: 14, stays: true},
		{name: "git tree", target: "git", match: "(?s)harbor/pier.*want " + newest.MergeCommit.Oid, repo: pier},
		{name: "git commits", target: "git", match: "(?s)harbor/pier.*want " + newest.HeadOid, repo: pier},
		{name: "git files", target: "git", match: "(?s)harbor/pier.*want " + keptFile(t, clean, 13, "pier/log.py"), repo: pier},
	}
}

// faultWorld plays the world of the table.
type faultWorld struct {
	server *fakegithub.Server
	always []fakegithub.Fault // what git has lost in every run
	want   string             // the manifest of a run without faults
}

func newFaultWorld(t *testing.T, opts fakegithub.Options) *faultWorld {
	t.Helper()
	world, err := fakegithub.ParseWorld(os.DirFS("testdata/faults"))
	if err != nil {
		t.Fatal(err)
	}
	opts.Now, opts.APIKeepsPurged = runtest.Time.Now, true
	return &faultWorld{server: fakegithub.ForTest(t, world, opts)}
}

// build is a build of the world; one fault happens in it, if any.
func (w *faultWorld) build(t *testing.T, dir, out string, faults ...fakegithub.Fault) *runtest.Build {
	t.Helper()
	w.server.SetFaults(append(faults, w.always...)...)
	b := world.Demo(t, w.server, dir)
	b.Config.Repositories, b.Config.RQS.MinScore = config.Repositories{"harbor/pier", "harbor/buoy", "harbor/wreck"}, 0
	b.Config.RVS.Floor, b.Config.RVS.HardFloor = 0, 0
	b.Out, b.AllowPartial = filepath.Join(dir, out), false
	b.Connect = func(context.Context) (*ghapi.Client, error) {
		o := ghapi.DefaultOptions()
		o.APIURL, o.GraphQLURL, o.Tokens, o.UserAgent = w.server.URL(), w.server.GraphQLURL(), ghapi.StaticToken("token-of-the-test"), "prforge-test"
		o.Now, o.Sleep, o.AttemptTimeout = runtest.Time.Now, runtest.Time.Sleep, 300*time.Millisecond
		return ghapi.New(o)
	}
	b.Tune = func(o *collectors.Options) {
		o.GitHub.Census, o.GitHub.Items = 3, 2
		o.Git.Sleep, o.Git.Attempts, o.Git.IdleTimeout = func(context.Context, time.Duration) error { return nil }, 3, time.Second
	}
	return b
}

// learn runs the world once with nothing lost, for the ids of its commits, then
// has git lose the base branch of two pull requests and runs it again.
func (w *faultWorld) learn(t *testing.T) []faultCall {
	t.Helper()
	whole := w.build(t, t.TempDir(), "clean")
	runtest.RunBuild(t, whole)
	for _, number := range []int{11, 12} {
		oid := keptPull(t, whole, number).MergeCommit.Oid
		w.always = append(w.always, fakegithub.Fault{Target: "git", Match: regexp.MustCompile("want " + oid), Lost: oid})
	}
	clean := w.build(t, t.TempDir(), "clean")
	if r := runtest.RunBuild(t, clean); len(r.Failures) > 0 || r.Records != 4 {
		t.Fatalf("%d records, failures %+v: the world is not what it was", r.Records, r.Failures)
	}
	w.want = runtest.ManifestOf(t, clean)
	return faultCalls(t, clean)
}

// keptPull is a pull request of the pier as the state of a run has it.
func keptPull(t *testing.T, b *runtest.Build, number int) *model.PullRequest {
	t.Helper()
	var pull model.PullRequest
	inState(t, b, func(shard *store.Shard) (err error) {
		pull, _, err = store.Get[model.PullRequest](shard, store.Pull, strconv.Itoa(number))
		return err
	})
	return &pull
}

// keptFile is the object of a file at the fork point of a pull request.
func keptFile(t *testing.T, b *runtest.Build, number int, path string) (oid string) {
	t.Helper()
	inState(t, b, func(shard *store.Shard) error {
		tree, err := shard.Snapshot("pull/" + strconv.Itoa(number))
		if err != nil {
			return err
		}
		for _, e := range tree.Entries() {
			if e.Path == path {
				oid = e.Oid
			}
		}
		return nil
	})
	return oid
}

// inState reads what the state of a run has of the pier.
func inState(t *testing.T, b *runtest.Build, read func(*store.Shard) error) {
	t.Helper()
	raw, err := store.Open(filepath.Join(b.State, "raw"), store.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	shard, err := raw.Shard(model.RepoRef{Owner: "harbor", Name: "pier"})
	if err == nil {
		err = read(shard)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// outcomes are the words of the table. Whatever a run came to, the next run in its
// state makes the dataset of a run without faults; but for what GitHub said is gone.
const (
	faultSame = "same" // the run makes the dataset of a run without faults
	faultPull = "pull" // the pull request fails, and no other
	faultRepo = "repo" // the repository fails, and no other
	faultRun  = "run"  // the run ends
	faultFact = "fact" // the dataset says so, and so does the next run's
	faultGone = "gone" // the pull request fails, in the next run as well
)

// cell runs the world with a fault, then again without it, and gives what the
// fault came to.
func (w *faultWorld) cell(t *testing.T, call faultCall, fault fakegithub.Fault) string {
	t.Helper()
	dir := t.TempDir()
	fault.Target, fault.Match = call.target, regexp.MustCompile(call.match)
	if call.refresh {
		runtest.RunBuild(t, w.build(t, dir, "before"))
	}
	first := w.build(t, dir, "first", fault)
	first.Refresh = call.refresh
	outcome := w.outcomeOf(t, first, call)
	second := w.build(t, dir, "second")
	second.Refresh = call.refresh
	report, err := second.Run(t.Context())
	want := w.want
	switch {
	case outcome == faultFact:
		want = runtest.ManifestOf(t, first)
	case outcome == faultPull && errors.Is(err, run.ErrPartial) && report.Cost.REST+report.Cost.GraphQL == 0:
		outcome, want = faultGone, ""
	case err != nil:
		t.Errorf("%s: the run after it: %v", outcome, err)
		return outcome
	}
	if want != "" && runtest.ManifestOf(t, second) != want {
		t.Errorf("%s: the run after it makes another dataset", outcome)
	}
	if (outcome == faultFact || outcome == faultGone) && !call.stays {
		third := w.build(t, dir, "third")
		third.Refresh = true
		if runtest.RunBuild(t, third); runtest.ManifestOf(t, third) != w.want {
			t.Errorf("%s: a refresh makes another dataset", outcome)
		}
	}
	return outcome
}

// outcomeOf is what a run with a fault came to.
func (w *faultWorld) outcomeOf(t *testing.T, b *runtest.Build, call faultCall) string {
	t.Helper()
	report, err := b.Run(t.Context())
	if w.server.Stats().Faults == 0 {
		t.Fatal("the fault did not happen")
	}
	switch {
	case err == nil && runtest.ManifestOf(t, b) == w.want:
		return faultSame
	case err == nil:
		return faultFact
	case collectors.IsFatal(err):
		return faultRun
	case !errors.Is(err, run.ErrPartial):
		return err.Error()
	}
	var names []string
	for _, f := range report.Failures {
		names = append(names, f.Name)
	}
	others := func(name string) bool { return !strings.HasPrefix(name, call.repo) }
	switch {
	case call.pull != 0 && slices.Equal(names, []string{call.repo + "#" + strconv.Itoa(call.pull)}):
		return faultPull
	case call.pull == 0 && !slices.ContainsFunc(names, others):
		return faultRepo
	}
	return "failures of " + strings.Join(names, ", ")
}

// TestFaultsByTheTable compares every cell of the table in docs/collection.md with
// what happens, in short tests a part of them that the seed decides.
func TestFaultsByTheTable(t *testing.T) {
	const seed, part = 23, 8
	table := faultTable(t)
	w := newFaultWorld(t, fakegithub.Options{})
	calls := w.learn(t)
	type cell struct{ call, mode int }
	var cells []cell
	for i, call := range calls {
		if len(table[call.name]) != len(faultModes) {
			t.Errorf("%s: the table has %d outcomes for %d faults", call.name, len(table[call.name]), len(faultModes))
		}
		for k, mode := range faultModes {
			if !testing.Short() || !mode.fault.Stall { // that waits
				cells = append(cells, cell{i, k})
			}
		}
	}
	if len(table) != len(calls) {
		t.Errorf("the table has %d requests of %d", len(table), len(calls))
	}
	if testing.Short() {
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(cells), func(i, k int) { cells[i], cells[k] = cells[k], cells[i] })
		cells = cells[:part]
	}
	for _, c := range cells {
		call, mode := calls[c.call], faultModes[c.mode]
		t.Run(call.name+"/"+mode.name, func(t *testing.T) {
			if got, want := w.cell(t, call, mode.fault), table[call.name][mode.name]; got != want {
				t.Errorf("%s, the table says %s", got, want)
			}
		})
	}
}

// TestGoneMergeCommit_IsStored: a run that git says has lost the commit whose tree the repository score reads stores
// that. Neither the next run in its state nor a rebuild from its dataset needs a server.
func TestGoneMergeCommit_IsStored(t *testing.T) {
	w := newFaultWorld(t, fakegithub.Options{})
	clean := w.build(t, t.TempDir(), "clean")
	runtest.RunBuild(t, clean)
	oid := keptPull(t, clean, 15).MergeCommit.Oid
	w.always = []fakegithub.Fault{{Target: "git", Match: regexp.MustCompile("want " + oid), Lost: oid}}
	dir := t.TempDir()
	first := w.build(t, dir, "first")
	runtest.RunBuild(t, first)
	if runtest.ManifestOf(t, first) == runtest.ManifestOf(t, clean) {
		t.Fatal("the commit was not lost")
	}
	again, rebuilt := w.build(t, dir, "again"), w.build(t, t.TempDir(), "rebuilt")
	rebuilt.From = first.Out
	for _, b := range []*runtest.Build{again, rebuilt} {
		b.Connect = runtest.Offline(t)
		b.CloneURL = func(model.RepoRef) string { return "http://127.0.0.1:1/none.git" }
		if runtest.RunBuild(t, b); runtest.ManifestOf(t, b) != runtest.ManifestOf(t, first) {
			t.Errorf("%s: another dataset", filepath.Base(b.Out))
		}
	}
}

// faultTable reads the documentation's table: by request and fault, the outcome.
func faultTable(t *testing.T) map[string]map[string]string {
	t.Helper()
	text, err := os.ReadFile("../../docs/collection.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "## Every fault of every request")
	section, _, _ = strings.Cut(section, "\n## ")
	var head []string
	table := map[string]map[string]string{}
	for line := range strings.Lines(section) {
		if !strings.HasPrefix(line, "| ") {
			continue
		}
		fields := strings.Split(strings.Trim(strings.TrimSpace(line), "| "), " | ")
		if head == nil {
			head = fields
			continue
		}
		table[fields[0]] = map[string]string{}
		for i, name := range head[1:] {
			table[fields[0]][name] = fields[i+1]
		}
	}
	return table
}
