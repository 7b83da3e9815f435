package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prforge/prforge/cmd/prforge/internal/cli/pauses"
	"github.com/prforge/prforge/cmd/prforge/internal/cli/show"
	"github.com/prforge/prforge/collectors/sandbox"
	"github.com/prforge/prforge/internal/demo"
	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/config"
	"github.com/prforge/prforge/stages/debugging"
	"github.com/prforge/prforge/stages/run"
)

// pythonFlags are the flags of every command that runs scripts.
type pythonFlags struct {
	interpreter string
	noSandbox   bool
}

func (f *pythonFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.interpreter, "python", "", "this interpreter instead of the configuration's or of none")
	c.Flags().BoolVar(&f.noSandbox, "no-sandbox", false, "run scripts with your own rights: only those that you trust")
}

func (f *pythonFlags) way() sandbox.Way {
	if f.noSandbox {
		return sandbox.None
	}
	return sandbox.Auto
}

// scriptFlags are the flags of the commands that take one script.
type scriptFlags struct {
	pythonFlags
	config string
}

func (f *scriptFlags) add(c *cobra.Command) {
	c.Flags().StringVarP(&f.config, "config", "c", "",
		"take interpreter, paths, limits and plan from this configuration file")
	f.pythonFlags.add(c)
}

// read returns the configuration, or the defaults without one.
func (f *scriptFlags) read() (*debugging.Config, error) {
	cfg := debugging.DefaultConfig()
	if f.config != "" {
		read, err := debugging.LoadConfig(f.config, cfg)
		if err != nil {
			return nil, err
		}
		cfg = *read
	}
	if f.interpreter != "" {
		cfg.Python.Interpreter = f.interpreter
	}
	return &cfg, nil
}

func (a *app) debuggingCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "debugging",
		Short: "Scripts with injected errors: build the benchmark, try a script, run one traced",
		Args:  noCommand,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.debuggingBuildCommand(), a.debuggingTryCommand(), a.debuggingRunCommand())
	return c
}

func (a *app) debuggingBuildCommand() *cobra.Command {
	var path, out, from, state string
	var workers int
	var cold, partial, asJSON bool
	var py pythonFlags
	c := &cobra.Command{
		Use:   "build -c FILE -o DATASET",
		Short: "Make the frozen dataset of scripts with injected errors",
		Long: `build runs every script of the configuration in a sandbox, changes one statement at a
time, keeps the changes that make it crash, puts several together, and freezes what
three runs agree on. Runs are kept in the state: the same command goes on from there.

--from DATASET rebuilds a dataset from its own records, with no Python on the machine,
in a state of its own that goes with the command unless --state names one.`,
		Example: "  prforge debugging build -c debugging.yaml -o dataset\n  prforge debugging build --from dataset -o again",
		Args:    exactArgs(),
		RunE: func(c *cobra.Command, _ []string) error {
			if out == "" {
				return usagef("say where the dataset goes: prforge debugging build -c %s -o DATASET", path)
			}
			if from != "" {
				done, err := a.from(from, &state, !c.Flags().Changed("state"))
				if err != nil {
					return err
				}
				defer done()
			}
			var cfg *debugging.Config
			var err error
			if from != "" && !c.Flags().Changed("config") {
				cfg, err = debugging.Configuration(from)
			} else {
				cfg, err = debugging.LoadConfig(path, debugging.DefaultConfig())
			}
			if err != nil {
				return err
			}
			if py.interpreter != "" {
				cfg.Python.Interpreter = py.interpreter
			}
			if err := checkOutput(out, state); err != nil {
				return err
			}
			for _, dir := range []string{state, filepath.Dir(filepath.Clean(out))} {
				if err := writable(dir, 0o755); err != nil {
					return err
				}
			}
			d := &debugging.Build{
				Env: run.Env{Host: a.host(workers, pipeline.Silent{}), State: state, Out: out, From: from,
					AllowPartial: partial},
				Config: cfg, Sandbox: py.way(), Cold: cold,
			}
			if err := a.connectSources(d); err != nil {
				return err
			}
			return a.runDebugging(c.Context(), d, asJSON)
		},
	}
	c.Flags().StringVarP(&path, "config", "c", "debugging.yaml", "configuration file")
	c.Flags().StringVarP(&out, "output", "o", "", "folder of the dataset (must not hold a different one)")
	c.Flags().StringVar(&from, "from", "", "take scripts and runs from this frozen dataset; nothing is run")
	c.Flags().StringVar(&state, "state", ".prforge", "folder of the kept runs")
	workersFlag(c, &workers, runtime.NumCPU(), "scripts")
	c.Flags().BoolVar(&cold, "cold", false, "start the interpreter for every run; the result is the same")
	c.Flags().BoolVar(&partial, "allow-partial", false, "freeze although some scripts could not be run, or none was found")
	c.Flags().BoolVar(&asJSON, "json", false, "the run report as JSON on standard output")
	py.add(c)
	return c
}

