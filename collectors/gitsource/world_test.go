package gitsource_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prforge/prforge/collectors/gitsource"
	"github.com/prforge/prforge/internal/demo"
	"github.com/prforge/prforge/internal/fakegithub"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
)

// TestWorld collects every pull request of a world. PRFORGE_WORLD names its
// folder, PRFORGE_WORLD_GIT the server of its repositories, PRFORGE_WORLD_REPO
// limits it to one; without them it is the demo's.
func TestWorld(t *testing.T) {
	world, server := os.Getenv("PRFORGE_WORLD"), os.Getenv("PRFORGE_WORLD_GIT")
	if world == "" || server == "" {
		if testing.Short() {
			t.Skip("collects the demo's 40 pull requests once more")
		}
		w, err := demo.World()
		world = t.TempDir()
		if err := errors.Join(err, w.Export(world)); err != nil {
			t.Fatal(err)
		}
		server = fakegithub.ForTest(t, w, fakegithub.Options{}).URL()
	}
	state := t.TempDir()
	st, err := store.Open(filepath.Join(state, "raw"), store.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	for repo, pulls := range readWorld(t, filepath.Join(world, "pulls.jsonl")) {
		if only := os.Getenv("PRFORGE_WORLD_REPO"); only != "" && only != repo {
			continue
		}
		ref, err := model.ParseRepoRef(repo)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(ref.FileName(), func(t *testing.T) { collectWorld(t, st, state, server, ref, pulls) })
	}
}

type worldPull struct {
	Repo     string
	Number   int
	BaseSHA  string `json:"base_sha"`
	BaseTip  string `json:"base_tip_sha"`
	HeadSHA  string `json:"head_sha"`
	MergeSHA string `json:"merge_sha"`
	MergedAt string `json:"merged_at"`
	Threads  []struct {
		Path     string
		Comments []struct {
			Original string `json:"original_commit"`
		}
	}
}

func readWorld(t *testing.T, name string) map[string][]worldPull {
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	pulls := map[string][]worldPull{}
	for lines.Scan() {
		var p worldPull
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		pulls[p.Repo] = append(pulls[p.Repo], p)
	}
	return pulls
}

func (p worldPull) model(ref model.RepoRef) *model.PullRequest {
	pull := &model.PullRequest{Ref: model.PullRef{Repo: ref, Number: p.Number}, HeadOid: p.HeadSHA, BaseRefOid: p.BaseTip, ChangedFiles: 3000}
	if p.MergeSHA != "" {
		pull.MergeCommit = &model.MergeCommit{Oid: p.MergeSHA}
	}
	for _, thread := range p.Threads {
		t := model.Thread{Path: thread.Path}
		for _, c := range thread.Comments {
			t.Comments = append(t.Comments, model.Comment{OriginalOid: c.Original})
		}
		pull.Threads = append(pull.Threads, t)
	}
	return pull
}

func collectWorld(t *testing.T, st *store.Store, state, server string, ref model.RepoRef, pulls []worldPull) {
	ctx := t.Context()
	dir := filepath.Join(state, "git", ref.FileName()+".git")
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	repo, err := gitsource.Open(ctx, dir, server+"/"+ref.String()+".git", options())
	if err != nil {
		t.Fatal(err)
	}
	defer repo.Close()
	start := time.Now()
	lap := func(what string) {
		t.Logf("%-12s %6.2fs %+v", what, time.Since(start).Seconds(), repo.Stats())
		start = time.Now()
	}
	all := make([]*model.PullRequest, len(pulls))
	for i, p := range pulls {
		all[i] = p.model(ref)
	}
	var plan gitsource.Plan
	for _, p := range all {
		plan.Pulls = append(plan.Pulls, gitsource.PullPlan{Pull: p})
	}
	if err := repo.Prepare(ctx, newShard(t), plan); err != nil {
		t.Fatal(err)
	}
	lap("prepare")
	var requests []gitsource.Request
	wrong, revisions := 0, 0
	for i, p := range pulls {
		diff, err := repo.Diff(ctx, p.BaseSHA, p.HeadSHA)
		if err != nil {
			t.Errorf("#%d: %v", p.Number, err)
			continue
		}
		base, err := repo.ForkPoint(ctx, all[i], string(diff))
		if err != nil {
			t.Errorf("#%d: %v", p.Number, err)
			continue
		}
		if base.ForkPoint != p.BaseSHA || !base.Verified {
			wrong++
			t.Errorf("#%d: fork point %+v, want %s", p.Number, base, p.BaseSHA)
		}
		if base.Method != gitsource.MethodSquash || len(base.Missing) > 0 {
			t.Logf("#%d: %+v", p.Number, base)
		}
		q := gitsource.Request{Key: fmt.Sprint(p.Number), Commit: p.BaseSHA}
		for _, thread := range p.Threads {
			q.Changed = append(q.Changed, thread.Path)
			for _, c := range thread.Comments {
				if c.Original != "" && c.Original != p.HeadSHA {
					d, err := repo.RevisionDiff(ctx, c.Original, p.HeadSHA, []string{thread.Path})
					if err != nil || d.Problem != "" {
						t.Errorf("#%d: %v %s", p.Number, err, d.Problem)
					}
					revisions++
				}
			}
		}
		requests = append(requests, q)
	}
	lap(fmt.Sprintf("%d fork points (%d wrong), %d revision diffs", len(pulls), wrong, revisions))
	shard, err := st.Shard(ref)
	if err != nil {
		t.Fatal(err)
	}
	failed, err := repo.Collect(ctx, shard, requests)
	if err != nil || len(failed) > 0 {
		t.Fatal(failed, err)
	}
	lap("collect")
	blobs, _ := shard.Keys(store.Blob)
	info, _ := os.Stat(shard.Path())
	files, kept := 0, 0
	for _, q := range requests {
		list, err := shard.Files(q.Key)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range list {
			files++
			if f.Kept {
				kept++
			}
		}
	}
	lap("read trees")
	t.Logf("shard %.1f MB, %d blobs; %d files in %d trees, %d kept", float64(info.Size())/1e6, len(blobs), files, len(requests), kept)
	if out, err := os.ReadFile("/proc/self/status"); err == nil {
		for line := range strings.Lines(string(out)) {
			if strings.HasPrefix(line, "VmHWM") {
				t.Log(strings.TrimSpace(line))
			}
		}
	}
}
