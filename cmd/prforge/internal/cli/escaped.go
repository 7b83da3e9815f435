package cli

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/stages"
	"github.com/prforge/prforge/stages/config"
)

func (a *app) escapedCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "escaped",
		Short: "Make records of defects that the reviewers of real pull requests let through",
		Long: `escaped makes the benchmark of docs/escaped.md: merged pull requests with a fault that
their reviewers did not stop, found by rule from the later commit that names, reverts
or repairs it.`,
		Args: noCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.escapedBuildCommand())
	return c
}

func (a *app) escapedBuildCommand() *cobra.Command {
	var f freezeFlags
	var until string
	c := &cobra.Command{
		Use:   "build -c FILE --mirror DIR --until DATE -o DATASET",
		Short: "Make the frozen dataset of questions, from repositories to faulty lines",
		Long: `build looks for later commits that lead back to merged pull requests of the window, in
full clones of the repositories, DIR/OWNER/NAME.git or DIR/OWNER/NAME ('git clone
--mirror'), up to DATE. Of GitHub it asks the pull requests that something leads back
to. Links of grade A become records; the others are in audit/ with the reason.

--from needs neither clones nor a date: the dataset's raw records hold what was read.
Keys of the configuration: escaped.`,
		Example: "  prforge escaped build -c prforge.yaml --mirror mirrors --until 2026-11-01 -o escaped",
		Args:    exactArgs(),
		RunE: func(c *cobra.Command, _ []string) error {
			if f.from == "" {
				if info, err := os.Stat(f.mirrors); err != nil || !info.IsDir() {
					return usagef("--mirror %q is no folder; name one that holds OWNER/NAME.git", f.mirrors)
				}
			}
			f.configure = func(cfg *config.Config) error { return lookUntil(cfg, until) }
			return a.freeze(c, "escaped build", f, stages.BenchmarkOf(artifacts.Escaped).Build)
		},
	}
	f.add(c)
	c.Flags().StringVar(&f.mirrors, "mirror", "", "`DIR` with full clones")
	c.Flags().StringVar(&until, "until", "",
		"the last `DATE` of later history to look at, as 2026-11-01 (default escaped.until)")
	return c
}

// lookUntil sets the end of the search in a configuration, and the thresholds that it does not set.
func lookUntil(cfg *config.Config, until string) error {
	if until != "" {
		day, err := config.ParseDate(until)
		if err != nil {
			return usagef("--until: %v", err)
		}
		cfg.Escaped.Until = day
	}
	if cfg.Escaped.Until.IsZero() {
		return usagef("say until when to look: --until 2026-11-01, or escaped.until in %s", cfg.File)
	}
	cfg.Escaped = cfg.Escaped.Filled()
	return nil
}
