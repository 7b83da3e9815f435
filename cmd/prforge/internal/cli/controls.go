package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/stages/review"
	"github.com/prforge/prforge/stages/run"
)

// defaultControlDays is how many days after its merge a change must survive.
const defaultControlDays = 365

func (a *app) controlsCommand() *cobra.Command {
	var mirrors, until, out string
	var days int
	var asJSON bool
	c := &cobra.Command{
		Use:   "controls DATASET --mirror DIR --until DATE",
		Short: "Make negative controls: declined findings, and hunks that lasted",
		Long: `controls writes a folder beside a dataset, which stays as it is: comments that a
reviewer should not write, findings that were declined, and for every hunk of a
production file whether it is verified clean, or what speaks against that.

A clean hunk was merged as it is shown, has no comment of a person within ten lines,
is in a file on which somebody commented who approved the final head, and was still
there --days days after the merge: nothing changed it, fixed it or reverted it, and
no later message or fix shows a fault in its pull request. That is looked up in full
clones of the repositories, DIR/OWNER/NAME.git or DIR/OWNER/NAME ('git clone
--mirror'), and nothing later than DATE is looked at. No fault found is no proof that
there is none.

The folder is frozen with its date: the same command gives the same bytes, and
another look goes into another folder. 'prforge verify' checks it.`,
		Example: "  prforge controls out/demo --mirror mirrors --until 2026-11-01\n  prforge verify out/demo-controls-2026-11-01",
		Args:    exactArgs("DATASET"),
		RunE: func(c *cobra.Command, args []string) error {
			if mirrors == "" || until == "" {
				return usagef("say where full clones are and how late to look: prforge controls %s --mirror DIR --until DATE",
					args[0])
			}
			day, err := time.Parse(time.DateOnly, until)
			if err != nil {
				return usagef("--until: want a day such as 2026-11-01, got %q", until)
			}
			if info, err := os.Stat(mirrors); err != nil || !info.IsDir() {
				return usagef("--mirror %q is no folder; name one that holds OWNER/NAME.git", mirrors)
			}
			if days < 1 {
				return usagef("--days: want 1 or more, got %d", days)
			}
			if _, err := openDataset(args[0]); err != nil {
				return err
			}
			if out == "" {
				out = filepath.Clean(args[0]) + "-controls-" + until
			}
			progress, finish := a.progress()
			defer finish()
			env := run.Env{Host: a.host(runtime.NumCPU(), progress), Out: out, Shards: 2,
				CloneURL: func(r model.RepoRef) string { return "https://github.com/" + r.String() + ".git" }}
			set, err := review.Controls(c.Context(), env, args[0],
				review.ControlOptions{Mirrors: mirrors, Until: day, Days: days})
			if err != nil {
				return err
			}
			if asJSON {
				return a.writeJSON(set.Count())
			}
			return a.showControls(set.Count(), out)
		},
	}
	c.Flags().StringVar(&mirrors, "mirror", "", "`DIR` with full clones")
	c.Flags().StringVar(&until, "until", "", "the last `DATE` to look at, as 2026-11-01")
	c.Flags().StringVarP(&out, "out", "o", "", "folder to write (default DATASET-controls-DATE)")
	c.Flags().IntVar(&days, "days", defaultControlDays, "how long after its merge a hunk must have lasted")
	c.Flags().BoolVar(&asJSON, "json", false, "the figures as JSON")
	return c
}

// showControls shows the number of controls, and why there are not more.
func (a *app) showControls(n freeze.ControlCounts, out string) error {
	fmt.Fprintf(a.stdout, "%d comments that should not be written, %d declined findings\n", n.Rejected, n.Declined)
	fmt.Fprintf(a.stdout, "%d of %d hunks clean; %d of %d pull requests clean\n", n.CleanHunks, n.Hunks, n.CleanPulls,
		n.Pulls)
	for _, r := range n.Reasons {
		fmt.Fprintf(a.stdout, "  %6d  %s\n", r.Count, r.Reason)
	}
	_, err := fmt.Fprintf(a.stdout, "frozen: %s\n", out)
	return err
}
