package github

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/prforge/prforge/internal/demo"
	"github.com/prforge/prforge/internal/fakegithub"
	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/model"
)

// twin is a fake GitHub that runs apart from the tests, with its faults
// and limits, whose URL is PRFORGE_TWIN, or else one that plays the demo.
func twin(t *testing.T) (url string, repos []model.RepoRef) {
	t.Helper()
	url = os.Getenv("PRFORGE_TWIN")
	if url == "" {
		world, err := demo.World()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range world.Repos {
			repos = append(repos, model.RepoRef{Owner: r.Owner, Name: r.Name})
		}
		return fakegithub.ForTest(t, world, fakegithub.Options{}).URL(), repos
	}
	resp, err := http.Get(url + "/search/repositories?q=&per_page=100")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var found struct {
		Items []struct {
			FullName string `json:"full_name"`
		}
	}
	if err := json.NewDecoder(resp.Body).Decode(&found); err != nil {
		t.Fatal(err)
	}
	for _, item := range found.Items {
		ref, err := model.ParseRepoRef(item.FullName)
		if err != nil {
			t.Fatal(err)
		}
		repos = append(repos, ref)
	}
	return url, repos
}

// TestTwin collects everything that the twin has and writes it to the file
// PRFORGE_TWIN_OUT, so that a run with faults can be compared with a clean one.
func TestTwin(t *testing.T) {
	url, repos := twin(t)
	o := ghapi.DefaultOptions()
	o.APIURL, o.GraphQLURL, o.Tokens = url, url+"/graphql", ghapi.StaticToken("twin")
	o.OnWait = func(w ghapi.Wait) { t.Logf("waiting for %s until %s", w.Reason, w.Until.Format(time.TimeOnly)) }
	api, err := ghapi.New(o)
	if err != nil {
		t.Fatal(err)
	}
	c, ctx := New(api, DefaultOptions(), nil), context.Background()

	var wants []Want
	for _, ref := range repos {
		wants = append(wants, Want{Ref: ref, Since: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)})
	}
	out := map[string]any{}
	var asks []PullAsk
	for got, err := range c.Survey(ctx, wants) {
		if err != nil || got.Err != nil {
			t.Fatal(err, got.Err)
		}
		if !got.Census.Complete {
			t.Errorf("%s: %s", got.Repository.Ref, got.Census.Note)
		}
		out[got.Repository.Ref.String()] = []any{got.Repository, got.Census}
		for _, s := range got.Census.Pulls {
			asks = append(asks, PullAsk{Ref: model.PullRef{Repo: got.Repository.Ref, Number: s.Number}, NodeID: s.NodeID})
		}
	}
	survey := api.Stats()
	var pulls []*model.PullRequest
	for p, err := range c.Pulls(ctx, asks) {
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Incomplete) > 0 {
			t.Errorf("%s: incomplete: %v", p.Ref, p.Incomplete)
		}
		out[p.Ref.String()] = p
		pulls = append(pulls, p)
	}
	facts := api.Stats()
	if len(pulls) != len(asks) || len(pulls) == 0 {
		t.Errorf("%d of %d pull requests came", len(pulls), len(asks))
	}
	for _, p := range pulls {
		d, err := c.Diff(ctx, p)
		if err != nil {
			t.Logf("%v", err)
			out[p.Ref.String()+" diff"] = "none"
			continue
		}
		out[p.Ref.String()+" diff"] = d
	}
	end := api.Stats()
	t.Logf("repositories %d, pull requests %d", len(repos), len(pulls))
	t.Logf("survey: %+v", survey)
	t.Logf("facts:  %+v", facts)
	t.Logf("diffs:  %+v", end)
	t.Logf("a pull request costs %.3f requests and %.3f points, and %.3f requests for its diff",
		float64(facts.GraphQL+facts.REST)/float64(len(pulls)), float64(facts.Points)/float64(len(pulls)), float64(end.REST-facts.REST)/float64(len(pulls)))
	if file := os.Getenv("PRFORGE_TWIN_OUT"); file != "" {
		text, err := json.MarshalIndent(out, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
