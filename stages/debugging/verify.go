package debugging

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"

	conciter "github.com/sourcegraph/conc/iter"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/debugging"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/verify"
	"github.com/prforge/prforge/collectors/python"
	"github.com/prforge/prforge/collectors/sandbox"
	"github.com/prforge/prforge/contextbuilder/tokens"
	"github.com/prforge/prforge/injection"
	scripts "github.com/prforge/prforge/injection/debugging"
	"github.com/prforge/prforge/internal/model"
)

// verifyDebugging recomputes what the files of a debugging dataset allow.
func verifyDataset(ctx context.Context, dir string, _ *artifacts.Manifest) (*verify.Report, error) {
	cfg, err := Configuration(dir)
	if err != nil {
		return nil, err
	}
	counter, err := tokens.NewCounter()
	if err != nil {
		return nil, fmt.Errorf("load the tokenizer: %w", err)
	}
	b := &openBuild{Build: &Build{Config: cfg}, tokens: counter}
	return debugging.Verify(ctx, dir, debugging.Rules{
		Undo: func(code []byte, edits []debugging.Edit) ([]byte, error) {
			return injection.Undo(code, ownEdits(edits))
		},
		Leaks:     leaks,
		Normalize: scripts.NormalizeMessage,
		Prompt:    b.prompt,
		Starts:    funnelStarts,
	})
}

// ownEdits are a dataset's edits in the order of their offsets.
func ownEdits(edits []injection.Edit) []injection.Edit {
	return slices.SortedFunc(slices.Values(edits), func(a, b injection.Edit) int { return a.Offset - b.Offset })
}

func leaks(original, code []byte, changes []debugging.Change, causes []debugging.Span) string {
	var edits []debugging.Edit
	for _, c := range changes {
		edits = append(edits, c.Edits...)
	}
	spans := make([]scripts.Span, len(causes))
	for i, c := range causes {
		spans[i] = scripts.Span(c)
	}
	return scripts.Leak(original, code, ownEdits(edits), spans)
}

// verifyPublished names the defects of a file in the published
// benchmark's fields.
func verifyPublished(_ context.Context, path string) (*verify.Report, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read the published file: %w", err)
	}
	defer f.Close()
	return debugging.VerifyPublished(path, f, func(code string) bool {
		_, err := scripts.Parse([]byte(code))
		return err == nil
	})
}

// Rerun is the result of running a dataset's samples again.
type Rerun struct {
	Samples int   `json:"samples"`
	Seeds   []int `json:"seeds"`
	// Same gave type, message and effect again under every seed; of samples with
	// several errors each error showed in turn.
	Same    int          `json:"same"`
	Differ  []RerunFault `json:"differ"`
	Runtime string       `json:"runtime"`
}

// RerunFault is a sample with another result.
type RerunFault struct {
	SampleID string `json:"sample_id"`
	Code     string `json:"code"` // runtime_differs, or what a build would say
	Detail   string `json:"detail"`
}

// errRuntimeDiffers says that the interpreter or a library is not of the version
// that a dataset was made with: its samples may do something else.
var errRuntimeDiffers = errors.New("runtime_differs: the dataset was made with another Python or other libraries")

// RerunSamples runs every sample of a dataset again, each from the start, under
// the given seeds, and peels those with several errors. Of here only the
// interpreter and its paths count: a dataset names none, but keeps the limits.
func RerunSamples(ctx context.Context, dir string, seeds []int, here PythonRuntime, way sandbox.Way, workers int,
	log *slog.Logger) (*Rerun, error) {
	cfg, err := Configuration(dir)
	if err != nil {
		return nil, err
	}
	cfg.Python.Interpreter, cfg.Python.Paths = here.Interpreter, here.Paths
	o := pythonOptions(cfg.Python)
	o.Sandbox, o.Log = way, log
	box, err := python.New(ctx, o)
	if err != nil {
		return nil, err
	}
	defer box.Close()
	return rerunSamples(ctx, dir, seeds, box, workers)
}

func rerunSamples(ctx context.Context, dir string, seeds []int, runner python.Runner, workers int) (*Rerun, error) {
	m, err := load.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	have, err := runner.Runtime(ctx)
	if err != nil {
		return nil, err
	}
	if m.Runtime == nil || runtimeLine(have) != runtimeLine(*m.Runtime) {
		return nil, fmt.Errorf("%w: here it is %s", errRuntimeDiffers, runtimeLine(have))
	}
	var samples []*debugging.Sample
	for s, err := range debugging.Samples(dir) {
		if err != nil {
			return nil, err
		}
		samples = append(samples, s)
	}
	out := &Rerun{Samples: len(samples), Seeds: seeds, Differ: []RerunFault{}, Runtime: runtimeLine(have)}
	mapper := conciter.Mapper[*debugging.Sample, result]{MaxGoroutines: max(1, workers)}
	rerun := func(s **debugging.Sample) result { return rerunSample(ctx, dir, *s, seeds, runner) }
	for i, r := range mapper.Map(samples, rerun) {
		if r.err != nil {
			return nil, r.err
		}
		if r.code == "" {
			out.Same++
		} else {
			out.Differ = append(out.Differ, RerunFault{SampleID: samples[i].SampleID, Code: r.code, Detail: r.detail})
		}
	}
	return out, nil
}

// result is what running one sample again came to; code is "" where it did the
// same.
type result struct {
	code, detail string
	err          error
}

// rerunSample undoes error after error and runs what is left.
func rerunSample(ctx context.Context, dir string, s *debugging.Sample, seeds []int, runner python.Runner) result {
	evidence, err := load.ReadJSON[debugging.Evidence](dir, debugging.FileEvidence(s.SampleID))
	if err != nil {
		return result{err: err}
	}
	job := python.Job{Script: python.Script{Path: scriptFile(s.Path)}, Seeds: seeds}
	for _, f := range s.DataFiles {
		content, err := load.ReadBytes(dir, debugging.FileData(s.ScriptID, f.Path))
		if err != nil {
			return result{err: err}
		}
		job.Script.Inputs = append(job.Script.Inputs, python.File{Path: f.Path, Content: content})
	}
	for i, e := range s.Errors {
		var left []debugging.Edit
		for _, c := range evidence.Changes[min(i, len(evidence.Changes)):] {
			left = append(left, c.Edits...)
		}
		if job.Script.Code, err = injection.Apply([]byte(evidence.OriginalCode), ownEdits(left)); err != nil {
			return result{err: fmt.Errorf("%s: %w", s.SampleID, err)}
		}
		if i == 0 && string(job.Script.Code) != s.Code {
			return result{code: "sample", detail: "the evidence does not give the code"}
		}
		trial, err := runner.Run(ctx, job)
		if err != nil {
			return result{err: err}
		}
		if why := compareRun(e, trial.Agrees, trial.Record); why != "" {
			return result{code: "run", detail: fmt.Sprintf("error %d: %s", i+1, why)}
		}
	}
	return result{}
}

// compareRun says how a run differs from an error of a sample, "" where it does
// not.
func compareRun(e debugging.Error, agrees bool, run *model.ScriptRun) string {
	effect := scripts.Span{First: e.EffectLine, Last: e.EffectEndLine}
	want := scripts.Signature{Type: e.ErrorType, Message: e.ErrorMessage, Effect: effect}
	switch got, crashed := scripts.SignatureOf(run); {
	case !agrees:
		return "the runs differ"
	case !crashed:
		return "no exception inside the script"
	case got != want:
		return fmt.Sprintf("%s on line %d", got.Type, got.Effect.First)
	}
	return ""
}
