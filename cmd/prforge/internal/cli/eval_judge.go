package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/prforge/prforge/stages/evaluate"
)

func (a *app) evalJudgeCommand() *cobra.Command {
	var configFile, judge, out string
	var yes, asJSON bool
	var maxCost float64
	var workers int
	c := &cobra.Command{
		Use:   "judge RUN --judge NAME -o NEW",
		Short: "Have another judge judge the reviews of a run, without asking the reviewers again",
		Long: `judge takes the reviews that a run keeps, and has them judged by another judge of the
configuration (judge, or one of judges), into a new run folder. No reviewer is asked.
'prforge eval agree RUN --judge NEW' then compares the two judges.`,
		Example: "  prforge eval judge out/run --judge second -c eval.yaml -o out/second --max-cost 5",
		Args:    exactArgs("RUN"),
		RunE: func(c *cobra.Command, args []string) error {
			if judge == "" || out == "" {
				return usagef("say who judges and where it goes: prforge eval judge %s --judge NAME -o NEW", args[0])
			}
			cfg, err := evaluate.LoadConfig(configFile)
			if err != nil {
				return err
			}
			e, err := a.evaluation("", out, *cfg)
			if err != nil {
				return err
			}
			e.MaxCost, e.Workers = maxCost, workers
			return a.runEvaluation(e, yes, asJSON, func() (*evaluate.Outcome, error) { return e.Rejudge(c.Context(), args[0], judge) })
		},
	}
	flags := c.Flags()
	flags.StringVarP(&configFile, "config", "c", defaultEvalConfig, "configuration of the evaluation")
	flags.StringVarP(&out, "output", "o", "", "new run folder")
	flags.StringVar(&judge, "judge", "", "the judge's `ID` in the configuration")
	flags.Float64Var(&maxCost, "max-cost", 0, "stop before a call that could pass this many US `dollars` in all")
	flags.BoolVar(&yes, "yes", false, "do not ask before money is spent")
	flags.IntVar(&workers, "workers", 0, "how many records at once; 0 for as many as the endpoints take")
	flags.BoolVar(&asJSON, "json", false, "the report as JSON on standard output")
	return c
}

func (a *app) evalVerifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify RUN",
		Short: "Name what was changed in a run folder since it was planned and scored",
		Long: `verify compares the plan, every task and every kept answer with the digests that run.json
and report.json hold, and makes scores and report again. It names each part of the plan,
task, ground truth and answer that was changed, and asks nobody (exit code 1).

Digests say that a folder fits together, not who made it: publish the SHA-256 of
report.json with the numbers.`,
		Example: "  prforge eval verify out/run",
		Args:    exactArgs("RUN"),
		RunE: func(c *cobra.Command, args []string) error {
			e, err := a.evaluation("", args[0], evaluate.Config{})
			if err != nil {
				return err
			}
			changes, err := e.Verify(c.Context())
			if err != nil {
				return err
			}
			for _, change := range changes {
				fmt.Fprintf(a.stdout, "changed: %s\n", change)
			}
			if len(changes) > 0 {
				return &exitError{exitFailed}
			}
			fmt.Fprintf(a.stdout, "verified: %s is as it was scored\n", args[0])
			return nil
		},
	}
}
