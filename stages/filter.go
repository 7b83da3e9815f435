package stages

import (
	"context"

	"github.com/prforge/prforge/filters"
	"github.com/prforge/prforge/internal/unidiff"
	"github.com/prforge/prforge/internal/verdict"
)

// filterStage is one of the ten filters, by its own id.
type filterStage struct{ filters.Filter }

func (f filterStage) Name() string { return f.ID() }

func (f filterStage) Run(_ context.Context, it *item) (verdict.Verdict, error) {
	return f.Check(it.c), nil
}

// parseStage follows the filter that holds the diff to be parseable and keeps
// the parsed form for the stages after it.
type parseStage struct{ filterStage }

func (p parseStage) Run(ctx context.Context, it *item) (verdict.Verdict, error) {
	v, err := p.filterStage.Run(ctx, it)
	if err != nil || it.c.Diff == nil {
		return v, err
	}
	if d, parseErr := unidiff.Parse(it.c.Diff.Text); parseErr == nil {
		it.diff = d
	}
	return v, nil
}
