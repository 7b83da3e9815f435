// Package cli is the command line: it reads flags, the environment and the configuration, calls the stages and shows
// their results. Nothing below it uses the environment, standard output or the exit code.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/agnivade/levenshtein"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/artifacts/snapshot"
	"github.com/prforge/prforge/cmd/prforge/internal/cli/progress"
	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/collectors/sandbox"
	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/config"
	"github.com/prforge/prforge/stages/evaluate"
)

// Exit codes (spec section 11).
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitPartial     = 3
	exitInterrupted = 130
)

// usageError is a fault of the command line, the configuration or the
// environment: exit code 2, nothing written.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// usagef makes a usageError.
func usagef(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

// exitError ends a command with a specific exit code after the command has printed the reason.
type exitError struct{ code int }

func (e *exitError) Error() string { return fmt.Sprintf("exit code %d", e.code) }

// app is what every command shares.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer // stdout is for people; see terminal
	raw            io.Writer // unfiltered standard output, for JSON
	getenv         func(string) string
	log            *slog.Logger
	above          *progress.Above // where logs go
	verbose        int             // how often -v was given
	quiet          bool
	program        string // as it was called, for commands to copy
	ephemeral      bool   // the state is removed when the command ends
}

// Main runs one command and returns its exit code. A panic ends the command as an
// error does, and says where to report it.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // the next signal ends the program at once
	a := &app{stdin: stdin, stdout: terminal{stdout}, raw: stdout, stderr: stderr, above: progress.NewAbove(stderr), getenv: os.Getenv, program: os.Args[0]}
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(terminal{stderr}, crashed, p, debug.Stack())
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

// crashed is the message for a panic, with the stack.
const crashed = `prforge: internal error: %v
This is a fault of prforge. Please report it at https://github.com/prforge/prforge/issues,
with the command, what 'prforge version' says, and the lines that follow.
%s`

// exitCode prints an error once and returns its exit code.
func (a *app) exitCode(ctx context.Context, err error) int {
	var exit *exitError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &exit):
		return exit.code
	case ctx.Err() != nil:
		fmt.Fprintln(a.stderr, "prforge: interrupted; what was collected is kept, the same command goes on from there")
		return exitInterrupted
	}
	fmt.Fprintln(terminal{a.stderr}, "prforge:", err)
	if isUsage(err) {
		return exitUsage
	}
	return exitFailed
}

// isUsage reports whether an error is a fault of the command line, the configuration
// or the environment.
func isUsage(err error) bool {
	var usage *usageError
	var conf *config.Error
	var frozen *freeze.FrozenError
	if errors.As(err, &usage) || errors.As(err, &conf) || errors.As(err, &frozen) || evaluate.IsPlanError(err) {
		return true
	}
	for _, fault := range []error{collectors.ErrNoToken, ghapi.ErrToken, sandbox.ErrNone, snapshot.ErrNoTask} {
		if errors.Is(err, fault) {
			return true
		}
	}
	return false
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
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), "{{rpad .CommandPath .CommandPathPadding}}", "{{.Root.Name}} help {{rpad .Name 23}}"))
	root.PersistentFlags().CountVarP(&a.verbose, "verbose", "v", "log what is asked and what came of each stage; -vv every command of git, too")
	root.PersistentFlags().BoolVarP(&a.quiet, "quiet", "q", false, "no progress on standard error")
	root.PersistentPreRun = func(*cobra.Command, []string) { a.log = a.logger() }
	root.AddCommand(a.demoCommand(), a.initCommand(), a.buildCommand(), a.repoCommand(), a.explainCommand(), a.auditCommand(), a.bugsCommand(), a.debuggingCommand(), a.escapedCommand(), a.verifyCommand(), a.diffCommand(), a.releaseCommand(), a.unsealCommand(), a.controlsCommand(), a.snapshotsCommand(), a.checkoutCommand(), a.exportCommand(), a.evalCommand(), a.relayCommand(), a.labelCommand(), a.versionCommand())
	root.AddCommand(topics()...)
	root.AddCommand(a.collectCommand(), a.shardCommand(), a.mergeCommand(), a.shardsCommand(), a.clusterCommand())
	root.InitDefaultCompletionCmd()
	if c, _, err := root.Find([]string{"completion"}); err == nil {
		c.Args, c.RunE = noCommand, func(c *cobra.Command, _ []string) error { return c.Help() }
	}
	return root
}

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

