package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/report"
)

func (a *app) auditCommand() *cobra.Command {
	var asJSON bool
	var page string
	c := &cobra.Command{
		Use:   "audit DATASET",
		Short: "Show what a dataset holds, and why the rest was dropped",
		Long: `audit shows the funnel with its reasons, the distributions and what came of each
repository, as tables or as JSON. --html writes one page that opens from disk in any
browser: from a stage to its pull requests to each comment in its hunk, with the label,
the reason and every rule's answer. The page needs no server and asks nothing of anyone.`,
		Example: "  prforge audit out/demo\n  prforge audit out/demo --html demo.html\n  prforge audit out/demo --json",
		Args:    exactArgs("DATASET"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := isDataset(args[0]); err != nil {
				return err
			}
			r, err := artifacts.Open(args[0])
			if err != nil {
				return err
			}
			if r.Manifest.Benchmark == artifacts.Debugging {
				return a.auditDebugging(r.Dir, page, asJSON)
			}
			if page != "" {
				if err := writePage(page, r); err != nil {
					return err
				}
				fmt.Fprintf(a.stderr, "page: %s\n", page)
				if !asJSON {
					return nil
				}
			}
			s, err := report.Summarize(r)
			if err != nil {
				return err
			}
			if asJSON {
				return a.writeJSON(s)
			}
			_, err = io.WriteString(a.stdout, summaryText(s))
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "the figures as JSON")
	c.Flags().StringVar(&page, "html", "", "write the page to this `FILE` instead of showing tables")
	return c
}

// writePage writes the page whole or not at all, and never into the dataset,
// which is immutable (spec section 10).
func writePage(path string, r *artifacts.Reader) error {
	if err := outsideDataset(path, r.Dir); err != nil {
		return err
	}
	return writeWhole(path, func(w io.Writer) error { return report.WriteHTML(w, r) })
}

// outsideDataset refuses a page that would lie in the dataset.
func outsideDataset(path, dir string) error {
	inside, err := within(filepath.Dir(path), dir)
	if err != nil {
		return usagef("--html %s: %w; create the folder first", path, err)
	}
	if inside {
		return usagef("--html %s lies in the dataset, which is immutable; name a file elsewhere", path)
	}
	return nil
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

// within says whether a folder is another one or lies below it, links followed.
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
