// Package evaluate runs reviewers on a dataset and scores their answers. Package evaluation has the questions, the
// parsing and the scoring; collectors/models has the sources of answers. This package coordinates them.
//
//	config.go    eval.yaml
//	plan.go      run.json: what is asked, and what may change of it
//	estimate.go  what that will cost
//	ask.go       the sources, the limit of cost, what answers took
//	folder.go    the run folder
//	score.go     scores and report from kept answers
package evaluate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sourcegraph/conc/pool"

	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/collectors/models"
	"github.com/prforge/prforge/collectors/models/endpoint"
	"github.com/prforge/prforge/contextbuilder/tokens"
	"github.com/prforge/prforge/evaluation"
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
	Usage    []evaluation.Taken
	Failures []RecordFailure
	// Booked is the possible cost of calls without an answer, in US dollars.
	Booked float64
	// Stopped says that the limit of cost prevented calls. Ended lists the endpoints that the run stopped using, and
	// why.
	Stopped bool
	Ended   []string
}

// USD is the cost of the answers, in US dollars.
func (o *Outcome) USD() float64 {
	sum := 0.0
	for _, t := range o.Usage {
		sum += t.USD
	}
	return sum
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
		chosen = slices.DeleteFunc(slices.Concat(items, borrowed), func(it evaluation.Item) bool { return !slices.Contains(plan.Tasks, it.ID) })
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

// reopen opens a run folder that has not changed since it was scored.
func (e *Evaluation) reopen() (*session, error) {
	s, err := e.open()
	if err != nil {
		return nil, err
	}
	if err := s.unchanged(); err != nil {
		return nil, errors.Join(err, s.folder.close())
	}
	return s, nil
}

// unchanged refuses a run folder that changed since it was planned and scored.
func (s *session) unchanged() error {
	changes, err := s.changes()
	if err == nil && len(changes) > 0 {
		err = fmt.Errorf("%s was changed: %s; prforge eval verify names everything (%d)", s.folder.dir, changes[0], len(changes))
	}
	return err
}

// open opens a run folder without checking it.
func (e *Evaluation) open() (s *session, err error) {
	folder, err := openRun(e.Run, false)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, folder.close())
		}
	}()
	plan, found, err := folder.plan()
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, fmt.Errorf("%s holds no %s: it has not been run", e.Run, runPlan)
	}
	b, err := named(e.Benchmarks, plan.Benchmark)
	if err != nil {
		return nil, err
	}
	items, err := folder.items()
	if err != nil {
		return nil, err
	}
	if s, err = e.session(folder, b, plan, items, nil); err != nil || same(evaluation.Digests(b.Prompts()), plan.Prompts) {
		return s, err
	}
	lines, _, err := folder.readSeal()
	if err == nil && lines == nil {
		err = fmt.Errorf("%s was made with other prompts than this prforge has, and was never scored", e.Run)
	}
	s.recorded = map[usedKey][]string{}
	for _, l := range lines {
		s.recorded[usedKey{l.record(), l.Role}] = l.Keys
	}
	return s, err
}

func (e *Evaluation) session(folder *runFolder, b Benchmark, plan evaluation.Plan, items map[string]evaluation.Item, hunks []evaluation.CleanHunk) (*session, error) {
	counter, err := tokens.NewCounter()
	if err != nil {
		return nil, fmt.Errorf("load the tokenizer: %w", err)
	}
	e.tokens = counter.Count
	if b, err = e.controlled(b, folder, plan, hunks); err != nil {
		return nil, err
	}
	s := &session{Evaluation: e, folder: folder, benchmark: b, plan: plan, items: items, records: plan.Records(items)}
	if len(s.records) == 0 {
		return nil, fmt.Errorf("the plan of %s has no record", e.Run)
	}
	return s, nil
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

// workers is how many records are evaluated at once: the configured number, or as many as the endpoints accept and
// the machine has processors.
func (s *session) workers() int {
	if s.Workers > 0 {
		return s.Workers
	}
	n := runtime.NumCPU()
	seen := map[string]bool{}
	for _, c := range s.calls() {
		if !seen[c.Endpoint] {
			seen[c.Endpoint] = true
			n += cmp.Or(s.Config.Endpoints[c.Endpoint].InFlight, endpoint.DefaultInFlight)
		}
	}
	return n
}

// each evaluates every record, several at once. The results are in the order of
// the plan.
func (s *session) each(ctx context.Context, a *askers, done func(evaluation.Result)) ([]evaluation.Result, error) {
	results := make([]evaluation.Result, len(s.records))
	group := pool.New().WithMaxGoroutines(s.workers()).WithContext(ctx).WithCancelOnError().WithFirstError()
	for i, k := range s.records {
		group.Go(func(ctx context.Context) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			it := s.items[k.Task]
			r, err := s.plan.Evaluate(ctx, s.benchmark.Benchmark, it, k, a.reviewer(k), a.judged(k))
			if err != nil {
				return err
			}
			results[i] = r
			done(r)
			return nil
		})
	}
	return results, errors.Join(group.Wait(), a.damaged)
}

// offline evaluates stored answers alone. It returns their cost and that of calls without an answer.
func (s *session) offline(ctx context.Context) ([]evaluation.Result, float64, error) {
	a, err := s.connect(true, 0)
	if err != nil {
		return nil, 0, err
	}
	results, err := s.each(ctx, a, func(evaluation.Result) {})
	if err != nil {
		return nil, 0, err
	}
	booked, err := models.Booked(s.folder.store.Answers())
	return results, a.ledger.billed() + booked, err
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

// failuresOf lists the failed records with their errors.
func failuresOf(results []evaluation.Result) []RecordFailure {
	var out []RecordFailure
	for _, r := range results {
		if r.Outcome == evaluation.Failed {
			f := RecordFailure{RecordKey: r.RecordKey, Code: r.Code}
			if r.Cause != nil {
				f.Error = r.Cause.Error()
			}
			out = append(out, f)
		}
	}
	return out
}

// splitTasks reads the task ids of one of a dataset's splits.
func splitTasks(dir, name string) ([]string, error) {
	if strings.ContainsAny(name, `/\`) || name == "" || name[0] == '.' {
		return nil, fmt.Errorf("%q is not the name of a split", name)
	}
	split, err := load.ReadJSON[struct {
		TaskIDs []string `json:"task_ids"`
	}](dir, "evals/"+name+".json")
	if err != nil {
		return nil, fmt.Errorf("read the split %s: %w", name, err)
	}
	return split.TaskIDs, nil
}
