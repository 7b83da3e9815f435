package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/prforge/prforge/collectors/python"
	"github.com/prforge/prforge/stages"
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
	c.AddCommand(a.bugsBuildCommand())
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
			return a.freeze(c, "bugs build", f, func(ctx context.Context, s *stages.Session) (*stages.Report, error) {
				return stages.BuildBugs(ctx, s, confirm)
			})
		},
	}
	f.add(c)
	c.Flags().StringVar(&interpreter, "python", "", "confirm every fault with this CPython")
	return c
}

// confirmer starts a CPython; none is nil.
func confirmer(ctx context.Context, interpreter string) (stages.Confirm, func(), error) {
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
