package run

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/filters"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
)

// Item is a candidate on its way through one repository's stages.
type Item struct {
	Summary   model.PullSummary
	Ref       model.PullRef
	Repo      *collectors.Repository
	Candidate *model.Candidate
	Record    int // index of the record among those of the pull request, from 1
	Further   int // how many further records its other revisions could give

	hidden        bool             // nothing may be known of it
	contamination *verdict.Verdict // what decontaminate prepared
	Own           any              // what a benchmark's own stages learned of it
}

// NewItem makes the first record's item of a pull request of which only the census is known.
func NewItem(repo *collectors.Repository, s model.PullSummary) *Item {
	facts := repo.Facts()
	return &Item{Summary: s, Ref: model.PullRef{Repo: facts.Ref, Number: s.Number}, Repo: repo,
		Candidate: &model.Candidate{Repo: facts}, Record: 1}
}

// FilterStage is one of the filters, by its own id.
type FilterStage struct{ filters.Filter }

// Name is the filter's id.
func (f FilterStage) Name() string { return f.ID() }

// Run asks the filter.
func (f FilterStage) Run(_ context.Context, it *Item) (verdict.Verdict, error) {
	return f.Check(it.Candidate), nil
}

// FilterStages makes a stage of each filter.
func FilterStages(group []filters.Filter) []pipeline.Stage[*Item] {
	out := make([]pipeline.Stage[*Item], len(group))
	for i, f := range group {
		out[i] = FilterStage{f}
	}
	return out
}

// ChangeFilters are the stages of the filters on a pull request itself, without those on reviewers' comments.
func (s *Session) ChangeFilters() []pipeline.Stage[*Item] {
	return FilterStages(slices.DeleteFunc(filters.OfPull(s.Registry, s.Filters), func(f filters.Filter) bool {
		return f.ID() == verdict.FilterSubstantiveComments || f.ID() == verdict.FilterNotAIDominated
	}))
}

// errNotInCensus says that a pull request was neither merged nor closed since
// the beginning of the window, or does not exist.
var errNotInCensus = errors.New("not among the pull requests merged or closed since the window began")

// Pull reads a pull request of any repository, and collects it if the state lacks it. The error says if it was
// neither merged nor closed since the beginning of the window.
func (s *Session) Pull(ctx context.Context, ref model.PullRef) (*Item, error) {
	if err := s.Collector.Survey(ctx, []model.RepoRef{ref.Repo}); err != nil {
		return nil, err
	}
	repo, err := s.Collector.Repository(ref.Repo)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", ref.Repo, err)
	}
	census, err := repo.Census()
	if err != nil {
		return nil, err
	}
	for _, p := range census.Pulls {
		if p.Number == ref.Number {
			return NewItem(repo, p), nil
		}
	}
	return nil, fmt.Errorf("%s: %w (%s)", ref, errNotInCensus, census.Since.Format("2006-01-02"))
}
