package stages

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/internal/config"
	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/pipeline"
)

// TestPublishedRecord collects dask/dask#12221 from a GitHub that has it
// (PRFORGE_TWIN, its address) and checks diff, base and head against the
// published record (PRFORGE_OFFICIAL, the folder with its prs.jsonl).
func TestPublishedRecord(t *testing.T) {
	address, official := os.Getenv("PRFORGE_TWIN"), os.Getenv("PRFORGE_OFFICIAL")
	if address == "" || official == "" {
		t.Skip("PRFORGE_TWIN and PRFORGE_OFFICIAL are not set")
	}
	data, err := os.ReadFile(filepath.Join(official, "prs.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var want artifacts.Record
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	ref := model.PullRef{Repo: model.RepoRef{Owner: "dask", Name: "dask"}, Number: want.PRNumber}
	cfg, err := config.Parse("x.yaml", []byte("profile: published\nrepositories: [dask/dask]\ndataset: {freeze_date: 2026-04-15}\n"))
	if err != nil {
		t.Fatal(err)
	}
	b := &testRun{Config: cfg, Env: Env{
		State: t.TempDir(), Workers: 1, Shards: 1, Log: slog.New(slog.DiscardHandler), Progress: Silent{}, Getenv: func(string) string { return "" },
		CloneURL: func(r model.RepoRef) string { return address + "/" + r.String() + ".git" },
		Connect: func(context.Context) (*ghapi.Client, error) {
			o := ghapi.DefaultOptions()
			o.APIURL, o.GraphQLURL, o.Tokens, o.UserAgent = address, address+"/graphql", ghapi.StaticToken("test"), "prforge-test"
			return ghapi.New(o)
		},
	}}
	it := collected(t, b, ref)
	if it.c.Diff.Text != want.DiffPatch {
		t.Error("diff_patch differs from the published record")
	}
	if it.c.Base.ForkPoint != want.BaseCommit || it.c.Pull.HeadOid != want.HeadCommit {
		t.Errorf("base %s, head %s; published %s, %s", it.c.Base.ForkPoint, it.c.Pull.HeadOid, want.BaseCommit, want.HeadCommit)
	}
}

// collected takes one pull request through every stage, also after a rejection.
func collected(t *testing.T, b *testRun, ref model.PullRef) *item {
	t.Helper()
	ctx := context.Background()
	s, err := Open(b.Env, b.Config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	c := s.collector
	if err := c.Survey(ctx, []model.RepoRef{ref.Repo}); err != nil {
		t.Fatal(err)
	}
	repo, err := c.Repository(ref.Repo)
	if err != nil {
		t.Fatal(err)
	}
	census, err := repo.Census()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range census.Pulls {
		if p.Number == ref.Number {
			it := newItem(repo, p)
			if _, err := pipeline.Run(ctx, pullStages(s), []*item{it}, pipeline.Options{Exhaustive: true, Failure: collectors.Reason}); err != nil {
				t.Fatal(err)
			}
			return it
		}
	}
	t.Fatalf("%s is not in the census", ref)
	return nil
}
