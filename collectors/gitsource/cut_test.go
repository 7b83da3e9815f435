package gitsource_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prforge/prforge/collectors/gitsource"
)

// randomHistory is a stream for git fast-import: commits with up to three
// parents and clocks that are often wrong, and the number of commits.
func randomHistory(rnd *rand.Rand) (stream string, n int) {
	var b strings.Builder
	n = 8 + rnd.IntN(30)
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "commit refs/keep/%d\nmark :%d\ncommitter c <c@example.org> %d +0000\ndata 1\n%c\n", i, i, 1_700_000_000+60*(i+rnd.IntN(20)), 'a'+i%26)
		from := map[int]bool{}
		for range rnd.IntN(4) {
			if i > 1 {
				from[max(1, i-1-rnd.IntN(6))] = true
			}
		}
		if i > 1 && rnd.IntN(12) > 0 {
			from[i-1] = true
		}
		word := "from"
		for p := range from {
			fmt.Fprintf(&b, "%s :%d\n", word, p)
			word = "merge"
		}
		fmt.Fprintf(&b, "M 644 inline f\ndata %d\n%s\n\n", len(fmt.Sprint(i)), fmt.Sprint(i))
	}
	return b.String(), n
}

// reachable adds the commits at or below one.
func reachable(parents map[string][]string, from string, seen map[string]bool) map[string]bool {
	if !seen[from] {
		seen[from] = true
		for _, parent := range parents[from] {
			reachable(parents, parent, seen)
		}
	}
	return seen
}

