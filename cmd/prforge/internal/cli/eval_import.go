package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/stages/evaluate"
	"github.com/prforge/prforge/stages/run"
)

func (a *app) evalImportCommand() *cobra.Command {
	var name, pulls, login, harbor string
	flags := buildFlags{workers: 1, shards: 1}
	c := &cobra.Command{
		Use:   "import RUN --model ID (FILE|DIR | --harbor JOB | --from-pulls OWNER/NAME --login BOT)",
		Short: "Keep the reviews of a product in a run folder",
		Long: `import brings reviews that were made elsewhere: a file with a JSON array (or lines) of
{"task_id": ..., "comments": [{"body", "file", "line", "severity"}]}, with an optional
"config" and "repeat"; a SARIF log TASK.sarif, or a folder of them; or a run folder of the
published harness. Name the model in the configuration with provider: imported;
'prforge eval run' then judges and scores it. A review that names no configuration counts
once, in the last one of the run.

With --from-pulls it reads what a reviewer wrote on GitHub: on the tasks' own pull requests,
or in another repository on those that were opened again there, merged or closed, whose
branch or first word of the title is a task id. The run must be planned; --config and
--state are those of 'prforge build'. Comments on lines and files count, as they were
written first; what a review says beside them does not.

With --harbor it reads a job's folder of Harbor that ran tasks of 'prforge export harbor'.`,
		Example: `  prforge eval import out/run --model tool reviews.json
  prforge eval import out/run --model tool --from-pulls our/replays --login some-reviewer`,
		Args: func(c *cobra.Command, args []string) error {
			if pulls != "" || harbor != "" {
				return exactArgs("RUN")(c, args)
			}
			return exactArgs("RUN", "FILE")(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if name == "" {
				return usagef("say whose reviews these are: --model ID")
			}
			if (pulls == "") != (login == "") {
				return usagef("--from-pulls OWNER/NAME and --login BOT go together")
			}
			e, err := a.evaluation("", args[0], evaluate.Config{})
			if err != nil {
				return err
			}
			if harbor != "" {
				return a.importHarbor(e, name, harbor)
			}
			if pulls != "" {
				return a.importPulls(c.Context(), e, flags, name, pulls, login)
			}
			n, err := e.ImportReviews(name, args[1])
			if err != nil {
				return err
			}
			fmt.Fprintf(a.stdout, "%d reviews of %s are kept in %s\n", n, name, args[0])
			return nil
		},
	}
	c.Flags().StringVar(&name, "model", "", "the model's `ID` in the configuration")
	c.Flags().StringVar(&pulls, "from-pulls", "", "repository (`OWNER/NAME`) whose pull requests were reviewed")
	c.Flags().StringVar(&harbor, "harbor", "", "`JOB` folder of Harbor")
	c.Flags().StringVar(&login, "login", "", "the reviewer's `BOT` account on GitHub")
	flags.addState(c)
	return c
}

// importPulls stores the reviews that an account wrote on a repository's pull requests.
func (a *app) importPulls(ctx context.Context, e *evaluate.Evaluation, flags buildFlags, name, pulls,
	login string) error {
	ref, err := model.ParseRepoRef(pulls)
	if err != nil {
		return &usageError{err}
	}
	cfg, err := configOrDefault(flags.config, []string{pulls})
	if err != nil {
		return err
	}
	env, err := a.env(cfg, flags)
	if err != nil {
		return err
	}
	var out *evaluate.PullReviews
	err = a.withSession(ctx, env, cfg, func(s *run.Session) (err error) {
		out, err = e.ImportPulls(ctx, s.Collector, name, ref, login)
		return err
	})
	if err != nil {
		return err
	}
	for _, why := range out.LeftOut {
		fmt.Fprintf(a.stderr, "prforge: left out: %s%s\n", ref, why)
	}
	fmt.Fprintf(a.stdout, "%d reviews of %s with %d comments are kept in %s\n", out.Kept, name, out.Comments, e.Run)
	fmt.Fprintln(a.stderr,
		"prforge: some vendors' terms forbid publishing comparisons with their product: read them before you publish")
	if out.Kept == 0 {
		return &exitError{exitPartial}
	}
	return nil
}

// importHarbor stores the reviews of a Harbor job.
func (a *app) importHarbor(e *evaluate.Evaluation, name, job string) error {
	n, left, err := e.ImportHarbor(name, job)
	if len(left) > 0 {
		fmt.Fprintf(a.stderr, "without a review:\n  %s\n", strings.Join(left, "\n  "))
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "%d reviews of %s are kept in %s\n", n, name, e.Run)
	return err
}
