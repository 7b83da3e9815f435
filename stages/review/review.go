// Package review is the benchmark of reviews of real pull requests. It has the ordered list of stages (review.go),
// the stages of this benchmark, selection, contexts and freezing, verifying, explaining, the negative controls beside
// a dataset, and the tasks as an evaluation reads them (items.go). It coordinates; the packages filters, scoring and
// contextbuilder decide.
package review

import (
	"slices"

	"github.com/prforge/prforge/filters"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/config"
	"github.com/prforge/prforge/stages/run"
)

// reviewStages is the order of every step for a repository and a pull request of the review benchmark. Two steps
// around pullStages concern repositories, one concerns all pull requests that passed, two concern the selected ones.
func stepNames(s *run.Session) []string {
	return slices.Concat(
		[]string{verdict.StageCollectRepository, verdict.StageRepositoryScore}, // repositories: run.EachRepository, gate
		[]string{verdict.StageWindow},                                          // pull requests come in
		pipeline.Names(PullStages(s)),                                          // each pull request: Shard.RunPulls
		[]string{verdict.StageSelect},                                          // all of them: selectPulls
		[]string{verdict.StageGrade, verdict.StageContexts},                    // each that is released: renderTasks
	)
}

// PullStages is the order of the steps for one pull request within its repository.
func PullStages(s *run.Session) []pipeline.Stage[*run.Item] {
	return slices.Concat(
		[]pipeline.Stage[*run.Item]{
			run.CollectStage{}, // metadata, reviews, threads, comments, file list over GraphQL
			labelStage{s},
		},
		revisionStages(s, run.FilterStages(filters.OfPull(s.Registry, s.Filters))),
		[]pipeline.Stage[*run.Item]{run.DiffStage{}}, // over REST, or by git
		run.FilterStages(filters.OfDiff(s.Filters)),
		[]pipeline.Stage[*run.Item]{run.BaseStage{}}, // by git
		run.FilterStages(filters.OfBase(s.Filters)),
		[]pipeline.Stage[*run.Item]{stateStage{s}, anchorStage{}, shownStage{s}, scoreStage{s}},
		run.FilterStages(filters.OfScore(s.Filters)),
		[]pipeline.Stage[*run.Item]{s.Decontaminate()},
	)
}

// revisionStages inserts the choice of the reviewed revision, if records show one, after the first two filters: later
// filters read the revision.
func revisionStages(s *run.Session, pull []pipeline.Stage[*run.Item]) []pipeline.Stage[*run.Item] {
	if s.Config.Revision != config.RevisionReviewed {
		return pull
	}
	at := 1 +
		slices.IndexFunc(pull,
			func(st pipeline.Stage[*run.Item]) bool { return st.Name() == verdict.FilterSubstantiveComments })
	return slices.Insert(pull, at, pipeline.Stage[*run.Item](revisionStage{s}))
}