// Whatever the history, the clocks and the places that it is cut off at, an
// answer is that of the whole history, or it is refused; and a list of commits is
// what reachability says, whatever the dates are. git alone is wrong in the world of
// seed 172, as it is in TestClockAhead.
func TestCutHistoryTellsTheTruth(t *testing.T) {
	trials := 200
	if testing.Short() {
		trials = 8
	}
	answered, refused := 0, 0
	for seed := range trials {
		rnd := rand.New(rand.NewPCG(uint64(seed), 1))
		o := newOrigin(t)
		dir := filepath.Join(t.TempDir(), "git")
		repo := o.openIn(dir, options())
		stream, n := randomHistory(rnd)
		o.gitIn(stream, "--git-dir", dir, "fast-import", "--quiet")
		commits := strings.Fields(o.git("--git-dir", dir, "for-each-ref", "--format=%(objectname)", "refs/keep"))
		parents := map[string][]string{}
		for line := range strings.Lines(o.git("--git-dir", dir, "rev-list", "--all", "--parents")) {
			parents[strings.Fields(line)[0]] = strings.Fields(line)[1:]
		}
		if seed%2 == 1 { // a graph that has some of the commits
			o.gitIn(commits[0]+"\n", "--git-dir", dir, "commit-graph", "write", "--stdin-commits")
		}
		pick := func() string { return commits[rnd.IntN(len(commits))] }
		for range 3 {
			a, b, others := pick(), pick(), []string{pick(), pick(), pick()}
			ask := func() (answers [3][]string, errs [3]error) {
				gitsource.Forget(repo)
				answers[0], errs[0] = gitsource.MergeBases(t.Context(), repo, a, b)
				answers[1], errs[1] = gitsource.BranchHere(t.Context(), repo, a, b)
				answers[2], errs[2] = gitsource.OrderedHere(t.Context(), repo, others, b)
				return answers, errs
			}
			want, errs := ask()
			if err := errors.Join(errs[:]...); err != nil {
				t.Fatal(err)
			}
			branch, below := reachable(parents, a, map[string]bool{}), reachable(parents, b, map[string]bool{})
			maps.DeleteFunc(branch, func(oid string, _ bool) bool { return below[oid] })
			if got := slices.Sorted(slices.Values(want[1])); !slices.Equal(got, slices.Sorted(maps.Keys(branch))) {
				t.Errorf("seed %d: %s without %s is %s by git", seed, a, b, got)
			}
			for _, oid := range others {
				if slices.Contains(want[2], oid) == below[oid] {
					t.Errorf("seed %d: of %s without %s git lists %s", seed, others, b, want[2])
				}
			}
			var cut []string
			for range 1 + rnd.IntN(1+n/5) {
				cut = append(cut, pick())
			}
			slices.Sort(cut)
			shallow := filepath.Join(dir, "shallow")
			if err := os.WriteFile(shallow, []byte(strings.Join(slices.Compact(cut), "\n")+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			got, errs := ask()
			for i, err := range errs {
				switch {
				case errors.Is(err, gitsource.ErrCut):
					refused++
				case err != nil:
					t.Fatal(err)
				default:
					answered++
					if d := cmp.Diff(want[i], got[i]); d != "" {
						t.Errorf("seed %d, question %d of %s and %s, cut at %s: %s", seed, i, a, b, cut, d)
					}
				}
			}
			if err := os.Remove(shallow); err != nil {
				t.Fatal(err)
			}
		}
	}
	if all := answered + refused; answered < all/4 || refused < all/10 {
		t.Errorf("%d answered, %d refused", answered, refused)
	}
}

// A commit whose clock was years ahead has eight later ones on top. git alone,
// which goes by dates and looks a few commits further, lists it as one that the
// newest has not.
func TestClockAhead(t *testing.T) {
	for name, tc := range map[string]struct {
		before int // commits
		cut    bool
		want   error
	}{
		"the whole history":      {},
		"cut off at that commit": {before: 1, cut: true, want: gitsource.ErrCut},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOrigin(t)
			dir := filepath.Join(t.TempDir(), "git")
			repo := o.openIn(dir, options())
			var stream strings.Builder
			for i := range tc.before + 9 {
				clock := 1_700_000_000 + i
				if i == tc.before {
					clock += 100_000_000
				}
				fmt.Fprintf(&stream, "commit refs/keep/x\nmark :%d\ncommitter c <c@example.org> %d +0000\ndata 0\n", i+1, clock)
				if i > 0 {
					fmt.Fprintf(&stream, "from :%d\n", i)
				}
			}
			o.gitIn(stream.String(), "--git-dir", dir, "fast-import", "--quiet")
			rev := func(name string) string { return strings.TrimSpace(o.git("--git-dir", dir, "rev-parse", name)) }
			ahead, newest := rev("refs/keep/x~8"), rev("refs/keep/x")
			if tc.cut {
				if err := os.WriteFile(filepath.Join(dir, "shallow"), []byte(ahead+"\n"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if got, err := gitsource.BranchHere(t.Context(), repo, ahead, newest); !errors.Is(err, tc.want) || len(got) > 0 && err == nil {
				t.Errorf("branch: %s, %v", got, err)
			}
			if got, err := gitsource.OrderedHere(t.Context(), repo, []string{ahead}, newest); !errors.Is(err, tc.want) || len(got) > 0 && err == nil {
				t.Errorf("in order: %s, %v", got, err)
			}
		})
	}
}

// Of several merge bases the newest comes first and those of a second by id, in
// whichever order git meets them.
func TestSeveralMergeBases(t *testing.T) {
	o := newOrigin(t)
	dir := filepath.Join(t.TempDir(), "git")
	repo := o.openIn(dir, options())
	var stream strings.Builder
	for i, clock := range []int{0, 5, 5, 5, 9} {
		fmt.Fprintf(&stream, "commit refs/keep/%d\nmark :%d\ncommitter c <c@example.org> %d +0000\ndata 1\n%d\n", i, i+1, 1_700_000_000+clock, i)
		if i > 0 {
			stream.WriteString("from :1\n")
		}
	}
	for i, from := range []string{":2 :3 :4 :5", ":5 :4 :3 :2"} {
		fmt.Fprintf(&stream, "commit refs/keep/merge%d\ncommitter c <c@example.org> 1700000020 +0000\ndata 1\n%d\nfrom %s\n", i, i, strings.ReplaceAll(from, " ", "\nmerge "))
	}
	o.gitIn(stream.String(), "--git-dir", dir, "fast-import", "--quiet")
	rev := func(name string) string {
		return strings.TrimSpace(o.git("--git-dir", dir, "rev-parse", "refs/keep/"+name))
	}
	want := append([]string{rev("4")}, slices.Sorted(slices.Values([]string{rev("1"), rev("2"), rev("3")}))...)
	for _, ask := range [][2]string{{rev("merge0"), rev("merge1")}, {rev("merge1"), rev("merge0")}} {
		if got, err := gitsource.MergeBases(t.Context(), repo, ask[0], ask[1]); err != nil || !slices.Equal(got, want) {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	}
}

// shallowIn reports whether history is cut off in a repository.
func shallowIn(t *testing.T, dir string) bool {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "shallow"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return len(text) > 0
}

// A pull request near the end takes one transfer of history and leaves it cut
// off; one that forked before it brings the whole. A server that cuts nothing
// off gives the whole at once.
func TestNearHistory(t *testing.T) {
	o := newOrigin(t)
	o.change("a.py", "a = 0\n")
	for i := range 12 {
		o.change("a.py", fmt.Sprintf("a = %d\n", i+1))
	}
	branch := func(back int) merged {
		fork := o.rev(fmt.Sprintf("main~%d", back))
		o.git("checkout", "-q", "-b", fmt.Sprintf("topic%d", back), fork)
		o.change("new.py", fmt.Sprintf("x = %d\n", back))
		head := o.change("new.py", fmt.Sprintf("x = %d\n", back+1))
		o.git("checkout", "-q", "main")
		return merged{head, o.rev("main"), o.rev("main"), fork}
	}
	recent, old := branch(1), branch(9)
	for name, tc := range map[string]struct {
		pulls     []merged
		depth     int
		noDepth   bool
		transfers int
		cut       bool
	}{
		"near":                   {pulls: []merged{recent}, depth: 5, transfers: 2, cut: true},
		"far":                    {pulls: []merged{recent, old}, depth: 5, transfers: 3},
		"whole":                  {pulls: []merged{recent, old}, depth: 0, transfers: 3},
		"deep enough":            {pulls: []merged{recent, old}, depth: 50, transfers: 2},
		"a server without depth": {pulls: []merged{recent, old}, depth: 5, noDepth: true, transfers: 4},
	} {
		t.Run(name, func(t *testing.T) {
			if tc.noDepth {
				answer := o.answer
				o.answer = func(w http.ResponseWriter, r *http.Request) {
					told := httptest.NewRecorder()
					answer(told, r)
					for key, values := range told.Header() {
						w.Header()[key] = values
					}
					w.Write(bytes.Replace(told.Body.Bytes(), []byte("fetch=shallow"), []byte("fetch=shallov"), 1))
				}
				defer func() { o.answer = answer }()
			}
			opts := options()
			opts.Depth = tc.depth
			dir := filepath.Join(t.TempDir(), "git")
			repo := o.openIn(dir, opts)
			var plan gitsource.Plan
			for _, m := range tc.pulls {
				plan.Pulls = append(plan.Pulls, gitsource.PullPlan{Pull: m.pull()})
			}
			if err := repo.Prepare(t.Context(), newShard(t), plan); err != nil {
				t.Fatal(err)
			}
			for _, m := range tc.pulls {
				got, err := repo.ForkPoint(t.Context(), m.pull(), o.diff(m.fork, m.head))
				if err != nil || got.ForkPoint != m.fork || got.Method != gitsource.MethodSquash {
					t.Errorf("got %+v, %v, want %s", got, err, m.fork)
				}
				oids, err := repo.Branch(t.Context(), m.pull(), 10)
				if err != nil || len(oids) != 2 {
					t.Errorf("commits %s, %v", oids, err)
				}
			}
			if got := repo.Stats().Fetches; got != tc.transfers {
				t.Errorf("%d transfers, want %d", got, tc.transfers)
			}
			if shallowIn(t, dir) != tc.cut {
				t.Errorf("history is cut off: %v", !tc.cut)
			}
		})
	}
}