// flagError suggests the intended flag. An unknown flag of the program itself mostly follows a misspelled command.
func flagError(c *cobra.Command, err error) error {
	if words := c.Flags().Args(); !c.HasParent() && len(words) > 0 {
		return noCommand(c, words)
	}
	hint := ""
	if unknown := (*pflag.NotExistError)(nil); errors.As(err, &unknown) {
		least := 3
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if n := levenshtein.ComputeDistance(unknown.GetSpecifiedName(), f.Name); n < least {
				hint, least = " (did you mean --"+f.Name+"?)", n
			}
		})
	}
	return usagef("%w%s; see '%s'", err, hint, helpOf(c))
}

// helpOf is the command that shows a command's help.
func helpOf(c *cobra.Command) string {
	root := c.Root().Name()
	return root + " help" + strings.TrimPrefix(c.CommandPath(), root)
}

// logger writes to standard error: warnings, with -v what is asked, with -vv
// everything.
func (a *app) logger() *slog.Logger {
	level := slog.LevelWarn - slog.Level(4*min(a.verbose, 2))
	return slog.New(slog.NewTextHandler(a.above, &slog.HandlerOptions{Level: level}))
}

// noCommand rejects words that are not a command and suggests the nearest one.
func noCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := ""
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		hint = fmt.Sprintf(" (did you mean %q?)", near[0])
	}
	return usagef("there is no command %q%s; 'prforge help' lists them", args[0], hint)
}

// workersFlag adds --workers. Its help names no number, which would be that of the
// machine it runs on.
func workersFlag(c *cobra.Command, workers *int, n int, what string) {
	c.Flags().IntVar(workers, "workers", n, what+" worked on at once; the result is the same for any number")
	c.Flags().Lookup("workers").DefValue = "one for each core"
}

// exactArgs requires n arguments, and names them in its error.
func exactArgs(names ...string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != len(names) {
			want := cmp.Or(strings.Join(names, " "), "no arguments")
			return usagef("%s wants %s, got %d; see '%s'", c.CommandPath(), want, len(args), helpOf(c))
		}
		return nil
	}
}

const rootHelp = `prforge turns merged GitHub pull requests into a frozen benchmark for code review:
repositories are scored, pull requests collected, comments labeled, ten filters
applied, review value scored, and what remains is frozen with three contexts each.

Start with 'prforge demo': the whole pipeline on a built-in sample, with no token
and no network. Then 'prforge init' writes a configuration to make your own from.`

// host is this machine for a run with so many workers that shows its progress there.
func (a *app) host(workers int, progress pipeline.Progress) pipeline.Host {
	return pipeline.Host{Workers: workers, Getenv: a.getenv, Log: a.log, Progress: progress}
}

// progress shows the progress of a run, and nothing with --quiet. The second result stops it; call it before showing
// anything else.
func (a *app) progress() (pipeline.Progress, func()) {
	if a.quiet {
		return pipeline.Silent{}, func() {}
	}
	return progress.Start(a.stderr, terminal{a.stderr}, a.above)
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Say which prforge this is",
		Args:  exactArgs(),
		RunE: func(*cobra.Command, []string) error {
			fmt.Fprintln(a.stdout, versionLine())
			return nil
		},
	}
}

// versionLine is the output of 'version' and --version.
func versionLine() string {
	return fmt.Sprintf("prforge %s (pipeline %s, %s %s/%s)", buildVersion(), config.Default().Dataset.PipelineVersion, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// buildVersion is the module's version, or the commit it was built from.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return s.Value[:12]
		}
	}
	return info.Main.Version
}
