package debugging

import (
	"context"
	"path/filepath"

	"github.com/prforge/prforge/artifacts/debugging"
	"github.com/prforge/prforge/artifacts/takedown"
	"github.com/prforge/prforge/collectors/models"
	"github.com/prforge/prforge/collectors/python"
	"github.com/prforge/prforge/collectors/sandbox"
	"github.com/prforge/prforge/contextbuilder/tokens"
	"github.com/prforge/prforge/evaluation/cheats"
	scripts "github.com/prforge/prforge/injection/debugging"
	"github.com/prforge/prforge/internal/licenses"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/config"
	"github.com/prforge/prforge/stages/run"
)

// Build is one build of the debugging benchmark.
type Build struct {
	run.Env // with From nothing is run: scripts and runs are that dataset's
	Config  *config.Debugging
	Sandbox sandbox.Way
	Cold    bool // start the interpreter again for every run
	// Pulls opens a session over the prforge.yaml at a path, for its merged pull requests.
	Pulls func(ctx context.Context, configuration string, use func(*run.Session) error) error

	runner python.Runner // for tests; nil makes a sandbox
}

// openBuild is a build with what it has open.
type openBuild struct {
	*Build
	runs     python.Runner
	kept     *python.Kept // runs, as records
	store    *store.Store
	answers  *store.Shard
	sandbox  *python.Sandbox // nil where there is none
	runtime  model.Runtime
	model    models.Client // nil for none
	tokens   *tokens.Counter
	digest   string
	licenses *licenses.Reader
	frozen   []byte // the configuration

	takedowns *takedown.List
	searched  []*pipeline.Trail // what was decided about what was searched for scripts
}

// step is a stage that is a function.
type step struct {
	name string
	run  func(context.Context, *scriptItem) (verdict.Verdict, error)
}

// Name implements pipeline.Stage.
func (s step) Name() string { return s.name }

// Run implements pipeline.Stage.
func (s step) Run(ctx context.Context, it *scriptItem) (verdict.Verdict, error) {
	return s.run(ctx, it)
}

// DefaultConfig returns the defaults of the configuration, each from the package that
// uses it.
func DefaultConfig() config.Debugging {
	c, l := scripts.DefaultCompose(), python.DefaultLimits()
	o := python.DefaultOptions()
	return config.Debugging{
		Version: 1, Dataset: config.Dataset{Name: "prforge-debugging", PipelineVersion: "v1.0.0"}, MaxLines: 400, MaxData: 8,
		Python: config.PythonRuntime{
			Interpreter: o.Interpreter, Libraries: o.Libraries, CPUSeconds: l.CPU, WallSeconds: l.Wall, MemoryMB: int(l.Memory >> 20),
			FileMB: int(l.FileSize >> 20), ScratchMB: int(l.Scratch >> 20), OutputMB: int(l.Output >> 20), Processes: l.Processes, OpenFiles: l.OpenFiles,
		},
		Seeds:    []int{1, 2, 3},
		Plan:     scripts.DefaultPlan(),
		Quotas:   scripts.DefaultQuotas(),
		Compose:  config.ScriptCompose{Two: c.Sizes[2], Three: c.Sizes[3], Four: c.Sizes[4], More: c.Sizes[scripts.MaxFaults], Tries: c.Tries},
		Prompts:  config.ScriptPrompts{LineNumbers: true},
		Ceilings: cheats.Ceilings{All: 0.35, MinItems: 20},
	}
}

// Configuration returns the configuration that a dataset of scripts was built
// by.
func Configuration(dir string) (*config.Debugging, error) {
	c, err := config.LoadDebugging(filepath.Join(dir, debugging.FileConfig), DefaultConfig())
	return c, run.Damaged(dir, err)
}

// pythonOptions are the options of the configuration.
func pythonOptions(c config.PythonRuntime) python.Options {
	o := python.DefaultOptions()
	o.Interpreter, o.Paths, o.Libraries = c.Interpreter, c.Paths, c.Libraries
	o.Limits = python.Limits{
		CPU: c.CPUSeconds, Wall: c.WallSeconds, Memory: int64(c.MemoryMB) << 20, FileSize: int64(c.FileMB) << 20, Scratch: int64(c.ScratchMB) << 20,
		Output: int64(c.OutputMB) << 20, Processes: c.Processes, OpenFiles: c.OpenFiles,
	}
	return o
}
