package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/prforge/prforge/cmd/prforge/internal/cli/topics"
	"github.com/spf13/cobra"
)

func (a *app) initCommand() *cobra.Command {
	var debugging bool
	c := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Write a commented prforge.yaml, or debugging.yaml",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("init wants one folder at most, got %d", len(args))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			dir := "."
			if len(args) == 1 {
				dir = args[0]
			}
			if debugging {
				return a.writeConfig(filepath.Join(dir, "debugging.yaml"), topics.Debugging,
					"name your scripts in it, then\n  prforge debugging build -c %s -o dataset")
			}
			return a.writeConfig(filepath.Join(dir, defaultConfig), topics.Config,
				"list your repositories in it, set dataset.freeze_date, export GITHUB_TOKEN, then\n  prforge build -c %s -o dataset")
		},
	}
	c.Flags().BoolVar(&debugging, "debugging", false, "write debugging.yaml, for scripts with injected errors")
	return c
}

// writeConfig writes a commented configuration and never overwrites a file. next describes the next step, with the
// path in it.
func (a *app) writeConfig(path string, template []byte, next string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return usagef("make the folder: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return usagef("%s is there already; it is left as it is", path)
	}
	if err != nil {
		return usagef("write the configuration: %w", err)
	}
	if _, err := f.Write(template); err != nil {
		f.Close()
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	fmt.Fprintf(a.stdout, "wrote %s\nNext: "+next+"\n", path, path)
	return nil
}
