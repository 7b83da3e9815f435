// Package debugging is the benchmark of cause and effect of errors injected into Python scripts: its ordered lists
// (debugging.go), the sources of scripts (sources.go), the runs that prove an error (steps.go, compose.go), the
// dataset (release.go), verifying, and the tasks as an evaluation reads them (items.go). Package injection/debugging
// defines errors and their injection.
package debugging

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/collectors/models/providers"
	"github.com/prforge/prforge/collectors/python"
	"github.com/prforge/prforge/contextbuilder/tokens"
	"github.com/prforge/prforge/internal/licenses"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/run"
)

// scriptStages is the order of the steps for one script before the quotas, which need all scripts.
func (b *openBuild) scriptStages() []pipeline.Stage[*scriptItem] {
	return []pipeline.Stage[*scriptItem]{
		step{verdict.StageScript, b.candidacy},  // a program of its own, with a license
		step{verdict.StageBaseline, b.baseline}, // runs to its end, twice, and does the same
		step{verdict.StagePlan, b.plan},         // what is changed where, by operators and by a model
		step{verdict.StageSearch, b.search},     // each change run once, warm: cause, effect, message
	}
}

// acceptStages is the order of the steps for one script between the two applications of the quotas: restarting an
// interpreter is most of a build's cost.
func (b *openBuild) acceptStages() []pipeline.Stage[*scriptItem] {
	return []pipeline.Stage[*scriptItem]{
		step{verdict.StageAccept, b.accept}, // each crash run again, from the start, with every seed
	}
}

// composeStages is the order of the last steps for one script.
func (b *openBuild) composeStages() []pipeline.Stage[*scriptItem] {
	return []pipeline.Stage[*scriptItem]{
		step{verdict.StageCompose, b.compose}, // several faults at once, proven by peeling
	}
}

// Run builds the dataset. The report is given with every error that leaves
// something to report; an error that Is ErrPartial or ErrEmpty means that only
// the freeze was left out.
func (d *Build) Run(ctx context.Context) (*run.Report, error) {
	if err := freeze.CheckTarget(d.Out); err != nil {
		return nil, err
	}
	s, err := store.Open(d.State, store.DefaultOptions())
	if err != nil {
		return nil, err
	}
	defer s.Close()
	b, err := d.open(ctx, s)
	if err != nil {
		return nil, err
	}
	defer b.close()
	found, err := b.sources(ctx)
	if err != nil {
		return nil, err
	}
	b.searched = found.trails
	report, err := b.run(ctx, found.sources)
	if report != nil {
		if b.sandbox != nil {
			stats := b.sandbox.Stats()
			report.Runs, report.Sandbox = &stats, b.sandbox.Way()
		}
		err = errors.Join(err, report.Write(b.State))
	}
	return report, err
}

// open makes the runner, the injecting model and the counter of tokens.
func (d *Build) open(ctx context.Context, s *store.Store) (*openBuild, error) {
	answers := s.Answers()
	b := &openBuild{Build: d, store: s, answers: answers, licenses: licenses.NewReader(answers)}
	o := pythonOptions(d.Config.Python)
	o.Sandbox, o.Log, o.Servers = d.Sandbox, d.Log, max(1, d.Workers)
	runner := d.runner
	if d.From != "" {
		if err := importRuns(ctx, answers, d.From); err != nil {
			return nil, err
		}
		runner = nil
	} else if runner == nil {
		box, err := python.New(ctx, o)
		if err != nil {
			return nil, err
		}
		b.sandbox, runner = box, box
	}
	b.kept = python.NewKept(answers, runner, o.Limits)
	b.runs = b.kept
	err := b.prepare(ctx)
	if err != nil {
		b.close()
	}
	return b, err
}

