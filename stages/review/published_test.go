package review

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/convert"
	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/config"
	"github.com/prforge/prforge/stages/run"
	"github.com/prforge/prforge/stages/run/runtest"
)

// TestPublishedRecord collects dask/dask#12221 from a GitHub that has it
// (PRFORGE_TWIN, its address) and compares it with the published record
// (PRFORGE_OFFICIAL, the folder with its prs.jsonl): the diff byte by byte, base
// and head, and every field but those that ours has otherwise on purpose.
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
	b := &runtest.Build{Config: cfg, Env: run.Env{
		Host: pipeline.Quiet(1), State: t.TempDir(), Shards: 1,
		CloneURL: func(r model.RepoRef) string { return address + "/" + r.String() + ".git" },
		Connect: func(context.Context) (*ghapi.Client, error) {
			o := ghapi.DefaultOptions()
			o.APIURL, o.GraphQLURL, o.Tokens, o.UserAgent = address, address+"/graphql", ghapi.StaticToken("test"), "prforge-test"
			return ghapi.New(o)
		},
	}}
	it := collected(t, b, ref)
	if it.Candidate.Diff.Text != want.DiffPatch {
		t.Error("diff_patch differs from the published record")
	}
	if it.Candidate.Base.ForkPoint != want.BaseCommit || it.Candidate.Pull.HeadOid != want.HeadCommit {
		t.Errorf("base %s, head %s; published %s, %s", it.Candidate.Base.ForkPoint, it.Candidate.Pull.HeadOid, want.BaseCommit, want.HeadCommit)
	}
	task, err := convert.NewTask(convert.Source{TaskID: want.TaskID, Candidate: it.Candidate})
	if err != nil {
		t.Fatal(err)
	}
	var ours, theirs map[string]json.RawMessage
	text, err := json.Marshal(task.Record)
	if err := errors.Join(err, json.Unmarshal(text, &ours), json.Unmarshal(data, &theirs)); err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(theirs)) {
		same := bytes.Equal(compact(t, ours[name]), compact(t, theirs[name]))
		if _, known := otherwise[name]; same == known {
			t.Errorf("%s: the same %t\nours      %.300s\npublished %.300s", name, same, ours[name], theirs[name])
		}
	}
}

// otherwise are the fields of the published record that ours has otherwise, and
// why.
var otherwise = map[string]string{
	"human_review_comments":    "a line of code that was rewritten is null, not a number of the diff before",
	"num_substantive_comments": "comments by the author and those under ten words are none",
	"num_unique_reviewers":     "the author reviews nobody",
	"rvs_breakdown":            "it counts these comments and reviewers",
	"rvs_score":                "it is the sum of these parts",
}

// compact is a JSON value with its keys in order and no white space.
func compact(t *testing.T, text []byte) []byte {
	t.Helper()
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// collected takes one pull request through every stage, also after a rejection.
func collected(t *testing.T, b *runtest.Build, ref model.PullRef) *run.Item {
	t.Helper()
	ctx := context.Background()
	s, err := run.Open(t.Context(), b.Env, b.Config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	c := s.Collector
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
			it := run.NewItem(repo, p)
			if _, err := pipeline.Run(ctx, append(PullStages(s), gradeStage{s}), []*run.Item{it}, pipeline.Options{Exhaustive: true, Failure: collectors.Reason}); err != nil {
				t.Fatal(err)
			}
			return it
		}
	}
	t.Fatalf("%s is not in the census", ref)
	return nil
}
