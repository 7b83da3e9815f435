package cli

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
)

//go:embed prforge.yaml
var configTemplate []byte

func (a *app) initCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "init [DIR]",
		Short: "Write a commented prforge.yaml",
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
			return a.writeConfig(dir)
		},
	}
}

// writeConfig writes the commented configuration into a folder and never over
// an existing one.
func (a *app) writeConfig(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return usagef("make the folder: %w", err)
	}
	path := filepath.Join(dir, "prforge.yaml")
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return usagef("%s is there already; it is left as it is", path)
	}
	if err != nil {
		return usagef("write the configuration: %w", err)
	}
	if _, err := f.Write(configTemplate); err != nil {
		f.Close()
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	fmt.Fprintf(a.stdout, "wrote %s\nNext: list your repositories in it, set GITHUB_TOKEN, then\n  prforge build -c %s -o dataset\n", path, path)
	return nil
}
