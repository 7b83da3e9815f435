package evaluate

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/collectors/models/agent"
	"github.com/prforge/prforge/internal/reviewer"
)

// HarborReview is the output of an exported task's verifier, FileHarborReview in the folder of a trial.
type HarborReview struct {
	Task     string          `json:"task_id"`
	Pull     reviewer.Pull   `json:"pull"`
	Findings json.RawMessage `json:"findings"` // the agent's file as it is
}

// FileHarborReview is the path at which Harbor stores what a verifier wrote to /logs/verifier/review.json.
const FileHarborReview = "verifier/review.json"

// ImportHarbor stores the reviews of a Harbor job in the configuration Repository. The trials of a task are its
// repeats, in the order of their names. It returns the trials without a review, each with the reason.
func (e *Evaluation) ImportHarbor(model, job string) (kept int, left []string, err error) {
	trials, err := os.ReadDir(job)
	if err != nil {
		return 0, nil, &planError{err}
	}
	var reviews []importedReview
	repeats := map[string]int{}
	for _, t := range trials {
		if _, err := os.Stat(filepath.Join(job, t.Name(), "result.json")); err != nil {
			continue // no trial
		}
		r, err := harborTrial(filepath.Join(job, t.Name()))
		if err != nil {
			left = append(left, fmt.Sprintf("%s: %s", t.Name(), err))
			continue
		}
		repeats[r.Task]++
		r.Repeat = repeats[r.Task]
		reviews = append(reviews, r)
	}
	if len(reviews) == 0 {
		return 0, left, planErrorf("%s holds no trial of Harbor with a review", job)
	}
	kept, err = e.keepReviews(model, job, reviews)
	return kept, left, err
}

// harborTrial reads the review of one trial.
func harborTrial(dir string) (r importedReview, err error) {
	result, err := load.ReadJSON[struct {
		Exception *struct {
			Type string `json:"exception_type"`
		} `json:"exception_info"`
	}](dir, "result.json")
	if err != nil {
		return r, err
	}
	if result.Exception != nil {
		return r, fmt.Errorf("Harbor ended it: %s", result.Exception.Type) //nolint:staticcheck // a name
	}
	review, err := load.ReadJSON[HarborReview](dir, FileHarborReview)
	if err != nil {
		return r, fmt.Errorf("the verifier handed on no review: %w", err)
	}
	answer, _, err := agent.Comments(review.Findings, review.Pull, nil)
	return importedReview{Task: review.Task, Config: reviewer.Repository, Comments: json.RawMessage(answer)}, err
}
