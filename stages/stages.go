// Package stages is the pipeline itself: the ordered list of stages, thin
// adapters from the engine to the domain packages, and the build that runs
// them over all repositories and freezes what remains.
package stages

import (
	"slices"

	"github.com/prforge/prforge/filters"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
)

// pullStages is the order of everything that happens to one pull request
// within its repository.
func pullStages(s *settings) []pipeline.Stage[*item] {
	return slices.Concat(
		[]pipeline.Stage[*item]{
			collectStage{}, // metadata, reviews, threads, comments, file list over GraphQL
			labelStage{s},  // every review comment by the comment rules
		},
		filterStages(filters.OfPull(s.registry, s.filters)),
		[]pipeline.Stage[*item]{diffStage{}}, // the unified diff over REST, or by git
		filterStages(filters.OfDiff(s.filters)),
		[]pipeline.Stage[*item]{baseStage{}}, // fork point, sources, line maps by git
		filterStages(filters.OfBase(s.filters)),
		[]pipeline.Stage[*item]{scoreStage{s}}, // PR Review Value Score
		filterStages(filters.OfScore(s.filters)),
		[]pipeline.Stage[*item]{
			anchorStage{},         // each comment's position in the final diff
			gradeStage{s},         // difficulty, type, language
			decontaminateStage{s}, // instances of known benchmarks and what is close to them
		},
	)
}

// stageNames are all stages in their order, with the steps around pullStages.
func stageNames(s *settings) []string {
	names := []string{verdict.StageCollectRepository, verdict.StageRQS, verdict.StageWindow}
	for _, st := range pullStages(s) {
		names = append(names, st.Name())
	}
	return append(names, verdict.StageSelect, verdict.StageContexts)
}
