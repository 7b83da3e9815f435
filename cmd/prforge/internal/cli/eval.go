package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/prforge/prforge/cmd/prforge/internal/cli/show"
	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/internal/table"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages"
	"github.com/prforge/prforge/stages/evaluate"
)

// defaultEvalConfig is read if no other file is named.
const defaultEvalConfig = "eval.yaml"

// evalFlags are the flags of eval run.
type evalFlags struct {
	config, out, split     string
	snapshots              string
	controls, controlsOf   string
	pool                   int
	tasks, configs, models []string
	limit, workers         int
	maxCost                float64
	dryRun, yes, extend    bool
	json                   bool
}

func (a *app) evalRunCommand() *cobra.Command {
	var f evalFlags
	c := &cobra.Command{
		Use:   "run DATASET -c eval.yaml -o RUN",
		Short: "Plan, estimate, ask, judge, score and report; the same command goes on after anything",
		Long: `run says what it will ask and cost, asks what is not answered yet, has it judged, and
scores it. Interrupted at any moment, also killed, the same command goes on and pays for
nothing twice. Records whose calls failed are no scores: they are listed, and asked again
by the same command (exit code 3).`,
		Example: "  prforge eval run out/demo -c eval.yaml -o out/run --dry-run\n  prforge eval run out/demo -c eval.yaml -o out/run --max-cost 5",
		Args:    exactArgs("DATASET"),
		RunE:    func(c *cobra.Command, args []string) error { return a.evalRun(c.Context(), args[0], f) },
	}
	flags := c.Flags()
	flags.StringVarP(&f.config, "config", "c", defaultEvalConfig, "configuration of the evaluation")
	flags.StringVarP(&f.out, "output", "o", "", "run folder")
	flags.StringVar(&f.split, "split", "", "evaluate the tasks of this split (evals/NAME.json)")
	flags.StringSliceVar(&f.tasks, "tasks", nil, "evaluate these tasks")
	flags.StringSliceVar(&f.configs, "configs", nil, "evaluate these configurations, such as A,C")
	flags.StringSliceVar(&f.models, "models", nil, "evaluate these models of the configuration")
	flags.StringVar(&f.snapshots, "snapshots", "",
		"`DIR` of prforge snapshots, for agents; where the dataset holds none itself")
	flags.IntVar(&f.limit, "limit", 0, "evaluate the first `N` tasks")
	flags.IntVar(&f.workers, "workers", 0, "how many records at once; 0 for as many as the endpoints take")
	flags.Float64Var(&f.maxCost, "max-cost", 0, "stop before a call that could pass this many US `dollars` in all")
	flags.StringVar(&f.controls, "controls",
		"", "`FOLDER` of the dataset's controls: count reports on hunks that proved clean")
	flags.StringVar(&f.controlsOf, "controls-of",
		"", "on escaped defects: the `DATASET` of reviews that --controls is of, asked about too")
	flags.IntVar(&f.pool, "pool", 0,
		"ask the judge about findings that people did not make: those of several reviewers, and `N` of one")
	flags.BoolVar(&f.dryRun, "dry-run", false, "show the estimate and send nothing")
	flags.BoolVar(&f.yes, "yes", false, "do not ask before money is spent")
	flags.BoolVar(&f.extend, "extend", false, "add models, tasks, configurations or repeats to the run's plan")
	flags.BoolVar(&f.json, "json", false, "the report as JSON on standard output")
	return c
}

func (a *app) evalRun(ctx context.Context, dataset string, f evalFlags) error {
	if f.out == "" {
		return usagef("say where the run goes: prforge eval run %s -c %s -o RUN", dataset, f.config)
	}
	if f.workers < 0 || f.limit < 0 || f.maxCost < 0 || f.pool < 0 {
		return usagef("--workers, --limit, --max-cost and --pool are not below 0")
	}
	cfg, err := evaluate.LoadConfig(f.config)
	if err != nil {
		return err
	}
	if _, err := openDataset(dataset); err != nil {
		return err
	}
	e, err := a.evaluation(dataset, f.out, *cfg)
	if err != nil {
		return err
	}
	e.Choice = evaluate.Choice{Split: f.split, Tasks: f.tasks, Configs: f.configs, Models: f.models, Limit: f.limit}
	e.Snapshots, e.Extend, e.Workers, e.MaxCost, e.Controls, e.ControlsOf, e.Pool = f.snapshots, f.extend, f.workers,
		f.maxCost, f.controls, f.controlsOf, f.pool
	if f.dryRun {
		estimate, err := e.Estimate(ctx)
		if err != nil {
			return err
		}
		if f.json {
			return a.writeJSON(estimate)
		}
		showEstimate(a.stdout, estimate)
		return nil
	}
	return a.runEvaluation(e, f.yes, f.json, func() (*evaluate.Outcome, error) { return e.Evaluate(ctx) })
}

