// Package cli is the command line: it reads flags, the environment and the configuration, calls the stages and shows
// their results. Nothing below it uses the environment, standard output or the exit code.
package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/snapshot"
	"github.com/prforge/prforge/cmd/prforge/internal/cli/progress"
	"github.com/prforge/prforge/cmd/prforge/internal/cli/show"
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
	stdout, stderr io.Writer // stdout is for people; see show.Terminal
	raw            io.Writer // unfiltered standard output, for JSON
	getenv         func(string) string
	log            *slog.Logger
	above          *progress.Above // where logs go
	verbose        int             // how often -v was given
	quiet          bool
	program        string // as it was called, for commands to copy
	ephemeral      bool   // the state is removed when the command ends
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
	fmt.Fprintln(show.Terminal{W: a.stderr}, "prforge:", err)
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
	return progress.Start(a.stderr, show.Terminal{W: a.stderr}, a.above)
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
	return fmt.Sprintf("prforge %s (pipeline %s, %s %s/%s)", buildVersion(), config.Default().Dataset.PipelineVersion,
		runtime.Version(), runtime.GOOS, runtime.GOARCH)
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

// within reports whether a folder is another one or is below it, after following links.
func within(dir, other string) (bool, error) {
	var real [2]string
	for i, d := range []string{dir, other} {
		abs, err := filepath.Abs(d)
		if err != nil {
			return false, err
		}
		if real[i], err = filepath.EvalSymlinks(abs); err != nil {
			return false, err
		}
	}
	rel, err := filepath.Rel(real[1], real[0])
	if err != nil {
		return false, err
	}
	return rel == "." || (rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))), nil
}

// writeWhole writes a file whole or not at all.
func writeWhole(path string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer os.Remove(f.Name())
	w := bufio.NewWriter(f)
	err = write(w)
	if err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = f.Chmod(0o644)
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// openDataset opens a dataset whose files match its manifest.
func openDataset(dir string) (*load.Reader, error) {
	if err := isDataset(dir); err != nil {
		return nil, err
	}
	return load.OpenIntact(dir)
}

// isDataset rejects a folder that is not a dataset in any layout, before anything is read.
func isDataset(dir string) error {
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() {
		return usagef("%s is no folder; name the folder of a dataset", dir)
	}
	for _, name := range []string{artifacts.FileManifest, artifacts.FileRecords} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return nil
		}
	}
	return usagef("%s holds neither %s nor %s: it is no dataset", dir, artifacts.FileManifest, artifacts.FileRecords)
}

// maxDiffRunes is how many characters of a value or reason a difference shows.
const maxDiffRunes = 300
