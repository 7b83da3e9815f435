package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/prforge/prforge/stages/evaluate"
	"github.com/spf13/cobra"
)

func (a *app) evalScoreCommand() *cobra.Command {
	var asJSON bool
	var configFile, controls, ids string
	p := evaluate.Protocol{}
	c := &cobra.Command{
		Use:   "score RUN",
		Short: "Score a run's kept answers again, without a network",
		Long: `score makes reviews/, verdicts/, scores.jsonl and the reports again from the plan and the
kept answers. It asks nobody.

--protocol official gives the published composite from the same answers, paper the one as
the paper describes it; both also write a folder in the published form. Their similarity
is by words, or with --similarity openai by vectors of the endpoint that the
configuration names under similarity; those are kept like every answer.

--protocol dsdbench gives DSDBench's tables for a run on a debugging dataset, with our
rule about messages, or our judge's word, in the judge's place. --ids official keeps the
records whose numbers the published scripts keep.

--protocol pull-requests-with-bugs gives that paper's table for a run on files with one
fault: of how many files with an undeclared name or a wrong indentation the answer names
an error of any sort, as the blind judge sees it, or without a judge as we read it.`,
		Example: "  prforge eval score out/run\n  prforge eval score out/run --protocol official",
		Args:    exactArgs("RUN"),
		RunE: func(c *cobra.Command, args []string) error {
			cfg := &evaluate.Config{}
			if p.Similarity == evaluate.SimilarityOpenAI {
				var err error
				if cfg, err = evaluate.LoadConfig(configFile); err != nil {
					return err
				}
			}
			e, err := a.evaluation("", args[0], *cfg)
			if err != nil {
				return err
			}
			if e.HasTables(p.Name) {
				return a.scoreTables(c.Context(), e, p.Name, ids, asJSON)
			}
			if p.Name != "prforge" {
				return a.scorePublished(c.Context(), e, p, asJSON)
			}
			e.Controls = controls
			out, err := e.Rescore(c.Context())
			if err != nil {
				return err
			}
			if err := a.showOutcome(args[0], out, asJSON); err != nil {
				return err
			}
			return a.showUnscored(e, out)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "the report as JSON on standard output")
	c.Flags().StringVar(&p.Name, "protocol", "prforge", "prforge, official, paper, dsdbench or pull-requests-with-bugs")
	c.Flags().StringVar(&p.Similarity, "similarity", evaluate.SimilarityLexical,
		"of the published protocols: lexical or openai")
	c.Flags().StringVarP(&configFile, "config", "c", defaultEvalConfig,
		"configuration of the evaluation, for --similarity openai")
	c.Flags().StringVar(&controls, "controls", "",
		"`FOLDER` of the dataset's controls: count reports on hunks that proved clean")
	c.Flags().StringVar(&ids, "ids", "all", "of --protocol dsdbench: all or official records")
	return c
}

// scoreTables shows the tables of a benchmark's own published protocol.
func (a *app) scoreTables(ctx context.Context, e *evaluate.Evaluation, protocol, ids string, asJSON bool) error {
	if ids != "all" && ids != "official" {
		return usagef("--ids is %q, want all or official", ids)
	}
	t, err := e.RescoreTables(ctx, protocol, ids == "official")
	if err != nil {
		return err
	}
	if asJSON {
		return a.writeJSON(t.Tables)
	}
	_, err = io.WriteString(a.stdout, t.Text)
	return err
}

// scorePublished scores by a published protocol and shows its leaderboard.
func (a *app) scorePublished(ctx context.Context, e *evaluate.Evaluation, p evaluate.Protocol, asJSON bool) error {
	out, err := e.RescorePublished(ctx, p)
	if err != nil {
		return err
	}
	if err := a.showOutcome(e.Run, &evaluate.Outcome{Report: out.Report}, asJSON); err != nil {
		return err
	}
	if !asJSON {
		fmt.Fprintf(a.stdout, "files:    %s (in the published form)\n", filepath.Join(e.Run, out.Folder))
	}
	return nil
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
