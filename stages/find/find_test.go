package find

import (
	"bytes"
	"compress/gzip"
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/internal/fakegithub"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/config"
	"github.com/prforge/prforge/stages/run"
	"github.com/prforge/prforge/stages/run/runtest"
)

// madeUp is a world of n repositories in Go with one merged pull request each. Half of
// them have 7 stars and were created on one of 900 days, the others have up to 5,000.
func madeUp(t *testing.T, n int) *fakegithub.World {
	t.Helper()
	files := fstest.MapFS{"world.txtar": {Data: []byte("bots: renovate\n")}}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		stars := 7
		if i%2 == 0 {
			stars = 10 + int(4990*random.Float64()*random.Float64())
		}
		created := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, random.IntN(900)).Format(time.DateOnly)
		dir := fmt.Sprintf("o%d/r%d/", i%97, i)
		files[dir+"repo.txtar"] = &fstest.MapFile{Data: fmt.Appendf(nil, "id: %d\nstars: %d\nlicense: MIT\nlanguage: Go\ncreated: %s\n-- a.go --\npackage a\n", 1000+i, stars, created)}
		files[dir+"1.txtar"] = &fstest.MapFile{Data: fmt.Appendf(nil, "title: Add b\nauthor: ann\ncreated: 2026-01-02\nclosed: 2026-01-%02d\nby: ann\n-- 1 write b.go --\npackage a\n", 3+i%20)}
	}
	world, err := fakegithub.ParseWorld(files)
	if err != nil {
		t.Fatal(err)
	}
	return world
}

