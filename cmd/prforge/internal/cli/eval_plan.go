package cli

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/prforge/prforge/internal/table"
	"github.com/prforge/prforge/stages/evaluate"
)

// planFlags are the flags of eval plan.
type planFlags struct {
	config, pilot string
	detect, power float64
	json          bool
}

func (a *app) evalPlanCommand() *cobra.Command {
	var f planFlags
	c := &cobra.Command{
		Use:   "plan DATASET",
		Short: "Say how many pull requests, repeats and dollars tell two reviewers apart",
		Long: `plan says how many pull requests it takes until a difference of that size between two
reviewers is found significant in 80 % of evaluations, with one, two or three reviews of
each, and what they cost. The noise is measured on a pilot run of at least two models;
without one it is guessed from the number of comments on each pull request of the dataset,
and the cost is that of the configuration's models. It asks nobody.`,
		Example: "  prforge eval plan out/demo --detect 0.05\n  prforge eval plan out/demo --detect 0.05 --pilot out/run",
		Args:    exactArgs("DATASET"),
		RunE:    func(c *cobra.Command, args []string) error { return a.evalPlan(c.Context(), args[0], f) },
	}
	c.Flags().StringVarP(&f.config, "config", "c", defaultEvalConfig, "configuration of the evaluation, for the cost")
	c.Flags().StringVar(&f.pilot, "pilot", "", "`RUN` folder of a pilot on the dataset")
	c.Flags().Float64Var(&f.detect, "detect", 0.05, "the `difference` to detect, of the metric that ranks")
	c.Flags().Float64Var(&f.power, "power", 0.8, "the `share` of evaluations that are to find it significant")
	c.Flags().BoolVar(&f.json, "json", false, "the figures as JSON")
	return c
}

func (a *app) evalPlan(ctx context.Context, dataset string, f planFlags) error {
	if f.detect <= 0 || f.detect >= 1 || f.power <= 0 || f.power >= 1 {
		return usagef("--detect and --power lie between 0 and 1")
	}
	none := evaluate.DefaultConfig()
	cfg := &none // without a configuration there is no cost
	if _, err := os.Stat(f.config); err == nil || f.config != defaultEvalConfig {
		if cfg, err = evaluate.LoadConfig(f.config); err != nil {
			return err
		}
	}
	e, err := a.evaluation(dataset, "", *cfg)
	if err != nil {
		return err
	}
	d, err := e.Detect(ctx, f.pilot, f.detect, f.power)
	if err != nil {
		return err
	}
	if f.json {
		return a.writeJSON(d)
	}
	a.showDetection(d)
	return nil
}

func (a *app) showDetection(d *evaluate.Detection) {
	fmt.Fprintf(a.stdout, "to tell:  a difference of %.3f in %s, in %.0f %% of evaluations (one comparison, 95 %%)\n",
		d.Difference, d.Metric, 100*d.Power)
	t := table.New("reviewers", "from", "repeats", "pull requests", "cost", fmt.Sprintf("with the dataset's %d", d.Tasks))
	for _, n := range d.Needs {
		from := "a guess"
		if n.Pulls > 0 {
			from = fmt.Sprintf("%d pull requests", n.Pulls)
		}
		cost := fmt.Sprintf("$%.2f to $%.2f", n.LowUSD, n.HighUSD)
		switch {
		case n.Unpriced:
			cost = "-"
		case n.LowUSD == n.HighUSD:
			cost = fmt.Sprintf("$%.2f", n.LowUSD)
		}
		t.Row(n.A+" and "+n.B, from, n.Repeats, n.Needed, cost, numberText(n.Detectable)+" and more")
	}
	fmt.Fprintln(a.stdout, t.Text(false))
}
