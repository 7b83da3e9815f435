package evaluate

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/usage"
	"github.com/prforge/prforge/internal/digest"
	"github.com/prforge/prforge/internal/reviewer"
	"github.com/prforge/prforge/pipeline"
)

// Evaluation runs reviewers on a dataset, or scores the answers of a run folder again.
type Evaluation struct {
	pipeline.Host

	Benchmarks []Benchmark
	Dataset    string // folder of the dataset; not needed to score
	Run        string // folder of the run
	Snapshots  string // folder of the code of records; "" for the dataset itself
	Config     Config
	Choice     Choice
	// Extend allows new models, tasks, configurations and repeats in the plan.
	Extend bool
	// Controls is a folder of the dataset's negative controls. The run stores their clean hunks. "" means none.
	// Where the benchmark borrows controls, ControlsOf is the dataset of reviews that they are of.
	Controls, ControlsOf string
	// Pool is how many findings of a single reviewer, besides those of several, the judge sees; 0 means none at all.
	Pool    int
	MaxCost float64 // US dollars; 0 for no limit
	Now     func() time.Time
	// Confirm is called before anything is spent; an error ends the run.
	Confirm func(Estimate) error

	tokens func(string) int
	sleep  func(context.Context, time.Duration) error // the real one where nil
}

// Choice narrows what is evaluated; empty lists choose everything.
type Choice struct {
	Split   string
	Tasks   []string
	Configs []string
	Models  []string
	Limit   int // how many tasks, the first ones; 0 for all
}

// Outcome is how a run went.
type Outcome struct {
	Report   evaluation.Report
	Usage    []usage.Taken
	Failures []RecordFailure
	// USD is the cost of the answers, in US dollars, each paid once.
	USD float64
	// Booked is the possible cost of calls without an answer, in US dollars.
	Booked float64
	// Stopped says that the limit of cost prevented calls. Ended lists the endpoints that the run stopped using, and
	// why.
	Stopped bool
	Ended   []string
}

// RecordFailure is a failed record with the error behind it.
type RecordFailure struct {
	evaluation.RecordKey
	Code  string `json:"code"`
	Error string `json:"error"`
}

// session is an open run: the folder, what is planned, and the tasks.
type session struct {
	*Evaluation
	folder    *runFolder
	benchmark Benchmark
	plan      evaluation.Plan
	items     map[string]evaluation.Item
	records   []evaluation.RecordKey
	// recorded are the keys of the answers about each record in a run with other prompts than ours; nil for a run
	// with ours.
	recorded map[usedKey][]string
}

// Estimate predicts a run's requests. Input tokens of reviews are exact by o200k_base; figures that depend on answers
// are ranges. It omits second questions after unreadable answers.
type Estimate struct {
	Records     int     `json:"records"`
	Open        int     `json:"open"` // records without all their answers
	ReviewCalls int     `json:"review_calls"`
	JudgeCalls  int     `json:"judge_calls"` // at most: a review without comments is not judged
	ReviewInput int64   `json:"review_input_tokens"`
	JudgeLow    int64   `json:"judge_input_tokens_low"`
	JudgeHigh   int64   `json:"judge_input_tokens_high"`
	LowUSD      float64 `json:"usd_low"`
	HighUSD     float64 `json:"usd_high"`
	// questions to the judge for records that are judged, without those for other records
	Findings int     `json:"findings"`
	SpentUSD float64 `json:"usd_spent"` // of what is answered already
	Unpriced bool    `json:"unpriced"`  // a model to be asked has no price
	Minutes  float64 `json:"minutes"`   // at least, by the endpoints' limits a minute
}

func (s *session) model(id string) reviewer.Model {
	for _, m := range s.plan.Models {
		if m.ID == id {
			return m
		}
	}
	return reviewer.Model{}
}

// poolRole names the judge's calls about findings in usage.json.
const poolRole = "pool"

// models are the chosen reviewers, in the order of the file.
func (e *Evaluation) models() ([]reviewer.Model, error) {
	if len(e.Choice.Models) == 0 {
		return e.Config.Models, nil
	}
	var out []reviewer.Model
	for _, m := range e.Config.Models {
		if slices.Contains(e.Choice.Models, m.ID) {
			out = append(out, m)
		}
	}
	for _, id := range e.Choice.Models {
		if !slices.ContainsFunc(out, func(m reviewer.Model) bool { return m.ID == id }) {
			return nil, planErrorf("model %q is not in the configuration", id)
		}
	}
	return out, nil
}

// reads reports whether a chosen reviewer reads the repository.
func (e *Evaluation) reads() bool {
	chosen, err := e.models()
	return err == nil && slices.ContainsFunc(chosen, reviewer.Model.ReadsRepository)
}

// digested notes the digest of the reviewers' folders: a reviewer whose folder changes is a different one.
func digested(all []reviewer.Model) (out []reviewer.Model, err error) {
	out = slices.Clone(all)
	for i, m := range out {
		if m.Folder == "" {
			continue
		}
		if out[i].FolderSHA256, err = digest.Folder(m.Folder); err != nil {
			return nil, fmt.Errorf("models: %s: %w", m.ID, err)
		}
	}
	return out, nil
}

// usedKey names a reviewer's or a judge's answers about a record.
type usedKey struct {
	evaluation.RecordKey
	role string
}
