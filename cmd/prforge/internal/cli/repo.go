package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prforge/prforge/cmd/prforge/internal/cli/show"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/table"
	"github.com/prforge/prforge/stages/config"
	"github.com/prforge/prforge/stages/review"
	"github.com/prforge/prforge/stages/run"
)

func (a *app) repoScoreCommand() *cobra.Command {
	var flags buildFlags
	var asJSON, asMarkdown bool
	c := &cobra.Command{
		Use:   "score OWNER/NAME...",
		Short: "Say how good repositories are for the benchmark, and what would raise their score",
		Long: `score measures the Repository Quality Score with its parts and runs the repository's
pull requests through the whole pipeline without freezing anything. Limits come from
the configuration, or from the defaults where there is none; then today counts as
the freeze date. Where a repository cannot be scored the exit code is 3.`,
		Example: "  prforge repo score gofiber/fiber celery/celery",
		Args:    someRepositories,
		RunE: func(c *cobra.Command, args []string) error {
			scored, err := a.score(c.Context(), flags, args)
			if err != nil {
				return err
			}
			if asJSON {
				err = a.writeJSON(scored)
			} else {
				for _, s := range scored {
					fmt.Fprintln(a.stdout, scoreReport(s, asMarkdown))
				}
			}
			if err != nil {
				return err
			}
			if slices.ContainsFunc(scored, func(s review.RepositoryReport) bool { return s.RQS == nil }) {
				return &exitError{exitPartial}
			}
			return nil
		},
	}
	flags.add(c)
	c.Flags().BoolVar(&asJSON, "json", false, "scores and funnels as JSON")
	c.Flags().BoolVar(&asMarkdown, "markdown", false, "tables as Markdown, for a comment on GitHub")
	return c
}

func (a *app) repoAddCommand() *cobra.Command {
	var flags buildFlags
	var force bool
	c := &cobra.Command{
		Use:   "add OWNER/NAME",
		Short: "Score a repository, then add it to the configuration's list",
		Long: `add scores the repository first and refuses one below rqs.min_score, unless --force
says otherwise. The configuration keeps its comments and its order.`,
		Args: exactArgs("OWNER/NAME"),
		RunE: func(c *cobra.Command, args []string) error {
			cfg, err := config.Load(flags.config)
			if err == nil {
				err = cfg.CheckNew(args[0])
			}
			if err != nil {
				return err
			}
			scored, err := a.score(c.Context(), flags, args)
			if err != nil {
				return err
			}
			fmt.Fprintln(a.stdout, scoreReport(scored[0], false))
			if !scored[0].Passes && !force {
				fmt.Fprintf(a.stderr, "prforge: %s was not added: %s (--force adds it all the same)\n", args[0], scored[0].Detail)
				return &exitError{exitFailed}
			}
			path, err := config.AddRepository(cfg, scored[0].Repo)
			if err != nil {
				return err
			}
			fmt.Fprintf(a.stdout, "added %s to %s\n", scored[0].Repo, path)
			return nil
		},
	}
	flags.add(c)
	c.Flags().BoolVar(&force, "force", false, "add it although its score is too low")
	return c
}

func someRepositories(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usagef("name at least one repository: prforge repo score OWNER/NAME")
	}
	return nil
}

// score scores repositories by the configuration, or by the defaults if the default file does not exist.
func (a *app) score(ctx context.Context, flags buildFlags, names []string) ([]review.RepositoryReport, error) {
	var refs []model.RepoRef
	for _, n := range names {
		ref, err := model.ParseRepoRef(n)
		if err != nil {
			return nil, &usageError{err}
		}
		refs = append(refs, ref)
	}
	cfg, err := configOrDefault(flags.config, names)
	if err != nil {
		return nil, err
	}
	env, err := a.env(cfg, flags)
	if err != nil {
		return nil, err
	}
	var scored []review.RepositoryReport
	err = a.withSession(ctx, env, cfg, func(s *run.Session) (err error) {
		scored, err = review.ScoreRepositories(ctx, s, refs)
		return err
	})
	return scored, err
}

// scoreReport is a repository's score with its parts, and its funnel.
func scoreReport(s review.RepositoryReport, markdown bool) string {
	parts := table.New("part", "points", "of", "measured", "what would raise it")
	for _, p := range s.Parts {
		points := "missing"
		if p.Points != nil {
			points = fmt.Sprintf("%.1f", float64(*p.Points))
		}
		var in []string
		for _, i := range p.Inputs {
			in = append(in, fmt.Sprintf("%s %.4g", i.Name, float64(i.Value)))
		}
		parts.Row(p.Name, points, fmt.Sprintf("%.0f", float64(p.Max)), show.Clip(strings.Join(in, ", "), 60), p.Note)
	}
	head := s.Repo + ": "
	switch {
	case s.RQS == nil:
		return head + s.Detail
	case s.Passes:
		head += fmt.Sprintf("score %.1f, good enough; it would give %s", float64(*s.RQS), show.Plural(s.Yield, "record"))
	default:
		head += fmt.Sprintf("score %.1f, not good enough (%s); it would give %s", float64(*s.RQS), s.Detail,
			show.Plural(s.Yield, "record"))
	}
	funnel := ""
	if s.Funnel != nil {
		funnel = show.Funnel(*s.Funnel, markdown)
	}
	if markdown {
		head = "### " + head
	}
	return fmt.Sprintf("%s\n\n%s\n\n%s\n", head, parts.Text(markdown), funnel)
}
