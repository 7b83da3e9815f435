// Package pipeline is the engine: it runs stages over items, keeps the ledger
// of what each stage decided and proves that nothing was lost on the way. It
// knows no concrete stage.
//
// Every item passes the stages in order until one does not pass it. A stage
// may prepare all items that reached it at once, which is where collection
// batches its requests; its verdicts are then taken item by item.
package pipeline

import (
	"context"
	"errors"
	"fmt"

	"github.com/sourcegraph/conc/iter"
	"github.com/sourcegraph/conc/panics"

	"github.com/prforge/prforge/internal/verdict"
)

// Stage decides about one item at a time.
type Stage[T any] interface {
	// Name is kebab-case: the ledger, the funnel and the logs know the stage
	// by it.
	Name() string
	// Run answers about one item. It must not touch other items: items run in
	// any order, several at once. An error is about us: the item counts as
	// failed and the run goes on, unless the error is a StopError.
	Run(ctx context.Context, item T) (verdict.Verdict, error)
}

// Preparer is a stage that does something for all its items before the first
// verdict, such as fetching them in batches. What fails for one item must show
// when Run is called for it; an error from Prepare stops the run.
type Preparer[T any] interface {
	Prepare(ctx context.Context, items []T) error
}

// StopError wraps an error that no other item would fare better with, such as
// bad credentials or a full disk: it ends the run.
type StopError struct{ Err error }

// Error is the wrapped error's text.
func (e *StopError) Error() string { return e.Err.Error() }

// Unwrap gives the wrapped error.
func (e *StopError) Unwrap() error { return e.Err }

// Stop marks an error as one that ends the run; nil stays nil.
func Stop(err error) error {
	if err == nil {
		return nil
	}
	return &StopError{Err: err}
}

// Result is what became of one item: the decisions of every stage it reached,
// the last of which is the one that dropped it, if any did.
type Result[T any] struct {
	Item      T
	Decisions []Decision
}

// Decision is one stage's verdict about one item.
type Decision struct {
	Stage   string
	Verdict verdict.Verdict
	Err     error // why it failed; nil for every other outcome
}

// Alive reports whether every stage so far passed the item.
func (r *Result[T]) Alive() bool {
	return len(r.Decisions) == 0 || r.Decisions[len(r.Decisions)-1].Verdict.Outcome == verdict.OutcomePass
}

// Options say how to run.
type Options struct {
	Workers int // items at once within a stage; less than one means one
	// Failure turns an item's error into the reason code and the sentence of
	// its failed verdict. Nil means code "failed" and the error's text.
	Failure func(error) (verdict.Code, string)
	// Exhaustive goes on after a rejection, as `explain` wants it: items keep
	// running until a stage cannot decide.
	Exhaustive bool
	Observer   Observer // nil for none
}

// Observer is told how far a run has come. Its methods are called from one
// goroutine at a time for one run.
type Observer interface {
	// StageStarted says that n items reached the stage.
	StageStarted(stage string, n int)
	// StageDone says what became of them.
	StageDone(stage string, counts verdict.Counts)
}

// Run takes the items through the stages and gives a result for each, in the
// order of the items, whatever the number of workers. The error is a
// StopError's, the context's, or a breach of conservation.
func Run[T any](ctx context.Context, stages []Stage[T], items []T, opts Options) ([]Result[T], error) {
	results := make([]Result[T], len(items))
	alive := make([]*Result[T], len(items))
	for i := range items {
		results[i].Item = items[i]
		alive[i] = &results[i]
	}
	for _, stage := range stages {
		if err := ctx.Err(); err != nil {
			return results, err
		}
		next, err := runStage(ctx, stage, alive, opts)
		if err != nil {
			return results, err
		}
		alive = next
	}
	return results, nil
}

// runStage runs one stage over the results that reached it and gives those
// that go on.
func runStage[T any](ctx context.Context, stage Stage[T], in []*Result[T], opts Options) ([]*Result[T], error) {
	if opts.Observer != nil {
		opts.Observer.StageStarted(stage.Name(), len(in))
	}
	if p, ok := stage.(Preparer[T]); ok && len(in) > 0 {
		items := make([]T, len(in))
		for i, r := range in {
			items[i] = r.Item
		}
		if err := p.Prepare(ctx, items); err != nil {
			return nil, fmt.Errorf("%s: %w", stage.Name(), err)
		}
	}
	mapper := iter.Iterator[*Result[T]]{MaxGoroutines: max(1, opts.Workers)}
	mapper.ForEach(in, func(r **Result[T]) { (*r).Decisions = append((*r).Decisions, decide(ctx, stage, (*r).Item, opts)) })

	var next []*Result[T]
	var counts verdict.Counts
	for _, r := range in {
		d := r.Decisions[len(r.Decisions)-1]
		var stop *StopError
		if errors.As(d.Err, &stop) {
			return nil, fmt.Errorf("%s: %w", stage.Name(), stop.Err)
		}
		if err := counts.Add(d.Verdict); err != nil {
			return nil, fmt.Errorf("%s: %w", stage.Name(), err)
		}
		if d.Verdict.Outcome == verdict.OutcomePass || (opts.Exhaustive && d.Verdict.Outcome == verdict.OutcomeReject) {
			next = append(next, r)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if opts.Observer != nil {
		opts.Observer.StageDone(stage.Name(), counts)
	}
	return next, nil
}

// decide runs a stage on one item and makes a failed verdict of an error or a
// panic.
func decide[T any](ctx context.Context, stage Stage[T], item T, opts Options) Decision {
	var v verdict.Verdict
	var err error
	if recovered := panics.Try(func() { v, err = stage.Run(ctx, item) }); recovered != nil {
		err = recovered.AsError()
	}
	d := Decision{Stage: stage.Name(), Verdict: v, Err: err}
	if err != nil {
		code, detail := verdict.Code("failed"), err.Error()
		if opts.Failure != nil {
			code, detail = opts.Failure(err)
		}
		d.Verdict = verdict.Verdict{Outcome: verdict.OutcomeFailed, Code: code, Detail: detail}
	}
	return d
}
