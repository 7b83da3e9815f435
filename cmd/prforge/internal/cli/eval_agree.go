package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/prforge/prforge/cmd/prforge/internal/cli/show"
	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/stats"
	"github.com/prforge/prforge/internal/table"
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
			return a.runEvaluation(e, yes, asJSON,
				func() (*evaluate.Outcome, error) { return e.Rejudge(c.Context(), args[0], judge) })
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

func (a *app) evalAgreeCommand() *cobra.Command {
	var asJSON bool
	var other string
	c := &cobra.Command{
		Use:   "agree RUN",
		Short: "Measure the judge: against itself, another judge, people",
		Long: `agree shows how alike the judge's repeats are, whether its labels depend on the position at
which a comment was shown, how far people agree with each other and with the judge where
'prforge label' brought their labels, and with --judge another judge's run on the same answers.`,
		Example: "  prforge eval agree out/run\n  prforge eval agree out/run --judge out/other-run",
		Args:    exactArgs("RUN"),
		RunE: func(c *cobra.Command, args []string) error {
			e, err := a.evaluation("", args[0], evaluate.Config{})
			if err != nil {
				return err
			}
			agreement, err := e.Agree(c.Context(), other)
			if err != nil {
				return err
			}
			if asJSON {
				return a.writeJSON(agreement)
			}
			a.showAgreement(*agreement)
			return nil
		},
	}
	c.Flags().StringVar(&other, "judge", "", "`RUN` folder of another judge on the same answers")
	c.Flags().BoolVar(&asJSON, "json", false, "the figures as JSON")
	return c
}

// weakAgreement is the kappa below which a report says that a judge is not reliable.
const weakAgreement = 0.8

func (a *app) showAgreement(g evaluation.Agreement) {
	fmt.Fprintf(a.stdout, "comments: %d judged\n", g.Comments)
	fmt.Fprintf(a.stdout, "repeats:  alpha %s on labels, %s on what changes a score; one label in all repeats for %s\n",
		alphaText(g.Repeats), alphaText(g.Matched), numberText(g.Unanimous))
	if g.Positions != nil {
		a.showPositions(*g.Positions)
	}
	fmt.Fprintf(a.stdout,
		"order:    from repeat to repeat %d of %d labels changed where the comment moved, %d of %d where it did not\n",
		g.Order.MovedFlipped, g.Order.Moved, g.Order.StillFlipped, g.Order.Still)
	if g.People != nil {
		a.showPeople(*g.People)
	}
	for _, c := range g.Others {
		fmt.Fprintf(a.stdout, "%s: %d comments, kappa %s on labels (%s equal), %s on what changes a score\n", c.With,
			c.Labels.Items, alphaText(c.Labels.Kappa), numberText(c.Labels.Observed), alphaText(c.Matched.Kappa))
		if c.Labels.Kappa.Value.Defined() && c.Labels.Kappa.Value < weakAgreement {
			fmt.Fprintf(a.stdout, "note:     kappa is below %.1f: differences between models may be the judge's\n",
				weakAgreement)
		}
	}
}

// showPositions shows the counts by third of the list, with the expected ones.
func (a *app) showPositions(p stats.Positions) {
	t := table.New("label", "first third", "middle", "last third")
	for i, label := range p.Labels {
		line := []any{label}
		for third, n := range p.Counts[i] {
			line = append(line, fmt.Sprintf("%d (%.1f)", n, float64(p.Expected[i][third])))
		}
		t.Row(line...)
	}
	fmt.Fprintln(a.stdout, t.Text(false))
	fmt.Fprintf(a.stdout,
		"position: p %s, by permutation within each question (in parentheses what no dependence on it gives)\n",
		numberText(p.P))
}

func (a *app) evalCompareCommand() *cobra.Command {
	var asJSON bool
	var limit, confidence float64
	c := &cobra.Command{
		Use:   "compare OLD NEW",
		Short: "Fail when a new run is worse than an old one, on the records that both have",
		Long: `compare takes each model of NEW with the one of its name in OLD, or the only one with the
only one, and gives the difference of the ranking metric on the records that both have,
with its interval. It fails (exit code 1) where the whole interval lies below the limit:
a change of prompt or model that is equally good fails in at most half of what the
confidence leaves. Both runs are on one dataset and have one judge. It asks nobody.`,
		Example: "  prforge eval compare out/main out/change --fail-below 0 --confidence 0.95",
		Args:    exactArgs("OLD", "NEW"),
		RunE: func(c *cobra.Command, args []string) error {
			if confidence < 0.5 || confidence >= 1 || limit < -1 || limit > 1 {
				return usagef("--confidence is from 0.5 to below 1, --fail-below from -1 to 1")
			}
			e, err := a.evaluation("", args[0], evaluate.Config{})
			if err != nil {
				return err
			}
			changes, err := e.Compare(c.Context(), args[0], args[1], limit, confidence)
			if err != nil {
				return err
			}
			if asJSON {
				err = a.writeJSON(changes)
			} else {
				a.showChanges(changes, limit)
			}
			if err == nil && slices.ContainsFunc(changes, func(c evaluation.Change) bool { return c.Worse }) {
				err = &exitError{exitFailed}
			}
			return err
		},
	}
	c.Flags().Float64Var(&limit, "fail-below", 0,
		"fail where the metric is lower by more than this for certain, such as -0.02")
	c.Flags().Float64Var(&confidence, "confidence", 0.95, "of the intervals, all together")
	c.Flags().BoolVar(&asJSON, "json", false, "the figures as JSON")
	return c
}

func (a *app) showChanges(changes []evaluation.Change, limit float64) {
	for _, x := range changes {
		d, verdict := x.Difference, "not worse"
		if x.Worse {
			verdict = "worse"
		}
		interval := "no interval: too few pull requests"
		if d.Low.Defined() && d.High.Defined() {
			interval = fmt.Sprintf("%+.3f to %+.3f", float64(d.Low), float64(d.High))
		}
		fmt.Fprintf(a.stdout, "%s: %s %+.3f (%s) against %s on %s: %s than %+.3f\n", x.New, x.Metric, float64(d.Value),
			interval, x.Old, show.Plural(d.Units, "record"), verdict, limit)
		if d.OnlyA+d.OnlyB > 0 {
			fmt.Fprintf(a.stdout, "note:     left out: %s of the new run alone, %d of the old one alone\n",
				show.Plural(d.OnlyA, "record"), d.OnlyB)
		}
	}
}
