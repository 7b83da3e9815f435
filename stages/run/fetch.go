package run

import (
	"context"
	"errors"

	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// CollectStage reads a whole pull request.
type CollectStage struct{}

// Name is the name of the stage in the audit.
func (CollectStage) Name() string { return verdict.StageCollect }

// Prepare fetches what the raw store lacks, in as few requests as possible.
func (CollectStage) Prepare(ctx context.Context, items []*Item) error {
	wanted := make([]model.PullSummary, len(items))
	for i, it := range items {
		wanted[i] = it.Summary
	}
	return items[0].Repo.FetchPulls(ctx, wanted)
}

// Run reads the stored pull request.
func (CollectStage) Run(_ context.Context, it *Item) (verdict.Verdict, error) {
	pull, err := it.Repo.Pull(it.Ref.Number)
	if errors.Is(err, collectors.ErrHidden) {
		it.hidden = true // RunPulls writes no line for it
		return verdict.Reject(verdict.TakenDown, "it is on the takedown list"), nil
	}
	if err != nil {
		return verdict.Verdict{}, err
	}
	it.Candidate.Pull, it.Candidate.Final = pull, &model.Final{Pull: pull}
	return verdict.Pass(), nil
}

// DiffStage fetches the unified diff. Filter 7 judges an unavailable diff; only an internal error fails here.
type DiffStage struct{}

// Name is the name of the stage in the audit.
func (DiffStage) Name() string { return verdict.StageFetchDiff }

// Prepare fetches the diffs that the raw store lacks.
func (DiffStage) Prepare(ctx context.Context, items []*Item) error {
	pulls := make([]*model.PullRequest, len(items))
	for i, it := range items {
		pulls[i] = it.Candidate.Final.Pull
	}
	return items[0].Repo.FetchDiffs(ctx, pulls)
}

// Run reads the stored diff.
func (DiffStage) Run(_ context.Context, it *Item) (verdict.Verdict, error) {
	diff, err := it.Repo.Diff(it.Ref.Number)
	if err != nil {
		return verdict.Verdict{}, err
	}
	it.Candidate.SetFinalDiff(diff)
	return verdict.Pass(), nil
}

// BaseStage fetches the fork point, the sources at it and the line maps from
// earlier revisions.
type BaseStage struct{}

// Name is the name of the stage in the audit.
func (BaseStage) Name() string { return verdict.StageFetchBase }

// Prepare fetches by git what the raw store lacks.
func (BaseStage) Prepare(ctx context.Context, items []*Item) error {
	changes := make([]collectors.Change, 0, len(items))
	for _, it := range items {
		f := it.Candidate.Final
		change := collectors.Change{Pull: f.Pull, Diff: f.Diff, Parsed: f.Parsed}
		if r := it.Candidate.Reviewed; r != nil {
			change.Reviewed, change.Shown = &r.Candidate, it.Candidate.Parsed
		}
		changes = append(changes, change)
	}
	return items[0].Repo.FetchBases(ctx, changes)
}

// Run reads the stored fork point and sources.
func (BaseStage) Run(_ context.Context, it *Item) (verdict.Verdict, error) {
	base, revisions, sources, err := it.Repo.Base(it.Ref.Number)
	if err != nil {
		return verdict.Verdict{}, err
	}
	c := it.Candidate
	c.Final.Base, c.Revisions = base, revisions
	c.Base, c.Sources = base, sources
	if c.Reviewed != nil {
		_, c.Base, c.Sources, err = it.Repo.Reviewed(it.Ref.Number, c.Reviewed.Candidate.Oid)
	}
	return verdict.Pass(), err
}

// Sources reads the tree at the fork point of the shown revision; nil, without an error, if there is none.
func (it *Item) Sources() (model.Snapshot, error) {
	if r := it.Candidate.Reviewed; r != nil {
		return it.Repo.ReviewedSources(it.Ref.Number, r.Candidate.Oid)
	}
	return it.Repo.Sources(it.Ref.Number)
}
