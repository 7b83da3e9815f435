package debugging

import (
	"context"

	"github.com/prforge/prforge/artifacts/takedown"
	"github.com/prforge/prforge/collectors/models"
	"github.com/prforge/prforge/collectors/python"
	"github.com/prforge/prforge/collectors/sandbox"
	"github.com/prforge/prforge/contextbuilder/tokens"
	"github.com/prforge/prforge/internal/licenses"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/store"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/run"
)

// Build is one build of the debugging benchmark.
type Build struct {
	run.Env // with From nothing is run: scripts and runs are that dataset's
	Config  *Config
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

// pythonOptions are the options of the configuration.
func pythonOptions(c PythonRuntime) python.Options {
	o := python.DefaultOptions()
	o.Interpreter, o.Paths, o.Libraries = c.Interpreter, c.Paths, c.Libraries
	o.Limits = python.Limits{
		CPU: c.CPUSeconds, Wall: c.WallSeconds, Memory: int64(c.MemoryMB) << 20, FileSize: int64(c.FileMB) << 20,
		Scratch: int64(c.ScratchMB) << 20,
		Output:  int64(c.OutputMB) << 20, Processes: c.Processes, OpenFiles: c.OpenFiles,
	}
	return o
}
