package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/cmd/prforge/internal/cli/show"
	"github.com/prforge/prforge/stages"
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
the reason and every rule's answer. The page needs no server and asks nothing of anyone.
Where --html names no file that ends in .html, it is a folder: its index.html reads the
rest from files beside it when you look at it, which is for datasets of thousands of
pull requests. One file has the last lines of the hunks of rejected pull requests, a
folder all of them. With --json too, both come.`,
		Example: "  prforge audit out/demo\n  prforge audit out/demo --html demo.html\n  prforge audit out/large --html large\n  prforge audit out/demo --json",
		Args:    exactArgs("DATASET"),
		RunE: func(_ *cobra.Command, args []string) error {
			r, err := openDataset(args[0])
			if err != nil {
				return err
			}
			if page != "" {
				at, err := writePage(page, r)
				if err != nil {
					return err
				}
				fmt.Fprintf(a.stderr, "page: %s\n%s", at, adviseFolder(at, a.program, r.Dir))
				if !asJSON {
					return nil
				}
			}
			count := stages.BenchmarkOf(r.Manifest.Benchmark).Figures
			if count == nil {
				return usagef("%s is of the benchmark %s, which has no audit", args[0], r.Manifest.Benchmark)
			}
			figures, err := count(r)
			if err != nil {
				return err
			}
			return a.show(figures, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "the figures as JSON")
	c.Flags().StringVar(&page, "html", "", "write the page to this `FILE.html`, or folder, instead of showing tables")
	return c
}

// show prints a benchmark's figures of its dataset, as text if it has one.
func (a *app) show(what any, asJSON bool) error {
	text := show.Text(what)
	if asJSON || text == "" {
		return a.writeJSON(what)
	}
	_, err := io.WriteString(a.stdout, text)
	return err
}

// writePage writes the page whole or not at all, and never into the dataset,
// which is immutable (spec section 10). It returns the file to open.
func writePage(path string, r *load.Reader) (string, error) {
	if path == "-" {
		return "", usagef("--html - is no file: name one, as in --html page.html")
	}
	if err := outsideDataset(path, r.Dir); err != nil {
		return "", err
	}
	if strings.HasSuffix(path, ".html") {
		return path, writeWhole(path, func(w io.Writer) error { return stages.WritePage(w, r, nil) })
	}
	return filepath.Join(path, "index.html"), writeFolder(path, func(create func(string) (io.WriteCloser, error)) error {
		w, err := create("index.html")
		if err != nil {
			return err
		}
		return errors.Join(stages.WritePage(w, r, create), w.Close())
	})
}

// largePage is the size in bytes from which a page of one file is slow to open and to pass on.
const largePage = 5_000_000

// adviseFolder says, for a large page of one file, how to make a folder instead.
func adviseFolder(path, program, dataset string) string {
	info, err := os.Stat(path)
	if err != nil || info.Size() <= largePage {
		return ""
	}
	name := strings.TrimSuffix(path, ".html")
	return fmt.Sprintf("It has %d MB. As a folder it opens from a small file and has the whole hunks of rejected pull requests too:\n  %s audit %s --html %s\n",
		info.Size()/1e6, program, show.ShellQuote(dataset), show.ShellQuote(name))
}

// outsideDataset refuses a page inside the dataset.
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

// writeFolder writes a page's folder whole or not at all. It replaces an older page and nothing else.
func writeFolder(path string, write func(create func(string) (io.WriteCloser, error)) error) error {
	path = filepath.Clean(path)
	if err := isPageFolder(path); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer os.RemoveAll(dir)
	err = write(func(name string) (io.WriteCloser, error) {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return nil, err
		}
		return os.Create(file)
	})
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	if err == nil {
		err = os.RemoveAll(path)
	}
	if err == nil {
		err = os.Rename(dir, path)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// isPageFolder refuses a folder that holds anything but a page.
func isPageFolder(path string) error {
	entries, err := os.ReadDir(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return usagef("--html %s: %w; a page of one file ends in .html", path, err)
	}
	for _, e := range entries {
		if name := e.Name(); name != "index.html" && name != "data" {
			return usagef("--html %s is a folder that holds %s; name a new one, or a file that ends in .html", path, name)
		}
	}
	return nil
}
