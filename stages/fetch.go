package stages

import (
	"context"
	"errors"

	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/filters/substance"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// collectStage reads a pull request in full.
type collectStage struct{}

func (collectStage) Name() string { return verdict.StageCollect }

// Prepare fetches what the raw store lacks, in as few requests as possible.
func (collectStage) Prepare(ctx context.Context, items []*item) error {
	wanted := make([]model.PullSummary, len(items))
	for i, it := range items {
		wanted[i] = it.summary
	}
	return items[0].repo.FetchPulls(ctx, wanted)
}

func (collectStage) Run(_ context.Context, it *item) (verdict.Verdict, error) {
	pull, err := it.repo.Pull(it.ref.Number)
	if errors.Is(err, collectors.ErrHidden) {
		it.hidden = true // runPulls leaves no line of it
		return verdict.Reject(verdict.TakenDown, "it is on the takedown list"), nil
	}
	if err != nil {
		return verdict.Verdict{}, err
	}
	it.c.Pull, it.c.Final = pull, &model.Final{Pull: pull}
	return verdict.Pass(), nil
}

// labelStage checks every review comment against the comment rules.
type labelStage struct{ s *Session }

func (labelStage) Name() string { return verdict.StageLabel }

func (l labelStage) Run(_ context.Context, it *item) (verdict.Verdict, error) {
	if it.c.Labels == nil { // the repository's score may have read it
		it.c.Labels = substance.Label(it.c.Pull, l.s.registry, l.s.substance)
	}
	return verdict.Pass(), nil
}

// diffStage fetches the unified diff. A diff that is unavailable is for filter 7
// to judge; only an internal error fails here.
type diffStage struct{}

func (diffStage) Name() string { return verdict.StageFetchDiff }

func (diffStage) Prepare(ctx context.Context, items []*item) error {
	pulls := make([]*model.PullRequest, len(items))
	for i, it := range items {
		pulls[i] = it.c.Final.Pull
	}
	return items[0].repo.FetchDiffs(ctx, pulls)
}

func (diffStage) Run(_ context.Context, it *item) (verdict.Verdict, error) {
	diff, err := it.repo.Diff(it.ref.Number)
	if err != nil {
		return verdict.Verdict{}, err
	}
	it.c.SetFinalDiff(diff)
	return verdict.Pass(), nil
}

// baseStage fetches the fork point, the sources at it and the line maps from
// earlier revisions.
type baseStage struct{}

func (baseStage) Name() string { return verdict.StageFetchBase }

func (baseStage) Prepare(ctx context.Context, items []*item) error {
	changes := make([]collectors.Change, 0, len(items))
	for _, it := range items {
		if f := it.c.Final; f.Diff != nil {
			changes = append(changes, collectors.Change{Pull: f.Pull, Diff: f.Diff, Parsed: f.Parsed})
		}
	}
	return items[0].repo.FetchBases(ctx, changes)
}

func (baseStage) Run(_ context.Context, it *item) (verdict.Verdict, error) {
	base, revisions, sources, err := it.repo.Base(it.ref.Number)
	if err != nil {
		return verdict.Verdict{}, err
	}
	it.c.Final.Base, it.c.Revisions = base, revisions
	if it.c.Reviewed == nil {
		it.c.Base, it.c.Sources = base, sources
	}
	return verdict.Pass(), nil
}
