package debugging

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/prforge/prforge/collectors/python"
	"github.com/prforge/prforge/collectors/sandbox"
	scripts "github.com/prforge/prforge/injection/debugging"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/run"
)

// ScriptTrial is the possible samples of one script.
type ScriptTrial struct {
	Script   string           `json:"script"`
	Verdict  string           `json:"verdict"`  // "pass", or the code of why not
	Baseline *model.ScriptRun `json:"baseline"` // nil where its runs differ or it is never run
	Faults   []TriedFault     `json:"faults"`   // in the order of the plan
	Crashes  int              `json:"crashes"`
	MultiHop int              `json:"multi_hop"`
}

// TriedFault is the result of one change.
type TriedFault struct {
	Operator string `json:"operator"`
	Line     int    `json:"line"`
	Result   string `json:"result"`            // the exception's type, or the code of why not
	Message  string `json:"message,omitempty"` // the exception's
	What     string `json:"what"`              // the changed text, before and after, and where it shows
	Effect   int    `json:"effect"`            // 0 for none
}

// TryScript runs a script and the changes that would be drawn for it.
func TryScript(ctx context.Context, cfg *Config, path string, way sandbox.Way, log *slog.Logger) (*ScriptTrial, error) {
	b, it, done, err := oneScript(ctx, cfg, path, way, log)
	if err != nil {
		return nil, err
	}
	defer done()
	results, err := pipeline.Run(ctx, b.scriptStages(), []*scriptItem{it},
		pipeline.Options{Failure: func(error) (verdict.Code, string) {
			return verdict.ScriptFailed, "The script could not be run."
		}})
	if err != nil {
		return nil, err
	}
	if results[0].Err != nil {
		return nil, results[0].Err
	}
	it.note(&results[0])
	out := &ScriptTrial{Script: path, Verdict: "pass", Baseline: it.run, Faults: []TriedFault{}}
	if last := it.Last(); last.Outcome != verdict.OutcomePass {
		out.Verdict = string(last.Code)
	}
	for _, f := range it.faults {
		if len(f.Decisions) > 1 { // drawn
			out.add(it, f)
		}
	}
	return out, nil
}

// add describes one fault.
func (t *ScriptTrial) add(it *scriptItem, f *fault) {
	last := f.Last()
	tried := TriedFault{Operator: f.candidate.Operator, Line: it.script.Statements[f.candidate.Statement].Span.First,
		Result: string(last.Code)}
	for _, e := range f.candidate.Edits {
		tried.What += fmt.Sprintf("%q -> %q", e.Old, e.New)
	}
	if last.Outcome == verdict.OutcomePass {
		tried.Result, tried.Message, tried.Effect = f.label.Type, f.label.Message, f.label.Effect.First
		tried.What += fmt.Sprintf(" shows on line %d", tried.Effect)
		t.Crashes++
		if f.label.Hop() == scripts.ManyHops {
			t.MultiHop++
		}
	}
	t.Faults = append(t.Faults, tried)
}

// maxPrinted is how many bytes of what a script printed are shown.
const maxPrinted = 64 << 10

// ScriptRun is what one run of a script did, and what it printed.
type ScriptRun struct {
	*model.ScriptRun
	Printed string `json:"printed"` // at most its first 64 KiB
}

// RunScript runs one script once.
func RunScript(ctx context.Context, cfg *Config, path string, seed int, way sandbox.Way, log *slog.Logger) (*ScriptRun,
	error) {
	b, it, done, err := oneScript(ctx, cfg, path, way, log)
	if err != nil {
		return nil, err
	}
	defer done()
	job := it.job(it.source.Code, []int{seed}, nil)
	job.Printed = maxPrinted
	trial, err := b.runs.Run(ctx, job)
	return &ScriptRun{trial.Record, trial.Printed}, err
}

// oneScript opens what it takes to run a single script; done closes it. Nothing is kept.
func oneScript(ctx context.Context, cfg *Config, path string, way sandbox.Way, log *slog.Logger) (b *openBuild,
	it *scriptItem, done func(), err error) {
	source, err := oneSource(ctx, path, cfg.MaxInput())
	if err != nil {
		return nil, nil, nil, fmt.Errorf("read the script: %w", err)
	}
	b = &openBuild{Build: &Build{Config: cfg, Sandbox: way, Env: run.Env{Host: pipeline.Quiet(1)}}}
	b.Log = log
	o := pythonOptions(cfg.Python)
	o.Sandbox, o.Log = way, log
	if b.sandbox, err = python.New(ctx, o); err != nil {
		return nil, nil, nil, err
	}
	b.runs = b.sandbox
	return b, newScriptItem(source), b.close, nil
}

// oneSource reads a script, or a notebook, with the files beside it and in the
// folders beside it that its text names.
func oneSource(ctx context.Context, file string, maxInput int64) (model.ScriptSource, error) {
	dir, name := os.DirFS(filepath.Dir(file)), filepath.Base(file)
	tree := folderTree(dir)
	for _, pattern := range []string{"*", "*/*"} {
		paths, err := fs.Glob(dir, pattern)
		if err != nil {
			return model.ScriptSource{}, err
		}
		tree.paths = append(tree.paths, paths...)
	}
	found, err := tree.scripts(ctx, []string{name}, model.ScriptSource{ID: name, License: "unknown"}, maxInput)
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("%s is over %d bytes", file, maxScript)
	}
	if err != nil {
		return model.ScriptSource{}, err
	}
	return found[0], nil
}
