// Package cli is the command line: it reads flags, the environment and the
// configuration, calls the stages and shows what they say. Nothing below it
// touches the environment, standard output or the exit code.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/prforge/prforge/internal/config"
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

// exitError ends a command with a code of its own after it has said why.
type exitError struct{ code int }

func (e *exitError) Error() string { return fmt.Sprintf("exit code %d", e.code) }

// app is what every command shares.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer // stdout is for people; see terminal
	raw            io.Writer // standard output as it is, for JSON
	getenv         func(string) string
	log            *slog.Logger
	above          *above // where logs go
	verbose        int    // how often -v was given
	quiet          bool
	program        string // as it was called, for commands to copy
	ephemeral      bool   // the state is removed when the command ends
}

// Main runs one command and returns its exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // the next signal ends the program at once
	a := &app{stdin: stdin, stdout: terminal{stdout}, raw: stdout, stderr: stderr, above: &above{w: stderr}, getenv: os.Getenv, program: os.Args[0]}
	root := a.root()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	return a.exitCode(ctx, root.ExecuteContext(ctx))
}

// exitCode says what went wrong, once, and gives its exit code.
func (a *app) exitCode(ctx context.Context, err error) int {
	var exit *exitError
	var usage *usageError
	var conf *config.Error
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &exit):
		return exit.code
	case ctx.Err() != nil:
		fmt.Fprintln(a.stderr, "prforge: interrupted; what was collected is kept, the same command goes on from there")
		return exitInterrupted
	case errors.As(err, &usage), errors.As(err, &conf):
		fmt.Fprintln(terminal{a.stderr}, "prforge:", err)
		return exitUsage
	default:
		fmt.Fprintln(terminal{a.stderr}, "prforge:", err)
		return exitFailed
	}
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
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usagef("%w; see 'prforge help %s'", err, c.Name())
	})
	root.PersistentFlags().CountVarP(&a.verbose, "verbose", "v", "log what is asked and what came of each stage; -vv every command of git, too")
	root.PersistentFlags().BoolVarP(&a.quiet, "quiet", "q", false, "no progress on standard error")
	root.PersistentPreRun = func(*cobra.Command, []string) { a.log = a.logger() }
	root.AddCommand(a.demoCommand(), a.initCommand(), a.buildCommand(), a.repoCommand(), a.explainCommand(), a.auditCommand(), a.bugsCommand(), a.debuggingCommand(), a.verifyCommand(), a.diffCommand(), a.controlsCommand(), a.evalCommand(), a.versionCommand())
	root.AddCommand(topics()...)
	root.AddCommand(a.collectCommand(), a.shardCommand(), a.mergeCommand(), a.shardsCommand(), a.clusterCommand())
	return root
}

// logger writes to standard error: warnings, with -v what is asked, with -vv
// everything.
func (a *app) logger() *slog.Logger {
	level := slog.LevelWarn - slog.Level(4*min(a.verbose, 2))
	return slog.New(slog.NewTextHandler(a.above, &slog.HandlerOptions{Level: level}))
}

// noCommand refuses words that are no command, with the nearest one.
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
// machine at hand.
func workersFlag(c *cobra.Command, workers *int, n int, what string) {
	c.Flags().IntVar(workers, "workers", n, what+" worked on at once; the result is the same for any number")
	c.Flags().Lookup("workers").DefValue = "one for each core"
}

// exactArgs wants n arguments, named in a message where they are missing.
func exactArgs(names ...string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != len(names) {
			return usagef("%s wants %d argument(s) %v, got %d; see 'prforge help %s'", c.Name(), len(names), names, len(args), c.Name())
		}
		return nil
	}
}

const rootHelp = `prforge turns merged GitHub pull requests into a frozen benchmark for code review:
repositories are scored, pull requests collected, comments labeled, ten filters
applied, review value scored, and what remains is frozen with three contexts each.

Start with 'prforge demo': the whole pipeline on a built-in sample, with no token
and no network. Then 'prforge init' writes a configuration to make your own from.`
