package run

import (
	"context"
	"fmt"

	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/scoring/contamination"
)

// Decontaminate is the stage that rejects instances of known benchmarks and near copies of them (spec section 8). It
// compares a repository's texts in one batch, because an encoder may be a service.
func (s *Session) Decontaminate() pipeline.Stage[*Item] { return decontaminateStage{s} }

type decontaminateStage struct{ s *Session }

func (decontaminateStage) Name() string { return verdict.StageDecontaminate }

func (d decontaminateStage) Prepare(ctx context.Context, items []*Item) error {
	pulls := make([]contamination.Pull, len(items))
	for i, it := range items {
		pulls[i] = contamination.Pull{Ref: it.Ref, Title: it.Candidate.Pull.Title, Body: it.Candidate.Pull.Body}
	}
	verdicts, err := contamination.Check(ctx, pulls, d.s.instances, nil, d.s.encoder, d.s.contamination)
	if err != nil {
		return fmt.Errorf("compare with known benchmarks: %w", err)
	}
	for i, it := range items {
		it.contamination = &verdicts[i]
	}
	return nil
}

func (d decontaminateStage) Run(ctx context.Context, it *Item) (verdict.Verdict, error) {
	if it.contamination == nil { // read again for release: it passed before
		return verdict.Pass(), nil
	}
	return *it.contamination, nil
}
