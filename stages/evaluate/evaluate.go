// Package evaluate runs reviewers on a dataset and scores their answers. Package evaluation has the questions, the
// parsing and the scoring; collectors/models has the sources of answers. This package coordinates them.
//
// A file uses only files above it in this list:
//
//	config.go    eval.yaml
//	session.go   an evaluation, and an open run of it
//	folder.go    the run folder
//	plan.go      run.json: what is asked, and what may change of it
//	ask.go       the sources, the limit of cost, what answers took
//	estimate.go  what the rest will cost
//	score.go     scores and report from kept answers, and their seal
//	seal.go      runs opened again, and checked against their seal
//	evaluate.go  a run from its plan to its scores
package evaluate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"

	"github.com/sourcegraph/conc/pool"

	"github.com/prforge/prforge/collectors/models"
	"github.com/prforge/prforge/evaluation"
)

// Evaluate plans, asks, judges and scores. The same call continues an interrupted run: it never repeats an answered
// question.
func (e *Evaluation) Evaluate(ctx context.Context) (*Outcome, error) {
	s, err := e.begin(true)
	if err != nil {
		return nil, err
	}
	defer s.folder.close()
	return s.run(ctx)
}

// run asks what is not answered yet, and scores.
func (s *session) run(ctx context.Context) (*Outcome, error) {
	known, spent, err := s.offline(ctx)
	if err != nil {
		return nil, err
	}
	estimate, err := s.estimate(ctx, known, spent)
	if err != nil {
		return nil, err
	}
	if err := s.Confirm(estimate); err != nil {
		return nil, err
	}
	var a *askers
	if estimate.Open > 0 || estimate.Findings > 0 {
		if a, err = s.ask(ctx, spent); err != nil {
			return nil, err
		}
	}
	out, err := s.score(ctx)
	if err != nil {
		return nil, err
	}
	if a != nil {
		_, out.Stopped = a.bill.Now()
		out.Ended = a.ended()
	}
	return out, s.writeUsage(out)
}

// Estimate plans a run and predicts its requests and cost. It asks no model and stores no plan.
func (e *Evaluation) Estimate(ctx context.Context) (Estimate, error) {
	if _, err := os.Stat(filepath.Join(e.Run, runState)); errors.Is(err, fs.ErrNotExist) {
		scratch, err := os.MkdirTemp("", "prforge-eval-")
		if err != nil {
			return Estimate{}, fmt.Errorf("make a folder for the estimate: %w", err)
		}
		defer os.RemoveAll(scratch)
		e.Run = scratch
	}
	s, err := e.begin(false)
	if err != nil {
		return Estimate{}, err
	}
	defer s.folder.close()
	known, spent, err := s.offline(ctx)
	if err != nil {
		return Estimate{}, err
	}
	return s.estimate(ctx, known, spent)
}

// Rescore scores the answers of a run folder and writes scores and reports again. It asks no model.
func (e *Evaluation) Rescore(ctx context.Context) (*Outcome, error) {
	s, err := e.reopen()
	if err != nil {
		return nil, err
	}
	defer s.folder.close()
	out, err := s.score(ctx)
	if err != nil {
		return nil, err
	}
	return out, s.writeUsage(out)
}

