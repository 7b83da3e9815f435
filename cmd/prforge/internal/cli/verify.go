package cli

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/verify"
	"github.com/prforge/prforge/stages"
)

func (a *app) verifyCommand() *cobra.Command {
	var format string
	var asJSON bool
	c := &cobra.Command{
		Use:   "verify DATASET",
		Short: "Hold a dataset against its manifest, its schemas and every invariant",
		Long: `verify reads a frozen dataset and recomputes what its files allow: hashes, schemas,
counts, scores, anchors, difficulty, token counts, the funnel, leaks, bots. Each kind
of fault is one line with a count and an example; any fault is exit code 1.

--format swe-prbench reads a dataset in the published layout and names its defects.`,
		Example: "  prforge verify out/demo\n  prforge verify --format swe-prbench swe-prbench-data",
		Args:    exactArgs("DATASET"),
		RunE: func(c *cobra.Command, args []string) error {
			if format != verify.FormatPrforge && format != verify.FormatPublished {
				return usagef("--format is %s or %s", verify.FormatPrforge, verify.FormatPublished)
			}
			if err := isDataset(args[0]); err != nil {
				return err
			}
			report, err := stages.Verify(c.Context(), args[0], format)
			if err != nil {
				return err
			}
			if asJSON {
				err = a.writeJSON(report)
			} else {
				err = report.Write(a.stdout)
			}
			if err == nil && !report.OK() {
				err = &exitError{exitFailed}
			}
			return err
		},
	}
	c.Flags().StringVar(&format, "format", verify.FormatPrforge, "layout: prforge, or swe-prbench for the published one")
	c.Flags().BoolVar(&asJSON, "json", false, "the findings as JSON")
	return c
}

func (a *app) diffCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Say which records came, went or changed between two datasets, and why",
		Args:  exactArgs("OLD", "NEW"),
		RunE: func(_ *cobra.Command, args []string) error {
			var readers [2]*artifacts.Reader
			for i, dir := range args {
				if err := isDataset(dir); err != nil {
					return err
				}
				r, err := artifacts.Open(dir)
				if err != nil {
					return err
				}
				readers[i] = r
			}
			d, err := artifacts.Diff(readers[0], readers[1])
			if err != nil {
				return err
			}
			if asJSON {
				return a.writeJSON(d)
			}
			return d.Write(a.stdout)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "the difference as JSON")
	return c
}

// isDataset refuses what cannot be a dataset in any layout, before anything is
// read.
func isDataset(dir string) error {
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() {
		return usagef("%s is no folder; name the folder of a dataset", dir)
	}
	if _, err := os.Stat(filepath.Join(dir, artifacts.FileRecords)); err != nil {
		return usagef("%s holds no %s: it is no dataset", dir, artifacts.FileRecords)
	}
	return nil
}
