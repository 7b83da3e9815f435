package fakegithub

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// git runs the real client, away from the user's settings.
func git(t *testing.T, dir string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(gitEnv(), "GIT_TERMINAL_PROMPT=0")
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

func mustGit(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := git(t, dir, args...)
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return out
}

func TestFetchByID(t *testing.T) {
	s := ForTest(t, small(t), Options{})
	p := s.site.repo("acme", "widget").byNumber[1]
	dir := t.TempDir()
	mustGit(t, dir, "init", "-q")
	url := s.URL() + "/acme/widget.git"
	// The first step of a pull request is no tip of anything.
	mustGit(t, dir, "-c", "protocol.version=2", "fetch", "-q", "--depth=1", "--filter=blob:none", url, p.steps[0].sha)
	if got := mustGit(t, dir, "cat-file", "-t", p.steps[0].sha); got != "commit" {
		t.Error(got)
	}
	missing := mustGit(t, dir, "rev-list", "--objects", "--missing=print", p.steps[0].sha)
	if !strings.Contains(missing, "?") {
		t.Errorf("blobs were sent in spite of the filter: %s", missing)
	}
	if got := mustGit(t, dir, "ls-remote", url, "refs/pull/1/head"); !strings.HasPrefix(got, p.head().sha) {
		t.Error(got)
	}
	if out, err := git(t, dir, "fetch", "-q", s.URL()+"/acme/secret.git"); err == nil {
		t.Errorf("a hidden repository was fetched: %s", out)
	}
}

func TestClonedDiffIsTheDiff(t *testing.T) {
	s := ForTest(t, small(t), Options{})
	p := s.site.repo("acme", "widget").byNumber[1]
	dir := filepath.Join(t.TempDir(), "clone")
	mustGit(t, ".", "clone", "-q", s.URL()+"/old/widget.git", dir) // a former name: redirected
	mustGit(t, dir, "fetch", "-q", "origin", "refs/pull/1/head")
	if got := mustGit(t, dir, "merge-base", "origin/main^", "FETCH_HEAD"); got != p.fork().sha {
		t.Errorf("merge base %s, fork %s", got, p.fork().sha)
	}
	got := mustGit(t, dir, "diff", "--abbrev=11", p.fork().sha, p.head().sha)
	if got != strings.TrimSpace(p.diff) {
		t.Errorf("git:\n%s\nGitHub:\n%s", got, p.diff)
	}
}

// The trees and blobs that REST and GraphQL name are those of git.
func TestObjectIDsAreGits(t *testing.T) {
	s := ForTest(t, small(t), Options{})
	r := s.site.repo("acme", "widget")
	for _, c := range r.history.commits {
		out, err := r.git.run(nil, "rev-parse", c.sha+"^{tree}")
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(string(out)); got != c.treeSHA {
			t.Errorf("tree of %s: %s, git says %s", c.message, c.treeSHA, got)
		}
	}
}

func TestGitFaults(t *testing.T) {
	s := ForTest(t, small(t), Options{Faults: []Fault{
		{Target: "git", Nth: []int{1}, Status: 503}, {Target: "git", Nth: []int{1}, Cut: 0.5}, {Target: "git", Nth: []int{1}, Drop: true},
	}})
	dir := t.TempDir()
	mustGit(t, dir, "init", "-q")
	failed := 0
	for range 6 {
		if _, err := git(t, dir, "fetch", "-q", s.URL()+"/acme/widget.git", "main"); err != nil {
			failed++
		}
	}
	if failed != 3 {
		t.Errorf("%d of 6 fetches failed, not 3", failed)
	}
}

// A lost object is refused as GitHub refuses it, until other faults are set.
func TestLostObjects(t *testing.T) {
	s := ForTest(t, small(t), Options{})
	lost := s.site.repo("acme", "widget").byNumber[1].head().sha
	dir := t.TempDir()
	mustGit(t, dir, "init", "-q")
	fetch := func() (string, error) { return git(t, dir, "fetch", "-q", s.URL()+"/acme/widget.git", lost) }
	s.SetFaults(Fault{Target: "git", Match: regexp.MustCompile("want " + lost), Lost: lost})
	if out, err := fetch(); err == nil || !strings.Contains(out, "not our ref "+lost) || s.Stats().Faults != 1 {
		t.Errorf("%s, %v, %d faults", out, err, s.Stats().Faults)
	}
	s.SetFaults()
	if out, err := fetch(); err != nil || s.Stats().Faults != 0 {
		t.Errorf("%s, %v", out, err)
	}
}

// The ids of the demo's commits are part of its dataset: they must be the same
// on every machine and for ever.
func TestGolden_CommitIDs(t *testing.T) {
	world, err := demoWorld()
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	s := ForTest(t, world, Options{})
	for _, r := range s.site.repos {
		got.WriteString(r.FullName() + " " + r.commit("HEAD").sha + "\n")
	}
	const golden = "testdata/tips.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("got\n%swant\n%srun go test ./internal/fakegithub -update if the world was changed on purpose", &got, want)
	}
}

// A purged pull request is gone from git and from compare, but not its diff.
func TestPurgedCommitsAreGone(t *testing.T) {
	world, err := demoWorld()
	if err != nil {
		t.Fatal(err)
	}
	s := ForTest(t, world, Options{})
	purged := 0
	for _, r := range s.site.repos {
		for _, p := range r.pulls {
			if !p.IsPurged {
				continue
			}
			purged++
			dir := t.TempDir()
			mustGit(t, dir, "init", "-q")
			if out, err := git(t, dir, "fetch", "-q", s.URL()+"/"+r.FullName()+".git", p.head().sha); err == nil {
				t.Errorf("%s#%d can be fetched: %s", r.FullName(), p.Number, out)
			}
			if resp, _ := get(t, s, "/repos/"+r.FullName()+"/compare/main..."+p.head().sha); resp.StatusCode != 404 {
				t.Errorf("compare answers %d", resp.StatusCode)
			}
			if p.diff == "" {
				t.Error("its diff is gone")
			}
		}
	}
	if purged == 0 {
		t.Error("the demo has no purged pull request")
	}
}

// Commits that a force-push replaced can still be fetched by their ids, as on
// GitHub, also where another pull request was purged.
func TestForcePushedCommitsCanBeFetched(t *testing.T) {
	world, err := demoWorld()
	if err != nil {
		t.Fatal(err)
	}
	s := ForTest(t, world, Options{})
	tried := 0
	for _, r := range s.site.repos {
		for _, p := range r.pulls {
			if p.IsPurged || len(p.live) == len(p.steps) {
				continue
			}
			tried++
			dir := t.TempDir()
			mustGit(t, dir, "init", "-q")
			mustGit(t, dir, "fetch", "-q", "--depth=1", s.URL()+"/"+r.FullName()+".git", p.steps[0].sha)
		}
	}
	if tried == 0 {
		t.Error("the demo has no force-pushed pull request")
	}
}