// session is one on a state, against a GitHub; connect says how to sign in.
func session(t *testing.T, state string, connect *fakegithub.Server) *run.Session {
	t.Helper()
	cfg := config.Default()
	cfg.Dataset.FreezeDate = config.Date{Time: time.Date(2026, 4, 15, 0, 0, 0, 0, time.UTC)}
	env := run.Env{
		Host: pipeline.Quiet(2), State: state, Shards: 2,
		CloneURL: func(r model.RepoRef) string { return connect.URL() + "/" + r.String() + ".git" }, Connect: runtest.ConnectTo(connect),
		Tune: func(o *collectors.Options) { o.Git.Sleep = func(context.Context, time.Duration) error { return nil } },
	}
	s, err := run.Open(t.Context(), env, &cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Every repository is found once, although a search gives 1,000 at most and more than
// that have one number of stars; a search that was stopped anywhere goes on to the same
// list, and pays for nothing twice.
func TestRun_MoreThanASearchGives(t *testing.T) {
	if testing.Short() {
		t.Skip("a world of 2,200 repositories")
	}
	const n = 2200
	server := fakegithub.ForTest(t, madeUp(t, n), fakegithub.Options{})
	o := Options{Languages: []string{"Go"}, MinMerged: 1, Points: 60, Best: 2, Cost: func(text string) { t.Log(text) }}
	find := func(ctx context.Context, state string) (*Found, int, error) {
		s := session(t, state, server)
		found, err := Run(ctx, s, o)
		points := s.Collector.Cost().Points
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		return found, points, err
	}
	whole, points, err := find(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d repositories by %d searches, %d points in all", len(whole.Candidates), whole.Searches, points)
	if len(whole.Candidates) != n || len(whole.Incomplete) > 0 || points > o.Points {
		t.Fatalf("%d of %d found, %d points of %d, incomplete %q", len(whole.Candidates), n, points, o.Points, whole.Incomplete)
	}

	// Stopped after each of some searches, as a kill would.
	state := t.TempDir()
	spent := 0
	for stop := 1; stop < 40; stop += 6 {
		ctx, cancel := context.WithCancel(t.Context())
		asked := 0
		o.Cost = func(string) {}
		s := session(t, state, server)
		s.Progress = stopAfter{stop: func() {
			if asked++; asked == stop {
				cancel()
			}
		}}
		_, _ = Run(ctx, s, o)
		spent += s.Collector.Cost().Points
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		cancel()
	}
	again, last, err := find(t.Context(), state)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := whole.Text("", 5000), again.Text("", 5000); a != b {
		t.Error("a run that was stopped ends with another list")
	}
	t.Logf("stopped seven times: %d points before, %d in the last run", spent, last)
	if spent+last > points+7 {
		t.Errorf("%d points in pieces, %d at once", spent+last, points)
	}
}

// stopAfter calls a function whenever something is being done.
type stopAfter struct {
	pipeline.Silent
	stop func()
}

func (s stopAfter) Doing(string, pipeline.Step) { s.stop() }

// Halves are disjoint and leave nothing out.
func TestQuery_Halves(t *testing.T) {
	day := func(s string) time.Time {
		d, err := time.Parse(time.DateOnly, s)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	for _, q := range []query{
		{low: 0, high: 1, from: day("2020-01-01"), to: day("2020-01-01")}, {low: 0, high: unlimitedStar, from: day("2020-01-01"), to: day("2026-01-01")},
		{low: 7, high: 8, from: day("2020-01-01"), to: day("2020-01-02")}, {low: 999_998, high: 1_000_000, from: day("2020-01-01"), to: day("2020-01-02")},
		{low: 7, high: 7, from: day("2020-02-28"), to: day("2020-03-01")}, {low: 7, high: 7, from: day("2020-02-28"), to: day("2020-02-29")},
	} {
		a, b, ok := q.halves()
		stars := a.low == q.low && b.high == q.high && a.high+1 == b.low && a.low <= a.high && b.low <= b.high
		days := a.from.Equal(q.from) && b.to.Equal(q.to) && a.to.AddDate(0, 0, 1).Equal(b.from) && !a.to.Before(a.from) && !b.to.Before(b.from)
		if !ok || q.high > q.low && !stars || q.high == q.low && !days {
			t.Errorf("%+v: %+v and %+v", q, a, b)
		}
	}
	if a, _, _ := (query{low: 0, high: 999_999}).halves(); a.high != 999 {
		t.Errorf("0 to 999,999 stars are divided at %d", a.high)
	}
	if _, _, ok := (query{low: 7, high: 7, from: day("2020-01-01"), to: day("2020-01-01")}).halves(); ok {
		t.Error("one day and one number of stars was divided")
	}
}

var (
	eventCount = flag.Int("events", 200_000, "events in the hour files of TestEvents")
	eventDir   = flag.String("events-dir", "", "folder where they are kept")
)

// hourFiles writes events like those of GH Archive, a twentieth of them review comments,
// a tenth of these by bots, and gives how many are by people.
func hourFiles(t *testing.T, dir string, events int) (files []string, people int) {
	t.Helper()
	random := rand.New(rand.NewPCG(5, 6))
	const each = 250_000
	for from := 0; from < events; from += each {
		path := filepath.Join(dir, fmt.Sprintf("2026-03-01-%d.json.gz", from/each))
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		z, _ := gzip.NewWriterLevel(f, gzip.BestSpeed) // the level is one
		pad := strings.Repeat("x", 500)
		for i := from; i < min(from+each, events); i++ {
			kind, login := "PushEvent", "ann"
			if i%20 == 0 {
				kind = "PullRequestReviewCommentEvent"
				if i%200 == 0 {
					login = "coderabbitai[bot]"
				} else {
					people++
				}
			}
			body := pad[:random.IntN(500)]
			if i == 0 {
				body = strings.Repeat("x", 1<<17) // longer than a scanner takes by itself
			}
			fmt.Fprintf(z, `{"id":"%d","type":%q,"actor":{"id":1,"login":%q},"repo":{"id":1,"name":"o/r%d"},"payload":{"comment":{"body":%q}},"public":true,"created_at":"2026-03-01T%02d:00:00Z"}`+"\n",
				i, kind, login, random.IntN(50_000), body, from/each%24)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		files = append(files, path)
	}
	return files, people
}

// Comments by people are counted, whichever file is read first, and once.
func TestEvents(t *testing.T) {
	dir := *eventDir
	if dir == "" {
		dir = t.TempDir()
	}
	files, people := hourFiles(t, dir, *eventCount)
	server := fakegithub.ForTest(t, &fakegithub.World{}, fakegithub.Options{})
	state := t.TempDir()
	s := session(t, state, server)
	defer s.Close()
	began := time.Now()
	counted, err := Events(t.Context(), s, files)
	if err != nil {
		t.Fatal(err)
	}
	got := 0
	for _, a := range counted.Repos {
		got += a.Comments()
	}
	t.Logf("%d events in %d files: %s, %d repositories", counted.Events, len(files), time.Since(began).Round(time.Millisecond), len(counted.Repos))
	if counted.Events != *eventCount || got != people || counted.Bots != *eventCount/200 {
		t.Errorf("%d events, %d by people, %d by bots; want %d, %d, %d", counted.Events, got, counted.Bots, *eventCount, people, *eventCount/200)
	}
	for _, path := range files { // what was counted is not read again
		if err := os.Truncate(path, 0); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Events(t.Context(), s, files); err == nil {
		t.Error("a file that changed was taken for what it was")
	}
}

// A damaged hour file is an error that names it, and never a smaller count.
func TestCount_Damage(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, strings.Repeat(`{"type":"PullRequestReviewCommentEvent","actor":{"login":"a"},"repo":{"name":"o/r"},"created_at":"2026-03-01T00:00:00Z"}`+"\n", 1000))
	_ = z.Close() // into memory
	for name, data := range map[string][]byte{"cut": b.Bytes()[:b.Len()-9], "none": []byte("{}\n"), "empty": nil} {
		if _, err := count(t.Context(), bytes.NewReader(data), func(string) bool { return false }); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
