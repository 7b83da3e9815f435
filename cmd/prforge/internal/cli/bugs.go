package cli

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/verify"
	"github.com/prforge/prforge/collectors/python"
	"github.com/prforge/prforge/injection"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/table"
	"github.com/prforge/prforge/internal/text"
	"github.com/prforge/prforge/stages/bugs"
	"github.com/prforge/prforge/stages/config"
	"github.com/prforge/prforge/stages/run"
)

func (a *app) bugsCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "bugs",
		Short: "Make questions of one proven fault each in a file of a real pull request",
		Long: `bugs makes the benchmark of docs/bugs.md: one undeclared name, wrong indentation or
missing import in one Python file of a merged pull request, proven by rule, with
controls that have none. 'prforge eval' runs reviewers on it and scores them.`,
		Args: noCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.bugsBuildCommand(), a.bugsTryCommand())
	return c
}

func (a *app) bugsBuildCommand() *cobra.Command {
	var f freezeFlags
	var interpreter string
	c := &cobra.Command{
		Use:   "build -c FILE -o DATASET",
		Short: "Make the frozen dataset of questions, from repositories to proofs",
		Long: `build collects what it does not have yet, as 'prforge build' does and in the same state,
puts a fault into a changed file of each pull request, proves it and freezes questions
and key in separate files. Keys of the configuration: bugs.

--python names a CPython 3.9 or newer that compiles every question, isolated and without
running any of it. The bytes of the dataset do not depend on it: the rules decide, and a
fault that it denies fails the build.`,
		Example: "  prforge bugs build -c prforge.yaml -o bugs\n  prforge bugs build -c prforge.yaml -o bugs --python /usr/bin/python3",
		Args:    exactArgs(),
		RunE: func(c *cobra.Command, _ []string) error {
			confirm, done, err := confirmer(c.Context(), interpreter)
			if err != nil {
				return err
			}
			defer done()
			return a.freeze(c, "bugs build", f, func(ctx context.Context, s *run.Session) (*run.Report, error) {
				return bugs.Build(ctx, s, confirm)
			})
		},
	}
	f.add(c)
	c.Flags().StringVar(&interpreter, "python", "", "confirm every fault with this CPython")
	return c
}

// confirmer starts a CPython; none is nil.
func confirmer(ctx context.Context, interpreter string) (bugs.Confirm, func(), error) {
	if interpreter == "" {
		return nil, func() {}, nil
	}
	o := python.DefaultOptions()
	o.Interpreter = interpreter
	checker, err := python.NewChecker(ctx, o)
	if err != nil {
		return nil, nil, fmt.Errorf("start %s: %w", interpreter, err)
	}
	return checker.Check, checker.Close, nil
}

func (a *app) bugsTryCommand() *cobra.Command {
	var f buildFlags
	var asJSON bool
	c := &cobra.Command{
		Use:   "try OWNER/NAME#N|FILE",
		Short: "Show what could be injected where, and why not elsewhere",
		Long: `try makes every slip of every kind in the changed files of a pull request, or in a
Python file of this machine, and says which are proven to be faults and why the others
are refused. Nothing is written.`,
		Example: "  prforge bugs try celery/celery#9686 -c prforge.yaml\n  prforge bugs try src/module.py",
		Args:    exactArgs("OWNER/NAME#N|FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			trial, err := a.tryBugs(c.Context(), f, args[0])
			if err != nil {
				return err
			}
			if asJSON {
				return a.writeJSON(trial)
			}
			if len(trial.Verdicts) > 0 {
				fmt.Fprintf(a.stdout, "%s\n", verdictTable(trial.Verdicts))
			}
			for _, file := range trial.Files {
				fmt.Fprintf(a.stdout, "\n%s\n%s\n", text.Printable(file.Path), slipTable(file.Slips))
			}
			return nil
		},
	}
	f.add(c)
	c.Flags().BoolVar(&asJSON, "json", false, "every slip with its fault or its refusal, as JSON")
	return c
}

func (a *app) tryBugs(ctx context.Context, f buildFlags, what string) (trial *bugs.Trial, err error) {
	if _, err := os.Stat(what); err == nil {
		return bugs.TryFile(what)
	}
	ref, err := model.ParsePullRef(what)
	if err != nil {
		return nil, usagef("%s is neither a file nor OWNER/NAME#N", what)
	}
	cfg, err := config.Load(f.config)
	if err != nil {
		return nil, err
	}
	env, err := a.env(cfg, f)
	if err != nil {
		return nil, err
	}
	err = a.withSession(ctx, env, cfg, func(s *run.Session) (err error) {
		trial, err = bugs.TryPull(ctx, s, ref)
		return err
	})
	return trial, err
}

// maxShownLines is how many lines with a proven fault a row of the table names.
const maxShownLines = 8

// slipTable is one row for each kind.
func slipTable(slips []injection.Tried) string {
	t := table.New("kind", "sites", "proven", "on lines", "refused")
	for _, k := range injection.Kinds {
		sites, proven := 0, 0
		var lines []string
		refused := map[string]int{}
		for _, s := range slips {
			switch {
			case s.Kind != k.Kind:
				continue
			case s.Fault == nil:
				refused[s.Code]++
			default:
				if proven++; proven <= maxShownLines {
					lines = append(lines, strconv.Itoa(s.Line))
				}
			}
			sites++
		}
		if proven > maxShownLines {
			lines = append(lines, "...")
		}
		var why []string
		for _, code := range slices.Sorted(maps.Keys(refused)) {
			why = append(why, fmt.Sprintf("%s %d", code, refused[code]))
		}
		t.Row(k.Kind, sites, proven, strings.Join(lines, " "), strings.Join(why, ", "))
	}
	return t.Text(false)
}

// confirmBugs compiles every question of a bugs dataset.
func (a *app) confirmBugs(ctx context.Context, dir, interpreter string, report *verify.Report) error {
	m, err := load.ReadManifest(dir)
	if err != nil {
		return err
	}
	if m.Benchmark != artifacts.Bugs {
		return usagef("--python is about a bugs dataset, or goes with --rerun")
	}
	confirm, done, err := confirmer(ctx, interpreter)
	if err != nil {
		return err
	}
	defer done()
	c, err := bugs.ConfirmDataset(ctx, dir, confirm)
	if err != nil {
		return err
	}
	report.Checks += c.Confirmed + len(c.Denied)
	for _, why := range c.Denied {
		report.Add(verify.PythonDenies, why)
	}
	if len(c.Undetermined) > 0 {
		report.Skipped = append(report.Skipped, fmt.Sprintf("%d questions that %s neither confirms nor denies, the first %s",
			len(c.Undetermined), interpreter, c.Undetermined[0]))
	}
	return nil
}
