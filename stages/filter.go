package stages

import (
	"context"

	"github.com/prforge/prforge/filters"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
)

// filterStage is one of the ten filters, by its own id.
type filterStage struct{ filters.Filter }

func (f filterStage) Name() string { return f.ID() }

func (f filterStage) Run(_ context.Context, it *item) (verdict.Verdict, error) {
	return f.Check(it.c), nil
}

// filterStages makes a stage of each filter.
func filterStages(group []filters.Filter) []pipeline.Stage[*item] {
	out := make([]pipeline.Stage[*item], len(group))
	for i, f := range group {
		out[i] = filterStage{f}
	}
	return out
}
