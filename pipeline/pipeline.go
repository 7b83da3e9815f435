// Package pipeline is the engine: it runs stages over items, records what each stage decided and checks that nothing
// was lost. It knows no concrete stage.
//
// Every item passes the stages in order until one does not pass it. A stage
// may prepare all items that reached it at once, which is where collection
// batches its requests; its verdicts are then taken item by item.
package pipeline

import (
	"context"
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
	// Run decides about one item. It must not touch other items: items run in any order, several at once. An error is
	// ours: the item counts as failed and the run continues, unless Options.Fatal says that it ends.
	Run(ctx context.Context, item T) (verdict.Verdict, error)
}

// preparer is a stage that works on all its items before the first verdict, such as fetching them in batches. A
// failure of one item must appear when Run is called for it. An error from Prepare fails every item, unless
// Options.Fatal says that it ends the run.
type preparer[T any] interface {
	Prepare(ctx context.Context, items []T) error
}

// Result is the outcome of one item: the decisions of every stage it reached. The last decision is the one that
// dropped it, if any did.
type Result[T any] struct {
	Item      T
	Decisions []verdict.Decision
	Err       error // why the last decision failed; nil for every other outcome
}

// Alive reports whether every stage so far passed the item.
func (r *Result[T]) Alive() bool {
	return len(r.Decisions) == 0 || r.Decisions[len(r.Decisions)-1].Outcome == verdict.OutcomePass
}

// Options say how to run.
type Options struct {
	Workers int // items at once within a stage; less than one means one
	// Fatal reports whether an error would hit every other item too, such as bad credentials or a full disk: the run
	// then ends. Nil means that no error is fatal.
	Fatal func(error) bool
	// Failure returns the reason code and the sentence of a failed verdict for an error. The sentence enters the
	// dataset, so it must depend on the code and not on the error. Required if a stage can fail.
	Failure func(error) (verdict.Code, string)
	// Missing reports whether an error says only that the data lack what the decision needs. The verdict is then
	// undetermined and not failed. Nil means that no error does.
	Missing func(error) bool
	// Exhaustive continues after a rejection, for `explain`: items run until a stage cannot decide.
	Exhaustive bool
	Observer   Observer // nil for none
}

// Observer receives the progress of a run. All methods except ItemDone are called from one goroutine at a time for
// one run.
type Observer interface {
	// StageStarted says that n items reached the stage.
	StageStarted(stage string, n int)
	// ItemDone says that one more of them is decided.
	ItemDone(stage string)
	// StageDone returns their outcomes.
	StageDone(stage string, counts verdict.Counts)
}

// Run takes the items through the stages and returns a result for each, in the order of the items, for any number of
// workers. The error is a fatal one, the context's, or that of a stage without a valid verdict.
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

// runStage runs one stage over the results that reached it and returns those that passed.
func runStage[T any](ctx context.Context, stage Stage[T], in []*Result[T], opts Options) ([]*Result[T], error) {
	if opts.Observer != nil {
		opts.Observer.StageStarted(stage.Name(), len(in))
	}
	prepared, err := prepare(ctx, stage, in, opts)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", stage.Name(), err)
	}
	mapper := iter.Iterator[*Result[T]]{MaxGoroutines: max(1, opts.Workers)}
	mapper.ForEach(in, func(r **Result[T]) {
		(*r).decide(ctx, stage, prepared, opts)
		if opts.Observer != nil {
			opts.Observer.ItemDone(stage.Name())
		}
	})

	var next []*Result[T]
	var counts verdict.Counts
	for _, r := range in {
		if r.Err != nil && opts.fatal(r.Err) {
			return nil, fmt.Errorf("%s: %w", stage.Name(), r.Err)
		}
		d := r.Decisions[len(r.Decisions)-1]
		if err := counts.Add(d.Verdict); err != nil {
			return nil, fmt.Errorf("%s: %w", stage.Name(), err)
		}
		if d.Outcome == verdict.OutcomePass || (opts.Exhaustive && d.Outcome == verdict.OutcomeReject) {
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

// fatal reports whether an error ends the run.
func (o Options) fatal(err error) bool { return o.Fatal != nil && o.Fatal(err) }

// prepare lets a preparer prepare the items that reached it. The first error fails them all; the second ends the run.
func prepare[T any](ctx context.Context, stage Stage[T], in []*Result[T], opts Options) (failed, err error) {
	p, ok := stage.(preparer[T])
	if !ok || len(in) == 0 {
		return nil, nil
	}
	items := make([]T, len(in))
	for i, r := range in {
		items[i] = r.Item
	}
	err = p.Prepare(ctx, items)
	if err != nil && ctx.Err() == nil && !opts.fatal(err) {
		return err, nil
	}
	return nil, err
}

// decide runs a stage on one item and turns an error or a panic into a failed verdict.
func (r *Result[T]) decide(ctx context.Context, stage Stage[T], prepared error, opts Options) {
	var v verdict.Verdict
	err := prepared
	if err == nil {
		if recovered := panics.Try(func() { v, err = stage.Run(ctx, r.Item) }); recovered != nil {
			err = recovered.AsError()
		}
	}
	switch {
	case err != nil && opts.Missing != nil && opts.Missing(err):
		v, err = verdict.Undetermined(opts.Failure(err)), nil
	case err != nil:
		v = verdict.Fail(opts.Failure(err))
	}
	r.Err = err
	r.Decisions = append(r.Decisions, verdict.Decision{Stage: stage.Name(), Verdict: v})
}
