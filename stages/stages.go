// Package stages is the pipeline itself: the ordered list of stages, thin
// adapters from the engine to the domain packages, and the build that runs
// them over all repositories and freezes what remains.
package stages

import (
	"github.com/prforge/prforge/filters"
	"github.com/prforge/prforge/pipeline"
)

// Names of the steps around the stages of pullStages, as funnel, decisions and
// logs have them.
const (
	stageCollect           = "collect"            // the pull request in full
	stageFetchDiff         = "fetch-diff"         // its unified diff
	stageFetchBase         = "fetch-base"         // fork point, sources, line maps
	stageCollectRepository = "collect-repository" // the repository's facts and its census
	stageRQS               = "rqs"                // the Repository Quality Score gate
	stageWindow            = "window"             // merged within the window, the newest so many
	stageGrade             = "grade"              // difficulty, type, language
	stageContexts          = "contexts"           // the three texts
	stageSelect            = "select"             // twins, caps, shares, the target
)

// pullStages is the order of everything that happens to one pull request
// within its repository.
func pullStages(s *settings) []pipeline.Stage[*item] {
	f := map[string]filterStage{}
	for _, filter := range filters.All(s.registry, s.filters) {
		f[filter.ID()] = filterStage{filter}
	}
	return []pipeline.Stage[*item]{
		collectStage{},                  // metadata, reviews, threads, comments, file list over GraphQL
		labelStage{s},                   // every review comment against the comment rules
		f["merged"],                     // filter 1
		f["substantive-comments"],       // filter 2
		f["non-test-change"],            // filter 3
		f["not-docs-only"],              // filter 4
		f["not-dependency-update"],      // filter 5
		f["not-ai-dominated"],           // filter 6
		diffStage{},                     // the unified diff over REST, or by git
		parseStage{f["diff-parseable"]}, // filter 7
		baseStage{},                     // fork point, sources, line maps by git
		f["base-accessible"],            // filter 8
		f["repository-public"],          // filter 9
		scoreStage{s},                   // PR Review Value Score
		f["review-value"],               // filter 10
		anchorStage{},                   // each comment's place in the final diff
		gradeStage{s},                   // difficulty, type, language
		decontaminateStage{s},           // instances of known benchmarks and what is close to them
	}
}
