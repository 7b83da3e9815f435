package cli

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/prforge/prforge/artifacts/snapshot"
	"github.com/prforge/prforge/collectors/models/agent"
	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/stages/config"
	"github.com/prforge/prforge/stages/snapshots"
)

func (a *app) snapshotsCommand() *cobra.Command {
	var mirrors, out string
	var flags buildFlags
	var asJSON bool
	c := &cobra.Command{
		Use:   "snapshots DATASET [--mirror DIR] -o DIR",
		Short: "Collect the code of every record as git objects, for reviewers that read it",
		Long: `snapshots writes a folder beside a dataset, which stays as it is: for each record the
revision that it shows, its fork point, and the commits between, with their trees and
files, and nothing else. 'prforge checkout' makes a work tree of one, 'prforge verify'
proves what is in them.

The objects come from GitHub, by git alone, into the --state: interrupted, the same
command goes on from there. With --mirror they come from full clones of the
repositories, DIR/OWNER/NAME.git or DIR/OWNER/NAME ('git clone --mirror'). Either way
the bytes are the same. A record of which something is not available any more has no
snapshot, and the folder says why.

snapshots: true in prforge.yaml has a build collect them into the dataset itself.`,
		Example: "  prforge snapshots out/dataset -o out/dataset-snapshots\n  prforge checkout out/dataset-snapshots celery__10184 /tmp/celery",
		Args:    exactArgs("DATASET"),
		RunE: func(c *cobra.Command, args []string) error {
			if out == "" {
				return usagef("say where the snapshots go: prforge snapshots %s -o DIR", args[0])
			}
			if err := isDataset(args[0]); err != nil {
				return err
			}
			all, err := a.makeSnapshots(c.Context(), args[0], out, mirrors, flags)
			if err != nil {
				return err
			}
			if asJSON {
				return a.writeJSON(all.Stats())
			}
			return a.showSnapshots(all, out)
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "folder to write (must not hold anything else)")
	c.Flags().StringVar(&mirrors, "mirror", "", "`DIR` with full clones, instead of GitHub")
	c.Flags().StringVar(&flags.state, "state", ".prforge", "folder of what was collected")
	c.Flags().BoolVar(&flags.refresh, "refresh", false, "ask again for what was not available")
	c.Flags().IntVar(&flags.shards, "repositories-at-once", shardsAtOnce, "repositories worked on at once; the result is the same for any number")
	c.Flags().BoolVar(&asJSON, "json", false, "what each snapshot consists of, as JSON")
	return c
}

// makeSnapshots makes them from mirrors, or else from GitHub.
func (a *app) makeSnapshots(ctx context.Context, dataset, out, mirrors string, flags buildFlags) (*snapshots.All, error) {
	progress, finish := a.progress()
	defer finish()
	run := func(o snapshots.Options) (*snapshots.All, error) {
		o.Refresh, o.Repositories, o.Progress = flags.refresh, flags.shards, progress
		return snapshots.Beside(ctx, dataset, out, o)
	}
	if mirrors != "" {
		if info, err := os.Stat(mirrors); err != nil || !info.IsDir() {
			return nil, usagef("--mirror %q is no folder; name one that holds OWNER/NAME.git", mirrors)
		}
		dir, err := os.MkdirTemp("", "prforge-snapshots-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		return run(snapshots.Options{Dir: dir, Open: snapshots.Mirrors(mirrors, a.log)})
	}
	site, err := a.site()
	if err != nil {
		return nil, err
	}
	if err := writable(flags.state, 0o700); err != nil {
		return nil, err
	}
	cfg := config.Default()
	o, done, err := snapshots.GitHub{
		State: flags.state, CloneURL: site.cloneURL, Log: a.log,
		Connect: func(ctx context.Context) (*ghapi.Client, error) {
			return a.connect(ctx, &cfg, pausesIn(flags.state), progress)
		},
	}.Options()
	if err != nil {
		return nil, err
	}
	all, err := run(o)
	return all, errors.Join(err, done())
}

// showSnapshots says what there is, and which records have none.
func (a *app) showSnapshots(all *snapshots.All, out string) error {
	for _, m := range all.Made {
		fmt.Fprintf(a.stdout, "%-32s %4d records  %7d objects  %6.1f MB, packed %5.1f MB\n", m.Repo, len(m.Stats), m.Objects, megabytes(m.Bytes), megabytes(m.Packed))
	}
	for _, s := range all.Stats() {
		if s.Problem != "" {
			fmt.Fprintf(a.stdout, "no snapshot of %s: %s\n", s.TaskID, s.Detail)
		}
	}
	_, err := fmt.Fprintf(a.stdout, "frozen: %s\n", out)
	return err
}

func megabytes(n int64) float64 { return float64(n) / 1e6 }

func (a *app) checkoutCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "checkout DATASET TASK DIR",
		Short: "Make a work tree, with .git, of a record's snapshot",
		Long: `checkout writes the code that a record shows, as its reviewers had it: a work tree at
the revision, and a .git with its history back to the fork point, under their own ids.
HEAD is the revision, detached; the branch base is the fork point: 'git diff base...HEAD'
is the change. Nothing later is there, and nothing that leads out: no remote, no other
branch, no log of references, no object that the two do not reach.

DATASET holds snapshots: a dataset that was built with snapshots: true, or a folder of
'prforge snapshots'. Files have the bytes that git keeps, whatever .gitattributes says:
line ends are not converted, files of Git LFS are pointers, submodules empty folders.`,
		Example: "  prforge checkout out/dataset-snapshots celery__10184 /tmp/celery && git -C /tmp/celery diff base...HEAD",
		Args:    exactArgs("DATASET", "TASK", "DIR"),
		RunE: func(c *cobra.Command, args []string) error {
			set, err := snapshot.Open(args[0])
			if err != nil {
				return err
			}
			stat, err := set.Checkout(c.Context(), args[1], args[2])
			if err != nil {
				return err
			}
			if asJSON {
				return a.writeJSON(stat)
			}
			_, err = fmt.Fprintf(a.stdout, "%s: %s at %s, fork point %s, %d commits, %d files\n", args[2], stat.Repository, stat.Head, stat.Base, stat.Commits, stat.Work.Files)
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "what the snapshot consists of, as JSON")
	return c
}

// relayCommand is what runs inside the sandbox of an agent with a network. Nobody
// calls it by hand.
func (a *app) relayCommand() *cobra.Command {
	return &cobra.Command{
		Use: agent.RelayCommand + " -- COMMAND...", Hidden: true, Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			code, err := agent.Relay(c.Context(), args, os.Environ(), a.raw, a.stderr)
			if err == nil && code != exitDone {
				err = &exitError{code}
			}
			return err
		},
	}
}