// begin opens the run folder and updates its plan to the requested one.
func (e *Evaluation) begin(write bool) (s *session, err error) {
	b, items, err := Open(e.Benchmarks, e.Dataset)
	if err != nil {
		return nil, err
	}
	if items, err = prompted(b, items, e.Config.Prompt); err != nil {
		return nil, err
	}
	if items, err = e.withRepository(items); err != nil {
		return nil, err
	}
	borrowed, hunks, err := e.borrowed(b, items)
	if err != nil {
		return nil, err
	}
	plan, chosen, err := e.newPlan(b, items, borrowed)
	if err != nil {
		return nil, err
	}
	folder, err := openRun(e.Run, true)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, folder.close())
		}
	}()
	if err := importedOnce(&plan, folder.store.Answers()); err != nil {
		return nil, err
	}
	old, found, err := folder.plan()
	if err != nil {
		return nil, err
	}
	if found {
		if plan, err = merge(old, plan, e.Extend); err != nil {
			return nil, err
		}
		chosen = slices.DeleteFunc(slices.Concat(items, borrowed),
			func(it evaluation.Item) bool { return !slices.Contains(plan.Tasks, it.ID) })
		if len(chosen) < len(plan.Tasks) {
			return nil, planErrorf("%s was planned with tasks that are missing now; name the same controls", e.Run)
		}
		if plan.TasksSHA256, err = tasksDigest(chosen); err != nil {
			return nil, err
		}
	}
	if write && (!found || !same(old, plan)) {
		if err := folder.writePlan(plan, chosen, b.Prompts()); err != nil {
			return nil, err
		}
	}
	byID := map[string]evaluation.Item{}
	for _, it := range chosen {
		byID[it.ID] = it
	}
	if s, err = e.session(folder, b, plan, byID, hunks); err == nil && found {
		err = s.unchanged()
	}
	return s, err
}

// ask asks every question without an answer.
func (s *session) ask(ctx context.Context, spent float64) (*askers, error) {
	a, err := s.connect(false, spent)
	if err != nil {
		return nil, err
	}
	err = s.untilSettled(ctx, a, func() error {
		s.Progress.Phase("records", len(s.records))
		_, err := s.each(ctx, a, func(r evaluation.Result) { s.Progress.Done(r.String(), a.progress(r)) })
		return err
	})
	if err == nil && s.Pool > 0 {
		err = s.untilSettled(ctx, a, func() error { return s.askPool(ctx, a) })
	}
	return a, err
}

// untilSettled asks, and sends the gathered batches when no other question is left. Their answers lead to further
// questions; it repeats until there are none.
func (s *session) untilSettled(ctx context.Context, a *askers, ask func() error) error {
	for settled := 1; settled > 0; {
		err := ask()
		if err == nil {
			settled, err = a.flush(ctx)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// progress is a short text on how a record went.
func (a *askers) progress(r evaluation.Result) string {
	how := r.Outcome
	if r.Code != "" {
		how += " (" + r.Code + ")"
	}
	if spent, _ := a.bill.Now(); spent > 0 {
		how += fmt.Sprintf(", $%.2f so far", spent)
	}
	return how
}

// flush sends the gathered batches of all models at once, and waits.
func (a *askers) flush(ctx context.Context) (settled int, err error) {
	var sources []models.Source
	for _, m := range a.session.plan.Models {
		sources = append(sources, a.models[m.ID])
	}
	var mu sync.Mutex
	group := pool.New().WithContext(ctx).WithFirstError()
	for _, s := range append(sources, a.judge) {
		if b, ok := s.(models.Batched); ok {
			group.Go(func(ctx context.Context) error {
				n, err := b.Flush(ctx)
				mu.Lock()
				defer mu.Unlock()
				settled += n
				return err
			})
		}
	}
	return settled, group.Wait()
}

// Cause is a common cause of failed records.
type Cause struct {
	Code, Error string
	Records     int
	First       evaluation.RecordKey
}

// numbers are the parts that may differ between messages of one cause.
var numbers = regexp.MustCompile(`[0-9]+`)

// Causes groups failures whose messages differ only in numbers, most frequent cause first.
func Causes(failures []RecordFailure) []Cause {
	var out []Cause
	at := map[string]int{}
	for _, f := range failures {
		key := f.Code + numbers.ReplaceAllString(f.Error, "#")
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, Cause{Code: f.Code, Error: f.Error, First: f.RecordKey})
		}
		out[i].Records++
	}
	slices.SortStableFunc(out, func(a, b Cause) int { return b.Records - a.Records })
	return out
}
