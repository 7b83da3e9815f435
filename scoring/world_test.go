package scoring

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/prforge/prforge/internal/demo"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/unidiff"
)

// worldPull is a line of the outside test world's pulls.jsonl.
type worldPull struct {
	Repo    string
	Number  int
	Title   string
	Labels  []string
	BaseSHA string `json:"base_sha"`
	HeadSHA string `json:"head_sha"`
	Threads []struct {
		Path         string
		Line         *int
		OriginalLine *int `json:"original_line"`
		Side         model.Side
		IsOutdated   bool              `json:"is_outdated"`
		Subject      model.SubjectType `json:"subject_type"`
		Comments     []struct {
			ID             int64
			Body           string
			DiffHunk       string `json:"diff_hunk"`
			OriginalCommit string `json:"original_commit"`
		}
	}
}

// pull is the part of the facts that this package reads.
func (w worldPull) pull() *model.PullRequest {
	p := &model.PullRequest{Title: w.Title, Labels: w.Labels, HeadOid: w.HeadSHA}
	owner, name, _ := strings.Cut(w.Repo, "/")
	p.Ref = model.PullRef{Repo: model.RepoRef{Owner: owner, Name: name}, Number: w.Number}
	for _, t := range w.Threads {
		thread := model.Thread{Path: t.Path, Line: t.Line, OriginalLine: t.OriginalLine, Side: t.Side, IsOutdated: t.IsOutdated, Subject: t.Subject}
		for _, c := range t.Comments {
			thread.Comments = append(thread.Comments, model.Comment{ID: c.ID, Body: c.Body, DiffHunk: c.DiffHunk, OriginalOid: c.OriginalCommit})
		}
		p.Threads = append(p.Threads, thread)
	}
	return p
}

// world reads the outside test world: PRFORGE_WORLD names its folder,
// PRFORGE_MIRRORS the bare repositories OWNER+NAME/repo. Without them it is the
// demo's.
func world(t *testing.T) (pulls []worldPull, git func(repo string, args ...string) (string, error)) {
	t.Helper()
	dir, mirrors := os.Getenv("PRFORGE_WORLD"), os.Getenv("PRFORGE_MIRRORS")
	if dir == "" || mirrors == "" {
		w, err := demo.World()
		dir = t.TempDir()
		if err := errors.Join(err, w.Export(dir)); err != nil {
			t.Fatal(err)
		}
		mirrors = dir
	}
	f, err := os.Open(filepath.Join(dir, "pulls.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	scanner := bufio.NewScanner(f)
	scanner.Buffer(nil, 1<<28)
	for scanner.Scan() {
		var p worldPull
		if err := json.Unmarshal(scanner.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		pulls = append(pulls, p)
	}
	return pulls, func(repo string, args ...string) (string, error) {
		cmd := exec.Command("git", append([]string{"--git-dir", filepath.Join(mirrors, strings.ReplaceAll(repo, "/", "+"), "repo")}, args...)...)
		out, err := cmd.Output()
		return string(out), err
	}
}

// TestWorldAnchors checks the anchors of the whole world against the sources at
// the head and logs the shares of the methods.
func TestWorldAnchors(t *testing.T) {
	pulls, git := world(t)
	counts := map[string]int{}
	for _, w := range pulls {
		text, err := git(w.Repo, "diff", "--full-index", "-M", w.BaseSHA, w.HeadSHA)
		if err != nil {
			t.Fatal(err)
		}
		diff, err := unidiff.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if diff.String() != text {
			t.Errorf("%s#%d: diff does not render as it was", w.Repo, w.Number)
		}
		pull := w.pull()
		var revisions []model.RevisionDiff
		for _, th := range pull.Threads {
			from := th.Comments[0].OriginalOid
			if from == pull.HeadOid || slices.ContainsFunc(revisions, func(r model.RevisionDiff) bool { return r.From == from }) {
				continue
			}
			var paths []string
			for _, other := range pull.Threads {
				paths = append(paths, other.Path)
			}
			text, err := git(w.Repo, append([]string{"diff", "--full-index", "-M", from, pull.HeadOid, "--"}, paths...)...)
			r := model.RevisionDiff{From: from, To: pull.HeadOid, Paths: paths, Text: text}
			if err != nil {
				r.Problem = err.Error()
			}
			revisions = append(revisions, r)
		}
		anchors := Anchors(pull, diff, revisions)
		i := 0
		for _, th := range pull.Threads {
			a := anchors[i]
			i += len(th.Comments)
			key := fmt.Sprintf("%-8s outdated=%v line=%v substitute=%v in_diff=%v", a.Method, th.IsOutdated, a.Line != nil, a.Substitute != nil, a.InDiff)
			counts[key]++
			if th.IsOutdated {
				t.Logf("%s#%d %s orig %v at head %v: %s %v %s", w.Repo, w.Number, th.Path, *th.OriginalLine, th.Comments[0].OriginalOid == pull.HeadOid, a.Method, value(a.Line), a.Note)
			}
			if a.Line == nil || a.Method == model.AnchorExact {
				continue
			}
			rev := w.HeadSHA
			path := a.Path
			if a.Side == model.Left {
				rev, path = w.BaseSHA, diff.Lookup(a.Path).OldPath
			}
			source, err := git(w.Repo, "cat-file", "blob", rev+":"+path)
			if err != nil {
				t.Fatal(err)
			}
			hunk := strings.Split(th.Comments[0].DiffHunk, "\n")
			got := strings.Split(source, "\n")[*a.Line-1]
			if want := hunk[len(hunk)-1][1:]; !sameCode(got, want) {
				t.Errorf("%s#%d %s:%d is %q, the comment is on %q", w.Repo, w.Number, a.Path, *a.Line, got, want)
			}
		}
	}
	var keys []string
	for k := range counts {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		t.Logf("%5d %s", counts[k], k)
	}
}

func value(p *int) string {
	if p == nil {
		return "-"
	}
	return fmt.Sprint(*p)
}