// prepare asks for the runtime and makes what the stages need.
func (b *openBuild) prepare(ctx context.Context) (err error) {
	if b.runtime, err = b.runs.Runtime(ctx); err != nil {
		return err
	}
	if b.tokens, err = tokens.NewCounter(); err != nil {
		return fmt.Errorf("load the tokenizer: %w", err)
	}
	if b.takedowns, err = takedownList(b.Config); err != nil {
		return err
	}
	if b.frozen, b.digest, err = b.Config.Frozen(b.takedowns.Tombstones()); err != nil {
		return err
	}
	if in := b.Config.Injector; in != nil {
		if b.model, err = providers.ForBuild("openai", in.Endpoint, in.Model, cmp.Or(in.APIKeyEnv, "OPENAI_API_KEY"),
			b.answers, b.Getenv, b.Log); err != nil {
			return err
		}
	}
	return nil
}

func (b *openBuild) close() {
	if b.sandbox != nil {
		b.sandbox.Close()
	}
}

// run takes the scripts through all stages and freezes what remains.
func (b *openBuild) run(ctx context.Context, sources []model.ScriptSource) (*run.Report, error) {
	items := make([]*scriptItem, len(sources))
	for i, s := range sources {
		items[i] = newScriptItem(s)
	}
	b.Progress.Phase("scripts", len(items))
	if err := b.through(ctx, b.scriptStages(), items); err != nil {
		return nil, err
	}
	b.quotas(verdict.StageQuota, items)
	b.Progress.Phase("accepting", len(living(items)))
	if err := b.through(ctx, b.acceptStages(), living(items)); err != nil {
		return nil, err
	}
	b.quotas(verdict.StageBalance, items)
	nameSamples(items)
	b.Progress.Phase("compositions", len(living(items)))
	if err := b.through(ctx, b.composeStages(), living(items)); err != nil {
		return nil, err
	}
	funnel, err := pipeline.Count(b.trails(items), b.steps(), funnelStarts...)
	if err != nil {
		return nil, err
	}
	report := &run.Report{Benchmark: artifacts.Debugging, Dataset: b.Out, LookedAt: len(items), Funnel: *funnel,
		Failures: run.Failures(b.trails(items))}
	if len(report.Failures) > 0 && !b.AllowPartial {
		return report, run.ErrPartial
	}
	// A dataset without samples still says why each script gave none, and what was
	// taken down; one that has nothing to say comes of a wrong path.
	if len(items)+len(b.searched)+len(b.takedowns.Tombstones()) == 0 && !b.AllowPartial {
		return report,
			fmt.Errorf("%w: no script was found where the configuration looks; modules of packages, tests and hidden folders of a repository are none", run.ErrEmpty)
	}
	tasks := b.tasks(items)
	if err := b.underCeilings(ctx, tasks); err != nil {
		return report, err
	}
	if err := b.freeze(ctx, items, tasks, *funnel); err != nil {
		return report, err
	}
	report.Frozen, report.Records = true, len(tasks)
	return report, nil
}

// steps are the stages of the funnel: those of pull requests only where some
// were searched.
func (b *openBuild) steps() []string {
	if len(b.searched) == 0 {
		return verdict.DebuggingStages()
	}
	return append(pullSteps(), verdict.DebuggingStages()...)
}

// debuggingStarts are the stages where items of a new kind come in.
var funnelStarts = []string{verdict.StageWindow, verdict.StageScript, verdict.StagePlan, verdict.StageCompose}

// living are the scripts that no stage dropped.
func living(items []*scriptItem) []*scriptItem {
	return slices.DeleteFunc(slices.Clone(items), func(it *scriptItem) bool { return !it.Alive() })
}

// through runs stages over items and notes what became of each.
func (b *openBuild) through(ctx context.Context, stages []pipeline.Stage[*scriptItem], items []*scriptItem) error {
	results, err := pipeline.Run(ctx, stages, items, pipeline.Options{
		Workers:  b.Workers,
		Fatal:    collectors.IsFatal,
		Failure:  func(error) (verdict.Code, string) { return verdict.ScriptFailed, "The script could not be run." },
		Observer: &run.Observer{Log: b.Log, Progress: b.Progress, Name: "scripts"},
	})
	if err != nil {
		return err
	}
	for i := range results {
		results[i].Item.note(&results[i])
	}
	return nil
}
