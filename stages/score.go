package stages

import (
	"context"
	"fmt"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// Scored is what a contributor learns of a repository: its score with what
// would raise it, and what the pipeline would make of its pull requests.
type Scored struct {
	artifacts.RepositoryAudit
	// Funnel is a dry run of everything up to the selection; nil where the
	// repository could not be had.
	Funnel *verdict.Funnel `json:"funnel"`
	// Yield is how many of its pull requests would be released if it stood
	// alone.
	Yield int `json:"yield"`
	// Passes says whether the score reaches the configured minimum.
	Passes bool `json:"passes"`
}

// Score measures repositories and runs their pull requests through the
// pipeline without freezing anything, whether or not they pass the gate.
func (b *Build) Score(ctx context.Context, refs []model.RepoRef) ([]Scored, error) {
	s, err := b.settings()
	if err != nil {
		return nil, err
	}
	c, err := collectors.Open(b.collection(s))
	if err != nil {
		return nil, err
	}
	defer c.Close()
	if err := b.connectModels(s, c.Store().Answers()); err != nil {
		return nil, err
	}
	b.Progress.Phase("repositories", len(refs))
	if err := c.Survey(ctx, refs); err != nil {
		return nil, err
	}
	var out []Scored
	for _, ref := range refs {
		one, err := b.scoreOne(ctx, c, s, ref)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", ref, err)
		}
		b.Progress.Done(ref.String(), one.Detail)
		out = append(out, *one)
	}
	return out, nil
}

func (b *Build) scoreOne(ctx context.Context, c *collectors.Collector, s *settings, ref model.RepoRef) (*Scored, error) {
	sh, err := b.runShard(ctx, c, s, ref)
	if err != nil {
		return nil, err
	}
	out := &Scored{RepositoryAudit: sh.audit(s), Passes: sh.repository.Verdict.Outcome == "pass"}
	if sh.repo == nil || sh.quality == nil {
		return out, nil
	}
	if !out.Passes {
		if err := b.runPulls(ctx, s, sh.repo, sh); err != nil {
			return nil, err
		}
	}
	run := &outcome{shards: []*shard{sh}}
	run.choose(s)
	for _, r := range run.releases { // a dry run renders nothing
		r.pull.decisions = append(r.pull.decisions, verdict.Decision{Stage: verdict.StageContexts, Verdict: verdict.Pass()})
	}
	if err := run.count(s); err != nil {
		return nil, err
	}
	out.Funnel, out.Yield = &run.funnel, len(run.releases)
	return out, nil
}
