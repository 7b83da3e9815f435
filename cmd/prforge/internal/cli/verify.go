package cli

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/diff"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/verify"
	"github.com/prforge/prforge/cmd/prforge/internal/cli/show"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages"
	"github.com/prforge/prforge/stages/run"
)

func (a *app) verifyCommand() *cobra.Command {
	var format string
	var beside string
	var asJSON, rebuild, quick bool
	var rerun rerunFlags
	c := &cobra.Command{
		Use:   "verify DATASET",
		Short: "Check a dataset against its manifest, its schemas and every invariant",
		Long: `verify reads a frozen dataset and recomputes what its files allow: hashes, schemas,
counts, scores, anchors, difficulty, token counts, the funnel, leaks, bots. Then it
decides about everything again, from raw/ and config.yaml in a temporary folder:
labels, filters, scores, split, licenses, card and metadata must come out the same,
byte for byte. The contexts are taken as they are; --rebuild builds them, too, which
takes three times as long. --quick leaves both out. Each kind of fault is one line
with a count and an example; any fault is exit code 1.

What verify cannot know: whether raw/ is what GitHub said (blobs have git's own
hashes, nothing else has), and whether a rule is right, as the same rules are asked
again: those of this prforge, so that a dataset of another version may differ.

--format swe-prbench reads a dataset in the published layout and names its defects;
--format dsdbench does so with one published file of the debugging benchmark.

--python compiles every question of a bugs dataset with this CPython, and runs none.

--snapshots proves of a folder of 'prforge snapshots' that it holds of each record
what its revision and its fork point reach and nothing else, and looks in all of it for
what came later: lines of the final head, the ground truth, later titles and commits.

--rerun runs every sample of a debugging dataset again, each in a new interpreter,
under the --seeds, and peels those with several errors.`,
		Example: "  prforge verify out/demo\n  prforge verify --format swe-prbench swe-prbench-data",
		Args:    exactArgs("DATASET"),
		RunE: func(c *cobra.Command, args []string) error {
			if rerun.on {
				return a.rerunSamples(c.Context(), args[0], rerun, asJSON)
			}
			if beside != "" {
				return a.verifySnapshots(c.Context(), beside, args[0], asJSON)
			}
			report, err := verifyAs(c.Context(), args[0], format)
			if err == nil && rerun.python.interpreter != "" {
				err = a.confirmBugs(c.Context(), args[0], rerun.python.interpreter, report)
			}
			if err == nil && format == verify.FormatPrforge && !quick {
				err = a.recheck(c.Context(), args[0], rebuild, report)
			}
			if err != nil {
				return err
			}
			if m, err := load.ReadManifest(args[0]); err == nil { // of another format there is none
				report.NotForPublication = m.NotForPublication
			}
			return a.showFindings(report, asJSON)
		},
	}
	c.Flags().StringVar(&beside, "snapshots", "",
		"check the snapshots in `DIR` against the dataset instead (prforge snapshots)")
	c.Flags().BoolVar(&rebuild, "rebuild", false, "build the contexts again, too, and compare every byte")
	c.Flags().BoolVar(&quick, "quick", false, "check the files against each other only: decide nothing again")
	c.MarkFlagsMutuallyExclusive("rebuild", "quick")
	c.Flags().StringVar(&format, "format", verify.FormatPrforge, "layout: prforge, or swe-prbench for the published one")
	// the flag is there
	_ = c.RegisterFlagCompletionFunc("format",
		cobra.FixedCompletions(stages.Formats(), cobra.ShellCompDirectiveNoFileComp))
	c.Flags().BoolVar(&asJSON, "json", false, "the findings as JSON")
	rerun.add(c)
	return c
}

// verifySnapshots verifies a folder of snapshots against its dataset.
func (a *app) verifySnapshots(ctx context.Context, dir, dataset string, asJSON bool) error {
	for _, folder := range []string{dir, dataset} {
		if err := isDataset(folder); err != nil {
			return err
		}
	}
	report, err := stages.VerifySnapshots(ctx, dir, dataset)
	if err != nil {
		return err
	}
	return a.showFindings(report, asJSON)
}

// showFindings shows a report, and fails if there is a fault.
func (a *app) showFindings(report *verify.Report, asJSON bool) (err error) {
	if asJSON {
		err = a.writeJSON(report)
	} else {
		_, err = io.WriteString(a.stdout, findingsText(report))
	}
	if err == nil && !report.OK() {
		err = &exitError{exitFailed}
	}
	return err
}

// verifyAs verifies a folder, or a published file, in the requested format.
func verifyAs(ctx context.Context, path, format string) (*verify.Report, error) {
	formats := stages.Formats()
	if last := len(formats) - 1; !slices.Contains(formats, format) {
		return nil, usagef("--format is %s or %s", strings.Join(formats[:last], ", "), formats[last])
	}
	if format == verify.FormatPrforge || format == verify.FormatPublished {
		if err := isDataset(path); err != nil {
			return nil, err
		}
	}
	return stages.Verify(ctx, path, format)
}