// connectSources gives a build access to repositories and pull requests.
func (a *app) connectSources(d *debugging.Build) error {
	site, err := a.site()
	if err != nil {
		return err
	}
	d.CloneURL = site.cloneURL
	d.Pulls = func(ctx context.Context, file string, use func(*run.Session) error) error {
		cfg, err := config.Load(file)
		if err != nil {
			return err
		}
		env, err := a.env(cfg, buildFlags{config: file, state: d.State, workers: d.Workers, shards: shardsAtOnce})
		if err != nil {
			return err
		}
		env.Progress = d.Progress
		env.Connect = func(ctx context.Context) (*ghapi.Client, error) {
			return a.connect(ctx, cfg, pauses.In(env.State), d.Progress)
		}
		s, err := run.Open(ctx, env, cfg)
		if err != nil {
			return err
		}
		return errors.Join(use(s), s.Close())
	}
	return nil
}

// runDebugging runs a build with progress and shows the result.
func (a *app) runDebugging(ctx context.Context, d *debugging.Build, asJSON bool) error {
	progress, finish := a.progress()
	d.Progress = progress
	report, err := d.Run(ctx)
	finish()
	return a.ended(d.State, report, asJSON, err)
}

// demoDebugging builds the benchmark from the built-in records of runs: it needs no Python.
func (a *app) demoDebugging(ctx context.Context, out string) error {
	dir, err := os.MkdirTemp("", "prforge-demo-")
	if err != nil {
		return fmt.Errorf("make a folder for the demo's records: %w", err)
	}
	defer os.RemoveAll(dir)
	if err := demo.Records(dir); err != nil {
		return err
	}
	cfg, err := debugging.LoadConfig(filepath.Join(dir, "config.yaml"), debugging.DefaultConfig())
	if err != nil {
		return err
	}
	d := &debugging.Build{Config: cfg, Env: run.Env{Host: a.host(runtime.NumCPU(), pipeline.Silent{}),
		State: filepath.Join(dir, "state"), Out: out, From: dir}}
	if err := os.MkdirAll(d.State, 0o700); err != nil {
		return fmt.Errorf("make a folder for the demo's state: %w", err)
	}
	return a.runDebugging(ctx, d, false)
}

