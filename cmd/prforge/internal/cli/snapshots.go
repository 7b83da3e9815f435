package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/prforge/prforge/artifacts/snapshot"
	"github.com/prforge/prforge/cmd/prforge/internal/cli/pauses"
	"github.com/prforge/prforge/collectors/models/agent"
	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/stages"
	"github.com/prforge/prforge/stages/config"
	"github.com/prforge/prforge/stages/evaluate"
	"github.com/prforge/prforge/stages/harbor"
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
	c.Flags().IntVar(&flags.shards, "repositories-at-once", shardsAtOnce,
		"repositories worked on at once; the result is the same for any number")
	c.Flags().BoolVar(&asJSON, "json", false, "what each snapshot consists of, as JSON")
	return c
}

// makeSnapshots makes snapshots from mirrors, or else from GitHub.
func (a *app) makeSnapshots(ctx context.Context, dataset, out, mirrors string, flags buildFlags) (*snapshots.All,
	error) {
	progress, finish := a.progress()
	defer finish()
	list, err := stages.WantedOf(ctx, a.host(flags.shards, progress), dataset)
	if err != nil {
		return nil, err
	}
	run := func(o snapshots.Options) (*snapshots.All, error) {
		o.Refresh, o.Repositories, o.Progress = flags.refresh, flags.shards, progress
		return snapshots.Beside(ctx, dataset, out, list, o)
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
			return a.connect(ctx, &cfg, pauses.In(flags.state), progress)
		},
	}.Options()
	if err != nil {
		return nil, err
	}
	all, err := run(o)
	return all, errors.Join(err, done())
}

// showSnapshots shows the snapshots, and which records have none.
func (a *app) showSnapshots(all *snapshots.All, out string) error {
	for _, m := range all.Made {
		fmt.Fprintf(a.stdout, "%-32s %4d records  %7d objects  %6.1f MB, packed %5.1f MB\n", m.Repo, len(m.Stats), m.Objects,
			megabytes(m.Bytes), megabytes(m.Packed))
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
			_, err = fmt.Fprintf(a.stdout, "%s: %s at %s, fork point %s, %d commits, %d files\n", args[2], stat.Repository,
				stat.Head, stat.Base, stat.Commits, stat.Work.Files)
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "what the snapshot consists of, as JSON")
	return c
}

func (a *app) exportCommand() *cobra.Command {
	c := &cobra.Command{Use: "export", Short: "Write a dataset in the form of another engine"}
	c.AddCommand(a.exportHarborCommand())
	return c
}

func (a *app) exportHarborCommand() *cobra.Command {
	var o harbor.Options
	var snapshots string
	c := &cobra.Command{
		Use:   "harbor DATASET --snapshots DIR --image NAME@sha256:DIGEST -o DIR",
		Short: "Write tasks of Harbor, which runs agents on Docker and in clouds",
		Long: `harbor writes a folder a task, and a dataset of them, in Harbor's schemas 1.3 and 1.0. The
image of a task is built from the --image, which needs git, bash and python3, and the
record's snapshot, without a network. The verifier checks the form of what an agent wrote
and hands it on; 'prforge eval import RUN --model ID --harbor JOB' brings it back to be
judged and scored. The answers lie in solution/ alone, which no image gets.`,
		Example: `  prforge export harbor out/dataset --snapshots out/code --image python:3.13@sha256:... -o out/harbor
  prforge eval import out/run --model codex --harbor jobs/2026-11-22__20-00-00`,
		Args: exactArgs("DATASET"),
		RunE: func(c *cobra.Command, args []string) error {
			if o.Out == "" {
				return usagef("say where the tasks go: prforge export harbor %s -o DIR", args[0])
			}
			if o.Name == "" {
				o.Name = filepath.Base(filepath.Clean(args[0]))
			}
			if err := o.Check(); err != nil {
				return &usageError{err}
			}
			e, err := a.evaluation(args[0], o.Out, evaluate.Config{})
			if err != nil {
				return err
			}
			e.Snapshots, o.Evaluation = snapshots, e
			n, err := harbor.Export(c.Context(), o)
			if errors.Is(err, fs.ErrExist) || evaluate.IsPlanError(err) {
				return &usageError{err}
			}
			if err == nil {
				_, err = fmt.Fprintf(a.stdout, "%d tasks: %s\n", n, o.Out)
			}
			return err
		},
	}
	c.Flags().StringVarP(&o.Out, "output", "o", "", "folder to write (must not exist)")
	c.Flags().StringVar(&snapshots, "snapshots", "", "`DIR` of prforge snapshots; where the dataset holds none itself")
	c.Flags().StringVar(&o.Image, "image", "", "what images are built from, `NAME@sha256:DIGEST`")
	c.Flags().StringVar(&o.Organization, "organization", "prforge", "what names of tasks begin with")
	c.Flags().StringVar(&o.Name, "name", "", "name of the dataset (default: the folder's)")
	c.Flags().StringSliceVar(&o.Allow, "allow", nil, "`HOSTS` that agents may reach (default none)")
	return c
}

// relayCommand runs inside the sandbox of an agent with a network. It is not for people.
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
