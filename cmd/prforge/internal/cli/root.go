package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/prforge/prforge/cmd/prforge/internal/cli/progress"
	"github.com/prforge/prforge/cmd/prforge/internal/cli/show"
	"github.com/prforge/prforge/cmd/prforge/internal/cli/topics"
	"github.com/spf13/cobra"
)

// Main runs one command and returns its exit code. A panic ends the command as an
// error does, and says where to report it.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // the next signal ends the program at once
	a := &app{stdin: stdin, stdout: show.Terminal{W: stdout}, raw: stdout, stderr: stderr,
		above: progress.NewAbove(stderr), getenv: os.Getenv, program: os.Args[0]}
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(show.Terminal{W: stderr}, crashed, p, debug.Stack())
			code = exitFailed
		}
	}()
	root := a.root()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	return a.exitCode(ctx, root.ExecuteContext(ctx))
}

// root is the command tree.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "prforge",
		Short:         "Turn merged GitHub pull requests into a frozen benchmark for code review",
		Long:          rootHelp,
		SilenceErrors: true,
		SilenceUsage:  true,

		SuggestionsMinimumDistance: 2,
		Args:                       noCommand,
		RunE:                       func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetFlagErrorFunc(flagError)
	root.Version = versionLine()
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetHelpCommand(helpCommand())
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), "{{rpad .CommandPath .CommandPathPadding}}",
		"{{.Root.Name}} help {{rpad .Name 23}}"))
	root.PersistentFlags().CountVarP(&a.verbose, "verbose", "v",
		"log what is asked and what came of each stage; -vv every command of git, too")
	root.PersistentFlags().BoolVarP(&a.quiet, "quiet", "q", false, "no progress on standard error")
	root.PersistentPreRun = func(*cobra.Command, []string) { a.log = a.logger() }
	root.AddCommand(a.demoCommand(), a.initCommand(), a.buildCommand(), a.repoCommand(), a.explainCommand(),
		a.auditCommand(), a.bugsCommand(), a.debuggingCommand(), a.escapedCommand(), a.verifyCommand(), a.diffCommand(),
		a.releaseCommand(), a.unsealCommand(), a.controlsCommand(), a.snapshotsCommand(), a.checkoutCommand(),
		a.exportCommand(), a.evalCommand(), a.relayCommand(), a.labelCommand(), a.versionCommand())
	root.AddCommand(topics.Commands()...)
	root.AddCommand(a.collectCommand(), a.shardCommand(), a.mergeCommand(), a.shardsCommand(), a.clusterCommand())
	root.InitDefaultCompletionCmd()
	if c, _, err := root.Find([]string{"completion"}); err == nil {
		c.Args, c.RunE = noCommand, func(c *cobra.Command, _ []string) error { return c.Help() }
	}
	return root
}

const rootHelp = `prforge turns merged GitHub pull requests into a frozen benchmark for code review:
repositories are scored, pull requests collected, comments labeled, ten filters
applied, review value scored, and what remains is frozen with three contexts each.

Start with 'prforge demo': the whole pipeline on a built-in sample, with no token
and no network. Then 'prforge init' writes a configuration to make your own from.`

// helpCommand is 'help COMMAND' and 'help TOPIC'.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND | TOPIC]",
		Short: "Help about any command",
		RunE: func(c *cobra.Command, args []string) error {
			found, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return noCommand(found, rest)
			}
			return found.Help()
		},
		ValidArgsFunction: func(c *cobra.Command, args []string, prefix string) ([]string, cobra.ShellCompDirective) {
			found, _, err := c.Root().Find(args)
			if err != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			var names []string
			for _, sub := range found.Commands() {
				if strings.HasPrefix(sub.Name(), prefix) {
					names = append(names, sub.Name()+"\t"+sub.Short)
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
}

func (a *app) evalCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "eval",
		Short: "Run reviewers on a dataset and score them",
		Long: `eval measures reviewers on a frozen dataset: models at an endpoint, programs, imported
reviews of a product, and built-in references. Every answer is kept in the run folder
and asked for once; scores are made from kept answers alone.

docs/evaluation.md leads from a key to a leaderboard.`,
		Args: noCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.evalPlanCommand(), a.evalRunCommand(), a.evalScoreCommand(), a.evalReportCommand(),
		a.evalAgreeCommand(), a.evalCompareCommand(), a.evalImportCommand(), a.evalJudgeCommand(), a.evalVerifyCommand())
	return c
}

func (a *app) repoCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "repo",
		Short: "Find and score repositories, and add them to a configuration",
		Args:  noCommand,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.repoFindCommand(), a.repoScoreCommand(), a.repoAddCommand())
	return c
}