// evaluation is an Evaluation with the settings that all commands share.
func (a *app) evaluation(dataset, dir string, cfg evaluate.Config) (*evaluate.Evaluation, error) {
	if dataset != "" {
		inside, err := within(filepath.Dir(filepath.Clean(dir)), dataset)
		if err == nil && inside {
			return nil, usagef("-o %s lies in the dataset, which is immutable; name a folder elsewhere", dir)
		}
	}
	return &evaluate.Evaluation{
		Benchmarks: stages.Evaluated(),
		Host:       a.host(runtime.NumCPU(), pipeline.Silent{}),
		Dataset:    dataset, Run: dir, Config: cfg, Now: time.Now,
		Confirm: func(evaluate.Estimate) error { return nil },
	}, nil
}

// runEvaluation runs an evaluation and shows the leaderboard and the failures.
func (a *app) runEvaluation(e *evaluate.Evaluation, yes, asJSON bool, dir func() (*evaluate.Outcome, error)) error {
	progress, finish := a.progress()
	e.Progress = progress
	e.Confirm = func(estimate evaluate.Estimate) error {
		if estimate.ReviewCalls+estimate.JudgeCalls == 0 {
			return nil
		}
		if !a.quiet {
			showEstimate(a.stderr, estimate)
		}
		return a.agreed(yes, e, estimate)
	}
	out, err := dir()
	finish()
	if err != nil {
		return err
	}
	if err := a.showOutcome(e.Run, out, asJSON); err != nil {
		return err
	}
	return a.showUnscored(e, out)
}

// showUnscored says why records have no score, and what repeating the command would do about it.
func (a *app) showUnscored(e *evaluate.Evaluation, out *evaluate.Outcome) error {
	for _, c := range evaluate.Causes(out.Failures) {
		fmt.Fprintf(a.stderr, "failed: %d records (%s), %s first: %s\n", c.Records, c.Code, c.First, show.Clip(c.Error, 300))
	}
	for _, why := range out.Ended {
		fmt.Fprintf(a.stderr, "prforge: %s\n", show.Clip(why, 400))
	}
	if out.Booked > 0 {
		fmt.Fprintf(a.stderr, "prforge: calls without an answer may have cost $%.2f more, which count against --max-cost\n",
			out.Booked)
	}
	if out.Stopped {
		fmt.Fprintf(a.stderr,
			"prforge: stopped at the limit of cost of $%.2f; the same command with a higher --max-cost goes on\n", e.MaxCost)
	}
	if r := out.Report; r.Scored < r.Planned {
		fmt.Fprintf(a.stderr,
			"prforge: of %d records %d failed and %d were not asked; they have no score; the command that made the run asks for them\n", r.Planned, r.Failed, r.NotAsked)
		return &exitError{exitPartial}
	}
	return nil
}

// agreed asks for confirmation on a terminal before money is spent. Elsewhere a flag must give it, or a limit.
func (a *app) agreed(yes bool, e *evaluate.Evaluation, estimate evaluate.Estimate) error {
	if yes || estimate.HighUSD == 0 && !estimate.Unpriced {
		return nil
	}
	if in, ok := a.stdin.(*os.File); !ok || !term.IsTerminal(int(in.Fd())) {
		if e.MaxCost > 0 {
			return nil
		}
		return usagef("this would spend money and nobody can be asked: say --yes, or how much at most by --max-cost")
	}
	fmt.Fprint(a.stderr, "Go on? [y/N] ")
	line, err := bufio.NewReader(a.stdin).ReadString('\n')
	if err != nil && err != io.EOF {
		return fmt.Errorf("read the answer: %w", err)
	}
	if !strings.EqualFold(strings.TrimSpace(line), "y") {
		return &exitError{exitDone}
	}
	return nil
}

// showEstimate shows an estimate of a run.
func showEstimate(w io.Writer, e evaluate.Estimate) {
	fmt.Fprintf(w, "records:  %d, of them %d not answered yet\n", e.Records, e.Open)
	fmt.Fprintf(w, "calls:    %d for reviews, up to %d to the judge (second questions not counted)\n", e.ReviewCalls,
		e.JudgeCalls)
	if e.Findings > 0 {
		fmt.Fprintf(w, "findings: %d calls to the judge, about what is judged already; the rest is not known yet\n",
			e.Findings)
	}
	fmt.Fprintf(w, "input:    %d tokens of reviews (o200k_base), %d to %d of judging\n", e.ReviewInput, e.JudgeLow,
		e.JudgeHigh)
	if e.Unpriced {
		fmt.Fprintln(w, "cost:     unknown: a model has no price in the configuration")
	} else {
		fmt.Fprintf(w, "cost:     $%.2f to $%.2f", e.LowUSD, e.HighUSD)
		if e.SpentUSD > 0 {
			fmt.Fprintf(w, ", besides $%.2f already spent", e.SpentUSD)
		}
		fmt.Fprintln(w)
	}
	if e.Minutes > 0 {
		fmt.Fprintf(w, "time:     at least %.0f minutes by the endpoints' limits\n", e.Minutes)
	}
}

