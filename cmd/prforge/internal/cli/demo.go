package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/internal/demo"
	"github.com/prforge/prforge/internal/fakegithub"
	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages"
	"github.com/prforge/prforge/stages/config"
	"github.com/prforge/prforge/stages/evaluate"
	"github.com/prforge/prforge/stages/review"
	"github.com/prforge/prforge/stages/run"
)

func (a *app) demoCommand() *cobra.Command {
	var out string
	var asJSON bool
	c := &cobra.Command{
		Use:   "demo [-o DATASET]",
		Short: "Run the whole pipeline on a built-in sample: no token, no network",
		Long: `demo builds a dataset from a small world of our own making: repositories in five
languages with pull requests that are kept, and at least one for each reason to be
dropped. It is the code of a real build, against a GitHub inside this process and
real git repositories. It needs the git program and nothing else.`,
		Args: exactArgs(),
		RunE: func(c *cobra.Command, _ []string) error { return a.demo(c.Context(), out, asJSON) },
	}
	c.Flags().StringVarP(&out, "output", "o", filepath.Join("out", "demo"), "folder of the dataset")
	c.Flags().BoolVar(&asJSON, "json", false, "the run report as JSON on standard output")
	return c
}

func (a *app) demo(ctx context.Context, out string, asJSON bool) error {
	state, err := os.MkdirTemp("", "prforge-demo-")
	if err != nil {
		return fmt.Errorf("make a folder for the demo's state: %w", err)
	}
	defer os.RemoveAll(state)
	cfg, err := config.Parse("demo.yaml", demo.Config())
	if err != nil {
		return err
	}
	world, err := demo.World()
	if err != nil {
		return err
	}
	server, err := fakegithub.Start(world, fakegithub.Options{Log: a.log})
	if err != nil {
		return err
	}
	defer server.Close()
	env := a.demoEnv(server, state, out)
	a.ephemeral = true // the state is removed with the command
	if err := a.runBuild(ctx, env, cfg, asJSON, review.Build); err != nil {
		return err
	}
	if asJSON {
		return nil
	}
	run := out + "-eval"
	if err := a.demoEvaluation(ctx, out, run, artifacts.Review, evaluate.Evaluation{}); err != nil {
		return err
	}
	if err := a.demoBugs(ctx, env, cfg, out+"-bugs"); err != nil {
		return err
	}
	if err := a.demoScripts(ctx, out+"-debugging"); err != nil {
		return err
	}
	if err := a.demoEscaped(ctx, *cfg, out); err != nil {
		return err
	}
	fmt.Fprint(a.stdout, demoNext(a.program, out, run))
	return nil
}

// demoEnv is the environment of a build of the demo.
func (a *app) demoEnv(server *fakegithub.Server, state, out string) run.Env {
	return run.Env{
		State: state, Host: a.host(runtime.NumCPU(), pipeline.Silent{}), Out: out, Shards: 4, AllowPartial: true,
		CloneURL: func(r model.RepoRef) string { return server.URL() + "/" + r.String() + ".git" },
		Connect: func(context.Context) (*ghapi.Client, error) {
			o := ghapi.DefaultOptions()
			o.APIURL, o.GraphQLURL, o.Log = server.URL(), server.GraphQLURL(), a.log
			o.UserAgent = "prforge-demo"
			o.Tokens = ghapi.StaticToken("demo")
			return ghapi.New(o)
		},
	}
}

