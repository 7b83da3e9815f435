package stages

import (
	"sync"

	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/contextbuilder/imports"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
)

// item is a candidate on its way through one repository's stages.
type item struct {
	summary model.PullSummary
	ref     model.PullRef
	repo    *collectors.Repository
	c       *model.Candidate

	hidden        bool             // nothing may be known of it
	contamination *verdict.Verdict // what decontaminate prepared

	graphOnce sync.Once
	graph     *imports.Graph // of c.Snapshot; made when first asked for
}

// newItem is a pull request of which only the census is known.
func newItem(repo *collectors.Repository, s model.PullSummary) *item {
	facts := repo.Facts()
	return &item{summary: s, ref: model.PullRef{Repo: facts.Ref, Number: s.Number}, repo: repo, c: &model.Candidate{Repo: facts}}
}

// importGraph is the import graph at the base commit, or nil without sources.
// It serves one goroutine at a time: an item is only ever in one stage.
func (it *item) importGraph(cache *imports.Cache) *imports.Graph {
	it.graphOnce.Do(func() {
		if it.c.Snapshot != nil {
			it.graph = imports.Build(it.c.Snapshot, cache, imports.DefaultOptions())
		}
	})
	return it.graph
}