// showOutcome shows the leaderboard and the paths of all files.
func (a *app) showOutcome(dir string, out *evaluate.Outcome, asJSON bool) error {
	if asJSON {
		return a.writeJSON(out.Report)
	}
	a.showLeaderboard(out.Report)
	fmt.Fprintf(a.stdout, "report:   %s\n", filepath.Join(dir, "report.html"))
	return nil
}

func (a *app) showLeaderboard(r evaluation.Report) {
	fmt.Fprintln(a.stdout, leaderboardTable(r))
	fmt.Fprintf(a.stdout, "records:  %s\n", r.Records())
	for _, w := range r.Warnings {
		fmt.Fprintf(a.stdout, "note:     %s\n", w)
	}
}

// leaderboardTable is the headline rates, best model first.
func leaderboardTable(r evaluation.Report) string {
	head := []any{"rank", "model"}
	for _, m := range r.Metrics {
		if m.Headline {
			head = append(head, m.Name)
		}
	}
	if r.HasComments() {
		head = append(head, "comments")
	}
	head = append(head, "scored")
	priced := slices.ContainsFunc(r.Models, func(m evaluation.ModelReport) bool { return m.Cost.USD+m.Cost.JudgeUSD > 0 })
	if priced {
		head = append(head, "cost", "judging")
	}
	t := table.New(head...)
	for _, m := range r.Models {
		rank := fmt.Sprint(m.BestRank)
		if m.WorstRank != m.BestRank {
			rank = fmt.Sprintf("%d-%d", m.BestRank, m.WorstRank)
		}
		line := []any{rank, m.Model}
		for i, v := range m.Values {
			if r.Metrics[i].Headline {
				line = append(line, estimateText(v))
			}
		}
		if r.HasComments() {
			line = append(line, m.Counts["comments"])
		}
		line = append(line, fmt.Sprintf("%d of %d", m.Scored, m.Planned))
		if priced {
			line = append(line, fmt.Sprintf("$%.2f", m.Cost.USD), fmt.Sprintf("$%.2f", m.Cost.JudgeUSD))
		}
		t.Row(line...)
	}
	return t.Text(false)
}

// estimateText is a rate with its interval.
func estimateText(v evaluation.Value) string {
	switch {
	case !v.Micro.Value.Defined():
		return "-"
	case !v.Micro.Low.Defined():
		return fmt.Sprintf("%.2f", float64(v.Micro.Value))
	}
	return fmt.Sprintf("%.2f [%.2f-%.2f]", float64(v.Micro.Value), float64(v.Micro.Low), float64(v.Micro.High))
}

func (a *app) evalReportCommand() *cobra.Command {
	var asJSON bool
	var page, md, table string
	c := &cobra.Command{
		Use:   "report RUN...",
		Short: "Show the leaderboard of one run or several, or write it as a page",
		Long: `report shows the leaderboard of a run, or of several runs on one dataset with one judge:
models are compared in pairs over all of them. --html writes one page that opens from disk
in any browser, down to each comment with its label, its match and the judge's reason.`,
		Example: "  prforge eval report out/run\n  prforge eval report out/run out/other --html compare.html",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("report wants the folder of a run; see 'prforge help eval report'")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			e, err := a.evaluation("", args[0], evaluate.Config{})
			if err != nil {
				return err
			}
			r, err := e.Reports(c.Context(), args)
			if err != nil {
				return err
			}
			for _, f := range []struct {
				path  string
				write func(io.Writer) error
			}{{page, r.HTML}, {md, r.Markdown}, {table, r.CSV}} {
				if f.path == "" {
					continue
				}
				if err := writeWhole(f.path, f.write); err != nil {
					return err
				}
				fmt.Fprintf(a.stderr, "written: %s\n", f.path)
			}
			if asJSON {
				return a.writeJSON(r.Report)
			}
			a.showLeaderboard(r.Report)
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "the report as JSON on standard output")
	c.Flags().StringVar(&page, "html", "", "write the page to this `FILE`")
	c.Flags().StringVar(&md, "md", "", "write Markdown to this `FILE`")
	c.Flags().StringVar(&table, "csv", "", "write the figures as a table to this `FILE`")
	return c
}
