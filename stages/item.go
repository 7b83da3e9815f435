package stages

import (
	"github.com/prforge/prforge/collectors"
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
}

// newItem is a pull request of which only the census is known.
func newItem(repo *collectors.Repository, s model.PullSummary) *item {
	facts := repo.Facts()
	return &item{summary: s, ref: model.PullRef{Repo: facts.Ref, Number: s.Number}, repo: repo, c: &model.Candidate{Repo: facts}}
}
