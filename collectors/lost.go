package collectors

import (
	"context"
	"errors"

	"github.com/prforge/prforge/collectors/github"
	"github.com/prforge/prforge/collectors/gitsource"
	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
)

// askForLost asks the API for revisions that git lacks and whose comments apply to no other revision: one request if
// GitHub lacks the commit too, else two. It stores the diffs.
func (r *Repository) askForLost(ctx context.Context, p *model.PullRequest, set *model.RevisionSet) error {
	standing := map[int64]bool{}
	for _, c := range set.Candidates {
		for _, id := range c.Stands {
			standing[id] = true
		}
	}
	needed := map[string]bool{}
	for _, t := range p.Threads {
		if len(t.Comments) > 0 && !standing[t.Comments[0].ID] {
			needed[t.Comments[0].OriginalOid] = true
		}
	}
	for i := range set.Candidates {
		c := &set.Candidates[i]
		if c.Source != "" || !needed[c.Oid] {
			continue
		}
		client, err := r.c.github(ctx)
		if err == nil {
			err = r.askFor(ctx, client, p, c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// askFor requests one revision. The error is temporary: only what GitHub lacks or refuses becomes a lasting problem
// of the candidate.
func (r *Repository) askFor(ctx context.Context, client *github.Client, p *model.PullRequest,
	c *model.RevisionCandidate) error {
	base, err := client.MergeBase(ctx, r.facts.Ref, gitsource.Upstream(p), c.Oid)
	text := ""
	if err == nil {
		text, err = client.Comparison(ctx, r.facts.Ref, base, c.Oid)
	}
	switch {
	case errors.Is(err, ghapi.ErrNotFound):
		c.Problem += ", and the API does not have it either"
		return nil
	case isRefusal(err):
		c.Problem += ", and " + refusal(err)
		return nil
	case err != nil:
		return err
	}
	diff := model.Diff{HeadOid: c.Oid, Source: model.DiffFromREST, Why: "git does not have the reviewed revision",
		Text: text}
	if err := store.Put(r.shard, store.Diff, revisionKey(p.Ref.Number, c.Oid), diff); err != nil {
		return err
	}
	c.Source, c.Base, c.Problem = model.RevisionFromAPI, base, ""
	noteStanding(p, c, text)
	return nil
}