func (a *app) debuggingTryCommand() *cobra.Command {
	var asJSON bool
	var py scriptFlags
	c := &cobra.Command{
		Use:   "try SCRIPT",
		Short: "Say what a script would give: its own run, each operator's changes, and what they do",
		Args:  exactArgs("SCRIPT"),
		RunE: func(c *cobra.Command, args []string) error {
			cfg, err := py.read()
			if err != nil {
				return err
			}
			trial, err := debugging.TryScript(c.Context(), cfg, args[0], py.way(), a.log)
			if err != nil {
				return err
			}
			if asJSON {
				return a.writeJSON(trial)
			}
			_, err = io.WriteString(a.stdout, trialText(trial))
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "everything as JSON")
	py.add(c)
	return c
}

// trialText is a trial as text: one line per change.
func trialText(t *debugging.ScriptTrial) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", t.Script, t.Verdict)
	if t.Baseline != nil && t.Baseline.Exception != nil {
		e := t.Baseline.Exception
		fmt.Fprintf(&b, "it raises %s: %s", e.Type, show.Clip(e.Message, 300))
		if n := len(e.Frames); n > 0 {
			fmt.Fprintf(&b, " (line %d)", e.Frames[n-1].Line)
		}
		b.WriteString("\n")
	}
	if t.Baseline != nil && t.Baseline.Output == model.Differs {
		b.WriteString("what it prints differs between two runs: it depends on the clock, or draws without a seed\n")
	}
	for _, f := range t.Faults {
		fmt.Fprintf(&b, "%-18s line %4d  %-24s %s\n", f.Operator, f.Line, f.Result, show.Clip(f.What, 90))
		if f.Effect > 0 {
			fmt.Fprintf(&b, "%-18s line %4d  %s: %s\n", "", f.Effect, f.Result, show.Clip(f.Message, 160))
		}
	}
	fmt.Fprintf(&b, "%d changes tried, %d crash, %d of them that show after other statements ran\n", len(t.Faults),
		t.Crashes, t.MultiHop)
	return b.String()
}

func (a *app) debuggingRunCommand() *cobra.Command {
	var py scriptFlags
	var seed int
	c := &cobra.Command{
		Use:   "run SCRIPT",
		Short: "Run one script in the sandbox, traced, and write what it did as JSON",
		Long: `run writes the record that a build keeps of a run: how it ended, the exception with its
frames, the statements that ran; of its figures and files digests. Beside it stands what the
script printed, its first 64 KiB, of which a build keeps a digest.`,
		Args: exactArgs("SCRIPT"),
		RunE: func(c *cobra.Command, args []string) error {
			cfg, err := py.read()
			if err != nil {
				return err
			}
			record, err := debugging.RunScript(c.Context(), cfg, args[0], seed, py.way(), a.log)
			if err != nil {
				return err
			}
			return a.writeJSON(record)
		},
	}
	c.Flags().IntVar(&seed, "seed", 0, "hash and random seed")
	py.add(c)
	return c
}

// rerunFlags are the flags of verify that run samples again.
type rerunFlags struct {
	on      bool
	seeds   []int
	workers int
	python  scriptFlags
}

func (f *rerunFlags) add(c *cobra.Command) {
	c.Flags().BoolVar(&f.on, "rerun", false, "run every sample of a debugging dataset again")
	c.Flags().IntSliceVar(&f.seeds, "seeds", []int{11, 12, 13}, "hash and random seeds of --rerun")
	workersFlag(c, &f.workers, runtime.NumCPU(), "samples of --rerun")
	c.Flags().StringVarP(&f.python.config, "config", "c", "",
		"take interpreter and paths of --rerun from this configuration `FILE`")
	f.python.pythonFlags.add(c)
}

// rerunSamples runs a dataset's samples again and says which differ.
func (a *app) rerunSamples(ctx context.Context, dir string, f rerunFlags, asJSON bool) error {
	if err := isDataset(dir); err != nil {
		return err
	}
	cfg, err := f.python.read()
	if err != nil {
		return err
	}
	r, err := debugging.RerunSamples(ctx, dir, f.seeds, cfg.Python, f.python.way(), f.workers, a.log)
	if err != nil {
		return err
	}
	if asJSON {
		err = a.writeJSON(r)
	} else {
		for _, d := range r.Differ {
			fmt.Fprintf(a.stdout, "DIFFERS  %s: %s\n", d.SampleID, d.Detail)
		}
		_, err = fmt.Fprintf(a.stdout,
			"%s: %d of %d samples gave type, message and effect again, from the start, under seeds %v\n", dir, r.Same, r.Samples,
			r.Seeds)
	}
	if err == nil && len(r.Differ) > 0 {
		err = &exitError{exitFailed}
	}
	return err
}
