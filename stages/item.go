package stages

import (
	"context"

	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/filters"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
)

// item is a candidate on its way through one repository's stages.
type item struct {
	summary model.PullSummary
	ref     model.PullRef
	repo    *collectors.Repository
	c       *model.Candidate
	record  int // which of the pull request's records it becomes, from 1
	further int // how many further records its other revisions could give

	hidden        bool                 // nothing may be known of it
	contamination *verdict.Verdict     // what decontaminate prepared
	faults        *pullFaults          // files and inject, of the bugs benchmark
	scripts       []model.ScriptSource // heads, of the debugging benchmark
}

// newItem is a pull request of which only the census is known, for its first
// record.
func newItem(repo *collectors.Repository, s model.PullSummary) *item {
	facts := repo.Facts()
	return &item{summary: s, ref: model.PullRef{Repo: facts.Ref, Number: s.Number}, repo: repo, c: &model.Candidate{Repo: facts}, record: 1}
}

// filterStage is one of the filters, by its own id.
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
