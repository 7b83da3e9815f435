package debugging

import (
	"context"
	"fmt"
	"slices"

	evaluation "github.com/prforge/prforge/evaluation/debugging"
	scripts "github.com/prforge/prforge/injection/debugging"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
)

// Seeds of the runs that are not accepted by the configuration's.
var (
	baselineSeeds = []int{0, 1}
	searchSeeds   = []int{0}
)

// rulesInjector is the injector's name for the operators.
const rulesInjector = "rules"

func (b *openBuild) candidacy(_ context.Context, it *scriptItem) (verdict.Verdict, error) {
	if it.source.License == "" {
		return verdict.Reject(verdict.LicenseMissing, "No license is known under which the script may be published."), nil
	}
	if allowed := b.Config.Licenses; len(allowed) > 0 && !slices.Contains(allowed, it.source.License) {
		return verdict.Reject(verdict.LicenseNotListed, "The license is not one of those that are taken.",
			verdict.Evidence{What: "license", Found: it.source.License}), nil
	}
	script, err := scripts.Parse(it.source.Code)
	if err != nil {
		return verdict.Reject(verdict.NotAScript, "The file does not parse."), nil
	}
	it.script = script
	return scripts.Candidacy(script, b.Config.MaxLines), nil
}

func (b *openBuild) baseline(ctx context.Context, it *scriptItem) (verdict.Verdict, error) {
	b.Progress.Doing(it.source.ID, pipeline.Step{Stage: "own run, from the start, twice"})
	trial, err := b.runs.Run(ctx, it.job(it.source.Code, baselineSeeds, nil))
	if err != nil {
		return verdict.Verdict{}, err
	}
	it.run = trial.Record
	return scripts.Baseline(trial.Agrees, trial.Record, it.source.TooLarge), nil
}

// plan draws the operators' changes and asks the model for its own, and checks
// each.
func (b *openBuild) plan(ctx context.Context, it *scriptItem) (verdict.Verdict, error) {
	groups := map[string]scripts.Group{}
	for _, o := range scripts.Operators() {
		groups[o.Name] = o.Group
	}
	p := scripts.Draw(it.script, it.run, scripts.Operators(), b.Config.Plan)
	for _, c := range p.Drawn {
		b.check(it, it.add(c, groups[c.Operator], rulesInjector))
	}
	for _, u := range p.Left {
		it.add(u.Candidate, groups[u.Operator], rulesInjector).decide(verdict.StagePlan, u.Verdict)
	}
	if b.model != nil {
		if err := b.askModel(ctx, it); err != nil {
			return verdict.Verdict{}, err
		}
	}
	return verdict.Pass(), nil
}

// check makes a fault's change.
func (b *openBuild) check(it *scriptItem, f *fault) {
	f.decide(verdict.StagePlan, verdict.Pass())
	code, v := it.script.Check(f.candidate)
	f.code = code
	f.decide(verdict.StageCheck, v)
}

// askModel lets the model change statements of its own.
func (b *openBuild) askModel(ctx context.Context, it *scriptItem) error {
	for _, statement := range scripts.ModelTargets(it.script, scripts.Ran(it.run), b.Config.Plan.Seed,
		b.Config.Injector.PerScript) {
		answer, err := b.model.Chat(ctx, scripts.ModelSystem, it.script.ModelPrompt(statement))
		if err != nil {
			return err
		}
		c, v := it.script.ReadModel(statement, answer)
		if v.Outcome == verdict.OutcomePass {
			b.check(it, it.add(c, scripts.Data, b.model.Name()))
			continue
		}
		f := it.add(scripts.Candidate{Operator: scripts.ByModel, Statement: statement}, scripts.Data, b.model.Name())
		f.decide(verdict.StagePlan, verdict.Pass())
		f.decide(verdict.StageCheck, v)
	}
	return nil
}

// warm is the source whose imports a change's run may share; nil where the
// change is about imports, or where every run is to start again.
func (b *openBuild) warm(it *scriptItem, faults ...*fault) []byte {
	for _, f := range faults {
		if it.script.OnImport(f.candidate) {
			return nil
		}
	}
	if b.Cold {
		return nil
	}
	return it.source.Code
}

