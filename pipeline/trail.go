package pipeline

import (
	"fmt"
	"iter"
	"strconv"

	"github.com/prforge/prforge/internal/verdict"
)

// Trail is the decisions about one item, without the item: all that the audit, the funnel and the run report need of
// it. It can be stored as JSON.
type Trail struct {
	Kind      string             `json:"kind"`             // what the item is: repository, pull_request, ...
	Repo      string             `json:"repo,omitempty"`   // OWNER/NAME
	Number    int                `json:"number,omitempty"` // of the pull request; 0 where there is none
	Item      string             `json:"item,omitempty"`   // a path or an id within those
	Decisions []verdict.Decision `json:"decisions"`        // in the order of the stages; only the last may be no pass
	Error     string             `json:"error,omitempty"`  // why the last decision failed; never part of a dataset
}

// Name is OWNER/NAME, OWNER/NAME#N, OWNER/NAME#N:ITEM or ITEM, whichever parts
// there are.
func (t *Trail) Name() string {
	name := t.Repo
	if t.Number != 0 {
		name += "#" + strconv.Itoa(t.Number)
	}
	if name != "" && t.Item != "" {
		name += ":"
	}
	return name + t.Item
}

// Last is the decision that dropped the item, or its last pass.
func (t *Trail) Last() verdict.Decision { return t.Decisions[len(t.Decisions)-1] }

// Alive reports whether every stage so far passed the item.
func (t *Trail) Alive() bool {
	return len(t.Decisions) == 0 || t.Last().Outcome == verdict.OutcomePass
}

// Decide notes one stage's verdict.
func (t *Trail) Decide(stage string, v verdict.Verdict) {
	t.Decisions = append(t.Decisions, verdict.Decision{Stage: stage, Verdict: v})
}

// Fail notes that an error kept a stage from deciding.
func (t *Trail) Fail(stage string, err error, failure func(error) (verdict.Code, string)) {
	t.Decide(stage, verdict.Fail(failure(err)))
	t.Error = err.Error()
}

// Take notes what a run decided about the item.
func Take[T any](t *Trail, r *Result[T]) {
	t.Decisions = append(t.Decisions, r.Decisions...)
	if r.Err != nil {
		t.Error = r.Err.Error()
	}
}

// Count makes the funnel of all trails, with its stages in order, and checks conservation: what one stage passes
// enters the next, except at the stages named in starts, where items of another kind enter.
func Count(trails iter.Seq[*Trail], stages []string, starts ...string) (*verdict.Funnel, error) {
	funnel := verdict.NewFunnel(stages...)
	for t := range trails {
		for _, d := range t.Decisions {
			if err := funnel.Add(d.Stage, d.Verdict); err != nil {
				return nil, fmt.Errorf("%s: %w", t.Name(), err)
			}
		}
	}
	if err := funnel.Check(starts...); err != nil {
		return nil, fmt.Errorf("the funnel does not add up, which is an internal error: %w", err)
	}
	return funnel, nil
}

// Names lists the names of stages.
func Names[T any](stages []Stage[T]) []string {
	out := make([]string, len(stages))
	for i, s := range stages {
		out[i] = s.Name()
	}
	return out
}
