package stages

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
)

// shard is what one repository's stages came to: everything that the global
// steps and the audit need, and nothing that grows with the pull requests'
// contents.
type shard struct {
	asked      model.RepoRef
	facts      *model.Repository      // nil when it could not be had
	repo       *collectors.Repository // likewise
	repository verdict.Decision
	failure    error    // why it failed; nil for every other outcome
	quality    *quality // nil when it could not be had
	pulls      []*graded
	logins     map[string]bool // every account seen, to tell which registry entries never match
}

// graded is one pull request of a shard.
type graded struct {
	ref       model.PullRef
	summary   model.PullSummary
	decisions []verdict.Decision
	failure   error     // why the last decision failed; nil for every other outcome
	grade     *finalist // nil unless every stage passed it
}

// last is the decision that dropped the pull request, or its last pass.
func (g *graded) last() verdict.Decision { return g.decisions[len(g.decisions)-1] }

// runShard takes one repository through everything up to grade (spec section
// 1: up to there it needs this repository alone).
func (b *Build) runShard(ctx context.Context, c *collectors.Collector, s *settings, asked model.RepoRef) (out *shard, err error) {
	out = &shard{asked: asked}
	repo, err := c.Repository(asked)
	if err != nil {
		if collectors.IsFatal(err) {
			return nil, err
		}
		out.fail(verdict.StageCollectRepository, err)
		return out, nil
	}
	out.facts, out.repo = repo.Facts(), repo
	defer func() { err = errors.Join(err, repo.Release()) }()
	out.repository = verdict.Decision{Stage: verdict.StageCollectRepository, Verdict: verdict.Pass()}
	if err := b.gate(ctx, s, repo, out); err != nil {
		if collectors.IsFatal(err) {
			return nil, fmt.Errorf("%s: %w", asked, err)
		}
		out.fail(verdict.StageRQS, err)
	}
	if out.repository.Verdict.Outcome != verdict.OutcomePass {
		return out, nil
	}
	if err := b.runPulls(ctx, s, repo, out); err != nil {
		return nil, fmt.Errorf("%s: %w", asked, err)
	}
	return out, nil
}

// runPulls takes the repository's pull requests through the stages.
func (b *Build) runPulls(ctx context.Context, s *settings, repo *collectors.Repository, out *shard) error {
	inside, over := window(repo.Census(), s)
	for _, p := range over {
		out.pulls = append(out.pulls, overCap(repo, p, s))
	}
	items := make([]*item, len(inside))
	for i, p := range inside {
		items[i] = newItem(repo, p)
	}
	results, err := pipeline.Run(ctx, pullStages(s), items, pipeline.Options{
		Workers: b.Workers, Fatal: collectors.IsFatal, Failure: collectors.Reason, Observer: b.observer(out.facts.Ref),
	})
	if err != nil {
		return err
	}
	for i := range results {
		if results[i].Item.hidden {
			continue
		}
		out.pulls = append(out.pulls, keep(&results[i], s))
		out.see(results[i].Item.c.Pull)
	}
	slices.SortFunc(out.pulls, func(a, b *graded) int { return b.ref.Number - a.ref.Number })
	return nil
}

// see notes who took part in a pull request; nil is nobody.
func (sh *shard) see(p *model.PullRequest) {
	if sh.logins == nil {
		sh.logins = map[string]bool{}
	}
	if p == nil {
		return
	}
	sh.logins[p.Author.Login] = true
	for _, r := range p.Reviews {
		sh.logins[r.Author.Login] = true
	}
	for _, c := range p.Comments {
		sh.logins[c.Author.Login] = true
	}
	for _, t := range p.Threads {
		for _, c := range t.Comments {
			sh.logins[c.Author.Login] = true
		}
	}
}

// keep reduces a result to what later steps need.
func keep(r *pipeline.Result[*item], s *settings) *graded {
	g := &graded{ref: r.Item.ref, summary: r.Item.summary, failure: r.Err}
	g.decisions = make([]verdict.Decision, 0, len(r.Decisions)+3) // window before them, select and contexts after them
	g.decisions = append(g.decisions, verdict.Decision{Stage: verdict.StageWindow, Verdict: verdict.Pass()})
	for _, d := range r.Decisions {
		if s.pseudonyms != nil && r.Item.c.Pull != nil {
			d.Evidence = s.pseudonyms.Evidence(d.Evidence, r.Item.c.Pull)
		}
		g.decisions = append(g.decisions, d)
	}
	if r.Alive() {
		g.grade = newFinalist(r.Item)
	}
	return g
}

// window picks the pull requests that are looked at: merged within the window,
// newest first, at most so many (spec section 2); those beyond are over.
// Pull requests closed without a merge in the same span are looked at too, so
// that the audit can say what became of them.
func window(census *model.Census, s *settings) (inside, over []model.PullSummary) {
	var merged, closed []model.PullSummary
	for _, p := range census.Pulls {
		at := endedAt(p)
		if at == nil || at.Before(s.since) || !at.Before(s.until) {
			continue
		}
		if p.MergedAt != nil {
			merged = append(merged, p)
		} else {
			closed = append(closed, p)
		}
	}
	newestFirst(merged)
	newestFirst(closed)
	if n := s.config.Window.MaxPullsPerRepository; len(merged) > n {
		merged, over = merged[:n:n], merged[n:]
	}
	if len(over) > 0 {
		oldest := *merged[len(merged)-1].MergedAt
		closed = slices.DeleteFunc(closed, func(p model.PullSummary) bool { return p.ClosedAt.Before(oldest) })
	}
	if n := s.config.Window.MaxPullsPerRepository; len(closed) > n {
		closed = closed[:n]
	}
	return append(merged, closed...), over
}

// endedAt is when a pull request was merged or closed.
func endedAt(p model.PullSummary) *time.Time {
	if p.MergedAt != nil {
		return p.MergedAt
	}
	return p.ClosedAt
}

func newestFirst(pulls []model.PullSummary) {
	slices.SortFunc(pulls, func(a, b model.PullSummary) int {
		if c := endedAt(b).Compare(*endedAt(a)); c != 0 {
			return c
		}
		return b.Number - a.Number
	})
}

func overCap(repo *collectors.Repository, p model.PullSummary, s *settings) *graded {
	n := s.config.Window.MaxPullsPerRepository
	v := verdict.Reject(verdict.OverWindowCap, fmt.Sprintf("%d newer pull requests of the repository are looked at", n),
		verdict.Evidence{What: "merged at", Found: p.MergedAt.Format(time.RFC3339)})
	return &graded{
		ref:       model.PullRef{Repo: repo.Facts().Ref, Number: p.Number},
		summary:   p,
		decisions: []verdict.Decision{{Stage: verdict.StageWindow, Verdict: v}},
	}
}

// fail notes that the repository could not be collected.
func (sh *shard) fail(stage string, err error) {
	sh.repository, sh.failure = verdict.Decision{Stage: stage, Verdict: verdict.Fail(collectors.Reason(err))}, err
}