// demoEscaped builds the benchmark of escaped defects from the same repositories some weeks later, when fixes have
// revealed defects.
func (a *app) demoEscaped(ctx context.Context, cfg config.Config, reviews string) error {
	out := reviews + "-escaped"
	fmt.Fprintln(a.stdout, "\nDefects that review let through, as later fixes show:")
	dir, err := os.MkdirTemp("", "prforge-demo-")
	if err != nil {
		return fmt.Errorf("make a folder for the demo's clones: %w", err)
	}
	defer os.RemoveAll(dir)
	world, err := demo.Later()
	if err != nil {
		return err
	}
	clones := filepath.Join(dir, "clones")
	server, err := fakegithub.Start(world, fakegithub.Options{Log: a.log, Dir: clones})
	if err != nil {
		return err
	}
	defer server.Close()
	if err := lookUntil(&cfg, "2026-11-01"); err != nil {
		return err
	}
	env := a.demoEnv(server, filepath.Join(dir, "state"), out)
	env.Mirrors = clones
	if err := a.runBuild(ctx, env, &cfg, false, stages.BenchmarkOf(artifacts.Escaped).Build); err != nil {
		return err
	}
	fmt.Fprintln(a.stdout, "\nHunks that nobody objected to, and that lasted:")
	env.Out, env.Progress = reviews+"-controls", pipeline.Silent{}
	// A day is enough here: the sample's histories are short.
	set, err := review.Controls(ctx, env, reviews, review.ControlOptions{Mirrors: clones, Until: cfg.Escaped.Until.Time,
		Days: 1})
	if err != nil {
		return err
	}
	if err := a.showControls(set.Count(), env.Out); err != nil {
		return err
	}
	return a.demoEvaluation(ctx, out, out+"-eval", artifacts.Escaped,
		evaluate.Evaluation{Controls: env.Out, ControlsOf: reviews})
}

// demoBugs builds the bugs benchmark from the same pull requests.
func (a *app) demoBugs(ctx context.Context, env run.Env, cfg *config.Config, out string) error {
	fmt.Fprintln(a.stdout, "\nFiles with one known fault, from the same pull requests:")
	env.Out = out
	if err := a.runBuild(ctx, env, cfg, false, stages.BenchmarkOf(artifacts.Bugs).Build); err != nil {
		return err
	}
	return a.demoEvaluation(ctx, out, out+"-eval", artifacts.Bugs, evaluate.Evaluation{})
}

// demoScripts builds the debugging benchmark, and evaluates on one sample of each script.
func (a *app) demoScripts(ctx context.Context, out string) error {
	fmt.Fprintln(a.stdout, "\nScripts with injected errors, from kept records of their runs:")
	if err := a.demoDebugging(ctx, out); err != nil {
		return err
	}
	oneEach := evaluate.Choice{Split: "scripts"}
	return a.demoEvaluation(ctx, out, out+"-eval", artifacts.Debugging, evaluate.Evaluation{Choice: oneEach})
}

// demoEvaluation evaluates the built-in reviewers on the demo's dataset, judged
// by rules: a leaderboard without a model. of has the split and the controls.
func (a *app) demoEvaluation(ctx context.Context, out, run string, b artifacts.Benchmark,
	of evaluate.Evaluation) error {
	fmt.Fprintln(a.stdout, "\nThe built-in reference reviewers on this dataset:")
	e, err := a.evaluation(out, run, evaluate.ReferenceConfig(stages.BenchmarkOf(b).Evaluated))
	if err != nil {
		return err
	}
	e.Choice, e.Controls, e.ControlsOf = of.Choice, of.Controls, of.ControlsOf
	outcome, err := e.Evaluate(ctx)
	if evaluate.IsPlanError(err) {
		return fmt.Errorf("%s is of another demo: remove it: %w", run, err)
	}
	if err != nil {
		return err
	}
	return a.showOutcome(run, outcome, false)
}

// demoNext suggests commands to run after the demo.
func demoNext(program, out, run string) string {
	lines := []struct{ command, what string }{
		{fmt.Sprintf("%s audit %s --html %s.html", program, out, out), "the dataset in a browser, down to each comment"},
		{fmt.Sprintf("%s explain 'quayside/tidelog#61' --dataset %s", program, out),
			"everything decided about one pull request"},
		{fmt.Sprintf("%s eval report %s", program, run), "the leaderboard of the built-in reviewers"},
		{fmt.Sprintf("ls %s/contexts/config_C", out), "what a model is shown"},
		{fmt.Sprintf("%s verify %s", program, out), "every invariant, checked against the files"},
		{fmt.Sprintf("%s init", program), "a configuration, for a dataset of your own"},
	}
	var b strings.Builder
	b.WriteString("\nWhat to look at next:\n")
	for _, l := range lines {
		fmt.Fprintf(&b, "  %s\n      %s\n", l.command, l.what)
	}
	return b.String()
}
