package verdict

import (
	"slices"
	"strings"
	"testing"
)

// silent are the stages that only ever pass or fail to collect.
var silent = []string{StageLabel, StageScore, StageAnchor, StageGrade}

// TestReasonsNameStages: every reason of the review benchmark is filed under
// stages that exist, and every stage that decides has a reason.
func TestReasonsNameStages(t *testing.T) {
	stages := []string{
		StageCollectRepository, StageRepositoryScore, StageWindow, StageCollect, StageRevision, StageFetchDiff, StageFetchBase, StageCodeState, StageShown, StageDecontaminate, StageSelect, StageContexts,
		FilterMerged, FilterSubstantiveComments, FilterNonTestChange, FilterNotDocsOnly, FilterNotDependencyUpdate, FilterNotAIDominated,
		FilterDiffParseable, FilterBaseAccessible, FilterRepositoryPublic, FilterReviewValue,
	}
	named := map[string]bool{}
	for _, r := range reviewReasons() {
		for _, stage := range strings.Split(r.Stage, ", ") {
			named[stage] = true
			if stage != ruleOfComments && !slices.Contains(stages, stage) {
				t.Errorf("%s is filed under %q, which is no stage that decides", r.Code, stage)
			}
		}
	}
	for _, stage := range stages {
		if !named[stage] {
			t.Errorf("no reason is filed under %s", stage)
		}
	}
	for _, stage := range silent {
		if named[stage] {
			t.Errorf("%s has a reason after all", stage)
		}
	}
}