// search runs each change once, labels each crash and drops what looks like
// another.
func (b *openBuild) search(ctx context.Context, it *scriptItem) (verdict.Verdict, error) {
	var labels []scripts.Label
	var labeled []*fault
	tried, drawn := 0, 0
	for _, f := range it.faults {
		if f.Alive() {
			drawn++
		}
	}
	err := it.live(func(f *fault) error {
		tried++
		b.Progress.Doing(it.source.ID, pipeline.Step{Stage: "run with " + f.candidate.Operator, Done: tried - 1, Of: drawn})
		trial, err := b.runs.Run(ctx, it.job(f.code, searchSeeds, b.warm(it, f)))
		if err != nil {
			return err
		}
		f.found = trial.Record
		if !f.decide(verdict.StageSearch, scripts.Outcome(it.run, trial.Record)) {
			return nil
		}
		label, v := scripts.Describe(it.script.Statements[f.candidate.Statement].Span, trial.Record, it.has)
		if v.Outcome == verdict.OutcomePass {
			label.Equivalent = f.candidate.Equivalent
			v = scripts.Answerable(f.code, label, b.Config.Prompts.LineNumbers)
		}
		if f.label = label; f.decide(verdict.StageLabel, v) {
			labels, labeled = append(labels, label), append(labeled, f)
		}
		return nil
	})
	for i, v := range scripts.Repeats(labels) {
		labeled[i].decide(verdict.StageDuplicates, v)
	}
	b.Progress.Done(it.source.ID, fmt.Sprintf("%d of %d changes crash", len(labeled), tried))
	return verdict.Pass(), err
}

// accept runs each crash again, from the start.
func (b *openBuild) accept(ctx context.Context, it *scriptItem) (verdict.Verdict, error) {
	accepted := 0
	err := it.live(func(f *fault) error {
		b.Progress.Doing(it.source.ID,
			pipeline.Step{Stage: fmt.Sprintf("run with %s, from the start, %d times", f.candidate.Operator,
				len(b.Config.Seeds))})
		trial, err := b.runs.Run(ctx, it.job(f.code, b.Config.Seeds, nil))
		if err != nil {
			return err
		}
		f.kept = trial.Record
		if f.decide(verdict.StageAccept, scripts.Accept(f.found, trial.Agrees, trial.Record)) {
			accepted++
		}
		return nil
	})
	b.Progress.Done(it.source.ID, fmt.Sprintf("%d accepted", accepted))
	return verdict.Pass(), err
}

// quotas decides which faults go on, over all scripts.
func (b *openBuild) quotas(stage string, items []*scriptItem) {
	var questions []scripts.Question
	var faults []*fault
	for _, it := range items {
		for _, f := range it.faults {
			if f.Alive() {
				faults = append(faults, f)
				questions = append(questions, scripts.Question{ID: f.Item, Script: it.source.ID, Operator: f.candidate.Operator,
					Group: f.group, Type: f.label.Type, Hop: f.label.Hop(), Telltale: f.telltale()})
			}
		}
	}
	quotas := b.Config.Quotas
	quotas.Seed = b.Config.Plan.Seed
	keep := scripts.Within(questions, quotas)
	for i, f := range faults {
		if keep[i] {
			f.decide(stage, verdict.Pass())
		} else {
			f.decide(stage, verdict.Reject(verdict.OverQuota, "Enough samples of this kind are taken."))
		}
	}
}

// telltale reports whether a reviewer who reads no meaning finds the cause.
func (f *fault) telltale() bool {
	cause := evaluation.Line{First: f.label.Cause.First, Last: f.label.Cause.Last}
	return evaluation.Sample{Code: string(f.code), Truths: []evaluation.Truth{{Cause: cause}}}.Telltale()
}

// nameSamples numbers the faults that became samples, by script.
func nameSamples(items []*scriptItem) {
	for _, it := range items {
		n := 0
		for _, f := range it.faults {
			if f.Alive() {
				n++
				f.name = fmt.Sprintf("s%d", n)
			}
		}
	}
}
