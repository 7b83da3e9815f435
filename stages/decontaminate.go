package stages

import (
	"context"
	"fmt"

	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/scoring/contamination"
)

// decontaminateStage rejects instances of known benchmarks and what is close
// to one (spec section 8). Texts are compared in one batch for a repository,
// because an encoder may be a service.
type decontaminateStage struct{ s *Session }

func (decontaminateStage) Name() string { return verdict.StageDecontaminate }

func (d decontaminateStage) Prepare(ctx context.Context, items []*item) error {
	pulls := make([]contamination.Pull, len(items))
	for i, it := range items {
		pulls[i] = contamination.Pull{Ref: it.ref, Title: it.c.Pull.Title, Body: it.c.Pull.Body}
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

func (d decontaminateStage) Run(ctx context.Context, it *item) (verdict.Verdict, error) {
	if it.contamination == nil { // read again for release: it passed before
		return verdict.Pass(), nil
	}
	return *it.contamination, nil
}