// recheck rebuilds a dataset from itself and adds the differences to the report.
func (a *app) recheck(ctx context.Context, dir string, contexts bool, report *verify.Report) error {
	progress, finish := pipeline.Progress(pipeline.Silent{}), func() {}
	if contexts {
		progress, finish = a.progress()
	}
	defer finish()
	env := run.Env{Host: a.host(runtime.NumCPU(), progress), Shards: min(4, runtime.NumCPU())}
	return stages.Recheck(ctx, env, dir, contexts, report)
}

func (a *app) diffCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Say which records came, went or changed between two datasets, and why",
		Long: `diff compares two datasets of one benchmark: records and escaped defects by pull request,
questions of one fault by pull request and family, samples of scripts by id. What is missing in one has
its reason from that one's audit; of a question that changed, the first line says what
changed first: file, kind, slip, or how it is shown.`,
		Args: exactArgs("OLD", "NEW"),
		RunE: func(_ *cobra.Command, args []string) error {
			var readers [2]*load.Reader
			for i, dir := range args {
				r, err := openDataset(dir)
				if err != nil {
					return err
				}
				readers[i] = r
			}
			d, err := diff.Compare(readers[0], readers[1])
			if err == nil {
				d.Edition, err = follows(args[0], args[1])
			}
			if err != nil {
				return err
			}
			if asJSON {
				return a.writeJSON(d)
			}
			_, err = io.WriteString(a.stdout, differenceText(d))
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "the difference as JSON")
	return c
}

// findingsText is one line for each kind of fault with its first example, then the warnings, the notes, what was
// skipped and a summary.
func findingsText(r *verify.Report) string {
	var b strings.Builder
	for _, f := range r.Faults {
		fmt.Fprintf(&b, "FAULT    %6d  %s: %s (expected: %s)\n", f.Count, f.Kind, f.Example, f.Text)
	}
	for _, f := range r.Warnings {
		fmt.Fprintf(&b, "warning  %6d  %s: %s (expected: %s)\n", f.Count, f.Kind, f.Example, f.Text)
	}
	for _, f := range r.Notes {
		fmt.Fprintf(&b, "note     %6d  %s: %s (%s)\n", f.Count, f.Kind, f.Example, f.Text)
	}
	for _, s := range r.Skipped {
		fmt.Fprintf(&b, "skipped          %s\n", s)
	}
	if r.NotForPublication {
		fmt.Fprintf(&b, "note             %s\n", artifacts.NotForPublication)
	}
	verdict := "intact"
	switch {
	case !r.OK():
		verdict = "kinds of faults: " + strconv.Itoa(len(r.Faults))
	case r.Rebuilt > 0:
		verdict += "; built again: every byte of " + show.Plural(r.Rebuilt, "file") + " is equal"
	}
	fmt.Fprintf(&b, "%s: %s, %s: %s\n", r.Dataset, show.Plural(r.Records, "record"), show.Plural(r.Checks, "check"),
		verdict)
	return b.String()
}

// follows reports whether a dataset is the edition after another one.
func follows(before, dataset string) (bool, error) {
	sum, err := load.ManifestDigest(before)
	if err != nil {
		return false, err
	}
	cfg, err := run.Configuration(dataset)
	return err == nil && cfg.Dataset.After == sum, nil // of another benchmark it is no edition
}

// differenceText is the difference as text: a line for each record, and under a
// changed one a line for each field.
func differenceText(d *diff.Difference) string {
	var b strings.Builder
	fmt.Fprintf(&b, "old: %s, pipeline %s, frozen as of %s, %s\n", d.Old.Dir, d.Old.PipelineVersion, d.Old.FreezeDate,
		show.Plural(d.Old.Records, "record"))
	fmt.Fprintf(&b, "new: %s, pipeline %s, frozen as of %s, %s\n", d.New.Dir, d.New.PipelineVersion, d.New.FreezeDate,
		show.Plural(d.New.Records, "record"))
	for _, f := range d.Settings {
		fmt.Fprintf(&b, "  %s: %s -> %s\n", f.Field, f.Old, f.New)
	}
	if d.Edition {
		fmt.Fprintf(&b, "new is the edition after old: %d new, %d of old again\n", len(d.Came), d.Same+len(d.Changed))
		for _, c := range d.Came {
			fmt.Fprintf(&b, "+ %s\n", c.Pull)
		}
		return b.String()
	}
	for _, c := range d.Came {
		fmt.Fprintf(&b, "+ %s  before: %s\n", c.Pull, show.Clip(c.Why, maxDiffRunes))
	}
	for _, c := range d.Went {
		fmt.Fprintf(&b, "- %s  now: %s\n", c.Pull, show.Clip(c.Why, maxDiffRunes))
	}
	for _, c := range d.Changed {
		fmt.Fprintf(&b, "~ %s%s\n", c.Pull, strings.TrimRight("  "+c.Cause, " "))
		for _, f := range c.Fields {
			fmt.Fprintf(&b, "    %s: %s -> %s\n", f.Field, show.Clip(f.Old, maxDiffRunes), show.Clip(f.New, maxDiffRunes))
		}
	}
	fmt.Fprintf(&b, "%d came, %d went, %d changed, %d the same\n", len(d.Came), len(d.Went), len(d.Changed), d.Same)
	return b.String()
}
