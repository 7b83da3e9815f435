package gitsource_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prforge/prforge/collectors/gitsource"
	"github.com/prforge/prforge/internal/model"
)

// randomHistory is a stream for git fast-import: commits with up to three
// parents and clocks that are often wrong.
func randomHistory(rnd *rand.Rand) string {
	var b strings.Builder
	n := 8 + rnd.IntN(30)
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
	return b.String()
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

// Whatever the history and the clocks, a list of commits is what reachability
// says, also with a commit graph that has some of the commits, and a revision left
// the base branch where git says. git alone is wrong in the history of seed 172, as it
// is in TestClockAhead.
func TestListsGoByReachability(t *testing.T) {
	trials := 200
	if testing.Short() {
		trials = 8
	}
	for seed := range trials {
		rnd := rand.New(rand.NewPCG(uint64(seed), 1))
		o := newOrigin(t)
		dir := filepath.Join(t.TempDir(), "git")
		repo := o.openIn(dir, options())
		o.gitIn(randomHistory(rnd), "--git-dir", dir, "fast-import", "--quiet")
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
			listed, err := gitsource.BranchHere(t.Context(), repo, a, b)
			if err != nil {
				t.Fatal(err)
			}
			branch, below := reachable(parents, a, map[string]bool{}), reachable(parents, b, map[string]bool{})
			maps.DeleteFunc(branch, func(oid string, _ bool) bool { return below[oid] })
			if got := slices.Sorted(slices.Values(listed)); !slices.Equal(got, slices.Sorted(maps.Keys(branch))) {
				t.Errorf("seed %d: %s without %s is %s by git", seed, a, b, got)
			}
			if listed, err = gitsource.OrderedHere(t.Context(), repo, others, b); err != nil {
				t.Fatal(err)
			}
			for _, oid := range others {
				if slices.Contains(listed, oid) == below[oid] {
					t.Errorf("seed %d: of %s without %s git lists %s", seed, others, b, listed)
				}
			}
			revisions, err := repo.Revisions(t.Context(), &model.PullRequest{BaseRefOid: b}, others)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range revisions {
				bases, err := gitsource.MergeBases(t.Context(), repo, b, v.Oid)
				if want := append(bases, "")[0]; err != nil || v.Base != want {
					t.Errorf("seed %d: %s left %s at %q, %v, want %q", seed, v.Oid, b, v.Base, err, want)
				}
			}
		}
	}
}

// A commit whose clock was years ahead has eight later ones on top. git alone,
// which goes by dates and looks a few commits further, lists it as one that the
// newest has not.
func TestClockAhead(t *testing.T) {
	o := newOrigin(t)
	dir := filepath.Join(t.TempDir(), "git")
	repo := o.openIn(dir, options())
	var stream strings.Builder
	for i := range 9 {
		clock := 1_700_000_000 + i
		if i == 0 {
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
	if got, err := gitsource.BranchHere(t.Context(), repo, ahead, newest); err != nil || len(got) > 0 {
		t.Errorf("branch: %s, %v", got, err)
	}
	if got, err := gitsource.OrderedHere(t.Context(), repo, []string{ahead}, newest); err != nil || len(got) > 0 {
		t.Errorf("in order: %s, %v", got, err)
	}
}

// Of several merge bases the newest comes first and those of a second by id, in
// whichever order git meets them.
func TestMergeBases_Several(t *testing.T) {
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

// The commits of all pull requests come with their whole history in one transfer,
// however far back they forked; then their trees, and the blobs that differ. A
// repository whose history an earlier version cut off is fetched again.
func TestWholeHistory(t *testing.T) {
	o := newOrigin(t)
	for i := range 13 {
		o.change("a.py", fmt.Sprintf("a = %d\n", i))
	}
	branch := func(back int) merged {
		fork := o.rev(fmt.Sprintf("main~%d", back))
		o.git("checkout", "-q", "-b", fmt.Sprintf("topic%d", back), fork)
		o.change("new.py", fmt.Sprintf("x = %d\n", back))
		head := o.change("new.py", fmt.Sprintf("x = %d\n", back+1))
		o.git("checkout", "-q", "main")
		return merged{head, o.rev("main"), o.rev("main"), fork}
	}
	pulls := []merged{branch(1), branch(9)}
	var plan gitsource.Plan
	for _, m := range pulls {
		plan.Pulls = append(plan.Pulls, gitsource.PullPlan{Pull: m.pull()})
	}
	dir := filepath.Join(t.TempDir(), "git")
	o.git("clone", "-q", "--bare", "--depth=2", "--filter=blob:none", o.url, dir)
	repo := o.openIn(dir, options())
	if err := repo.Prepare(t.Context(), newShard(t), plan); err != nil {
		t.Fatal(err)
	}
	for _, m := range pulls {
		got, err := repo.ForkPoint(t.Context(), m.pull(), o.diff(m.fork, m.head))
		if err != nil || got.ForkPoint != m.fork || got.Method != gitsource.MethodSquash {
			t.Errorf("got %+v, %v, want %s", got, err, m.fork)
		}
		if oids, err := repo.Branch(t.Context(), m.pull(), 10); err != nil || len(oids) != 2 {
			t.Errorf("commits %s, %v", oids, err)
		}
	}
	if got := repo.Stats().Fetches; got != 3 {
		t.Errorf("%d transfers", got)
	}
}

// A revision that the base branch has comes first, those of the branch in their order, absent ones last.
func TestRevisions_Order(t *testing.T) {
	o := newOrigin(t)
	first, second := o.change("a.py", "a = 1\n"), o.change("a.py", "a = 2\n")
	o.git("checkout", "-q", "-b", "topic")
	third, fourth := o.change("a.py", "a = 3\n"), o.change("a.py", "a = 4\n")
	absent := strings.Repeat("1", 40)
	got, err := o.open(options()).Revisions(t.Context(), &model.PullRequest{BaseRefOid: second}, []string{fourth, absent, third, first})
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, r := range got {
		order = append(order, r.Oid)
		if (r.Err != nil) != (r.Oid == absent) {
			t.Errorf("%s: %v", r.Oid, r.Err)
		}
	}
	if want := []string{first, third, fourth, absent}; !slices.Equal(order, want) {
		t.Errorf("%v, want %v", order, want)
	}
}
