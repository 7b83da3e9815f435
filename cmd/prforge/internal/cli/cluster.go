package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prforge/prforge/cmd/prforge/internal/cli/jobs"
	"github.com/prforge/prforge/cmd/prforge/internal/cli/pauses"
	"github.com/prforge/prforge/cmd/prforge/internal/cli/show"
	"github.com/prforge/prforge/collectors/exchange"
	"github.com/prforge/prforge/stages/cluster"
	"github.com/prforge/prforge/stages/config"
	"github.com/prforge/prforge/stages/run"
)

// exchange opens a folder or a bucket. Keys and endpoint of a bucket come from the usual environment variables.
func (a *app) exchange(address string) (exchange.Exchange, error) {
	if address == "" {
		return nil, usagef("name the exchange, a folder that every machine sees or s3://BUCKET/PREFIX")
	}
	x, err := exchange.Open(address, exchange.S3Options{
		Endpoint: a.getenv("AWS_ENDPOINT_URL"), Region: a.getenv("AWS_REGION"), AccessKey: a.getenv("AWS_ACCESS_KEY_ID"),
		SecretKey: a.getenv("AWS_SECRET_ACCESS_KEY"), SessionToken: a.getenv("AWS_SESSION_TOKEN"),
	})
	if err != nil {
		return nil, &usageError{err}
	}
	return x, nil
}

// clusterRun is the run of a configuration in an exchange.
func (a *app) clusterRun(cfg *config.Config, address string) (*cluster.Cluster, error) {
	x, err := a.exchange(address)
	if err != nil {
		return nil, err
	}
	c, err := cluster.New(x, cfg, buildVersion())
	if err != nil {
		return nil, &usageError{err}
	}
	return c, nil
}

func (a *app) collectCommand() *cobra.Command {
	var flags buildFlags
	var to string
	var partial, asJSON bool
	c := &cobra.Command{
		Use:   "collect -c FILE --to EXCHANGE",
		Short: "For a cluster: collect the raw records of every repository into an exchange",
		Long: `collect is the first of the three steps of a build that is spread over machines:
collect, shard, merge. It is the only one that asks GitHub, as one identity, so
run it once at a time. Raw records go to the exchange a repository at a time; the
same command goes on with those that are not there yet.`,
		Example: "  prforge collect -c prforge.yaml --to /shared/run1",
		Args:    exactArgs(),
		RunE: func(c *cobra.Command, _ []string) error {
			cfg, err := config.Load(flags.config)
			if err != nil {
				return err
			}
			steps, err := a.clusterRun(cfg, to)
			if err != nil {
				return err
			}
			x, err := a.exchange(to)
			if err != nil {
				return err
			}
			env, err := a.env(cfg, flags)
			if err != nil {
				return err
			}
			env.AllowPartial = partial
			var report *cluster.CollectReport
			err = a.withPauses(c.Context(), env, cfg, pauses.Objects{Exchange: x}, func(s *run.Session) (err error) {
				report, err = steps.Collect(c.Context(), s)
				return err
			})
			if err != nil {
				return err
			}
			return a.showCollected(report, asJSON)
		},
	}
	flags.add(c)
	c.Flags().StringVar(&to, "to", "", "the exchange: a folder that every machine sees, or s3://BUCKET/PREFIX")
	c.Flags().BoolVar(&partial, "allow-partial", false,
		"hand on a repository although something of it failed that may pass")
	c.Flags().BoolVar(&asJSON, "json", false, "the report as JSON on standard output")
	return c
}

// showCollected shows the contents of the exchange; missing parts mean exit code 3.
func (a *app) showCollected(r *cluster.CollectReport, asJSON bool) error {
	if asJSON {
		if err := a.writeJSON(r); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(a.stdout, "run:       %s\ncollected: %d repositories\n%s\n", r.Run, r.Collected, show.Cost(r.Cost))
		for _, f := range r.Failures {
			fmt.Fprintf(a.stdout, "failed: %s at %s (%s): %s\n", f.Name, f.Stage, f.Code, show.Clip(f.Error, 300))
		}
		for _, name := range r.Missing {
			fmt.Fprintf(a.stdout, "missing: %s; run the same command again, or add --allow-partial\n", name)
		}
	}
	if len(r.Missing) > 0 {
		return &exitError{exitPartial}
	}
	return nil
}

func (a *app) shardCommand() *cobra.Command {
	var file, at, index string
	var scratch scratchFlags
	c := &cobra.Command{
		Use:   "shard -c FILE --at EXCHANGE --index I/N",
		Short: "For a cluster: analyze one of N shares of the repositories, offline",
		Long: `shard is the second of the three steps of a build that is spread over machines. It
analyzes share I of N, counted from 0, and leaves a result for each repository in
the exchange. It asks nobody and needs no token. A repository that has a result
is left alone, so a share may run again, and twice at the same time.

Without --index, I and N are those of a Slurm array (SLURM_ARRAY_TASK_ID, _MIN and
_COUNT), or of a Kubernetes Indexed Job (JOB_COMPLETION_INDEX, with PRFORGE_SHARES
as N).`,
		Example: "  prforge shard -c prforge.yaml --at /shared/run1 --index 0/8",
		Args:    exactArgs(),
		RunE: func(c *cobra.Command, _ []string) error {
			i, n, err := shareOf(index, a.getenv)
			if err != nil {
				return err
			}
			var names []string
			err = a.onCluster(c.Context(), file, at, scratch, run.Env{},
				func(s *run.Session, steps *cluster.Cluster) (err error) {
					names, err = steps.AnalyzeShare(c.Context(), s, i, n)
					return err
				})
			if err != nil {
				return a.missing(err)
			}
			fmt.Fprintf(a.stdout, "share %d of %d: %d repositories analyzed\n", i, n, len(names))
			return nil
		},
	}
	c.Flags().StringVarP(&file, "config", "c", defaultConfig, "configuration file")
	c.Flags().StringVar(&at, "at", "", "the exchange: a folder that every machine sees, or s3://BUCKET/PREFIX")
	c.Flags().StringVar(&index, "index", "", "which share, as I/N with I from 0")
	scratch.add(c)
	return c
}

func (a *app) mergeCommand() *cobra.Command {
	var file, at, out string
	var scratch scratchFlags
	var partial, asJSON bool
	c := &cobra.Command{
		Use:   "merge -c FILE --at EXCHANGE -o DATASET",
		Short: "For a cluster: select among the results of all shares and freeze the dataset",
		Long: `merge is the last of the three steps of a build that is spread over machines. It
makes the dataset that 'prforge build' makes, byte for byte. Where results are
missing it names the repositories and ends with exit code 3.`,
		Example: "  prforge merge -c prforge.yaml --at /shared/run1 -o dataset",
		Args:    exactArgs(),
		RunE: func(c *cobra.Command, _ []string) error {
			if out == "" {
				return usagef("say where the dataset goes: prforge merge -c %s --at EXCHANGE -o DATASET", file)
			}
			if err := checkOutput(out); err != nil {
				return err
			}
			if err := writable(filepath.Dir(filepath.Clean(out)), 0o755); err != nil {
				return err
			}
			a.ephemeral = true
			var report *run.Report
			err := a.onCluster(c.Context(), file, at, scratch, run.Env{Out: out, AllowPartial: partial},
				func(s *run.Session, steps *cluster.Cluster) (err error) {
					report, err = steps.Merge(c.Context(), s)
					return err
				})
			return a.ended("", report, asJSON, a.missing(err))
		},
	}
	c.Flags().StringVarP(&file, "config", "c", defaultConfig, "configuration file")
	c.Flags().StringVar(&at, "at", "", "the exchange: a folder that every machine sees, or s3://BUCKET/PREFIX")
	c.Flags().StringVarP(&out, "output", "o", "", "folder of the dataset (must not hold a different one)")
	c.Flags().BoolVar(&partial, "allow-partial", false, "freeze although results are missing or something failed")
	c.Flags().BoolVar(&asJSON, "json", false, "the run report as JSON on standard output")
	scratch.add(c)
	return c
}

func (a *app) shardsCommand() *cobra.Command {
	var at, steps string
	var missing, asJSON bool
	c := &cobra.Command{
		Use:     "shards --at EXCHANGE",
		Short:   "For a cluster: which repositories are collected and analyzed, and which are missing",
		Long:    "shards lists the repositories of a run with how far each is. While one is not analyzed the exit code is 3.",
		Example: "  prforge shards --at /shared/run1 --missing",
		Args:    exactArgs(),
		RunE: func(c *cobra.Command, _ []string) error {
			x, err := a.exchange(at)
			if err != nil {
				return err
			}
			status, err := cluster.Status(c.Context(), x, steps)
			if err != nil {
				return err
			}
			return a.showShards(status, missing, asJSON)
		},
	}
	c.Flags().StringVar(&at, "at", "", "the exchange: a folder that every machine sees, or s3://BUCKET/PREFIX")
	c.Flags().StringVar(&steps, "run", "", "the run, where the exchange holds several")
	c.Flags().BoolVar(&missing, "missing", false, "only those that are not analyzed")
	c.Flags().BoolVar(&asJSON, "json", false, "as JSON on standard output")
	return c
}

func (a *app) showShards(status []cluster.RepositoryStatus, missing, asJSON bool) error {
	open := slices.ContainsFunc(status, func(s cluster.RepositoryStatus) bool { return !s.Analyzed })
	if missing {
		status = slices.DeleteFunc(status, func(s cluster.RepositoryStatus) bool { return s.Analyzed })
	}
	if asJSON {
		if err := a.writeJSON(status); err != nil {
			return err
		}
	} else {
		for _, s := range status {
			how := "not collected"
			switch {
			case s.Analyzed:
				how = "analyzed"
			case s.Collected:
				how = "collected, not analyzed"
			}
			fmt.Fprintf(a.stdout, "%s: %s\n", s.Repository, how)
		}
	}
	if open {
		return &exitError{exitPartial}
	}
	return nil
}

// scratchFlags are the flags of commands with a temporary state.
type scratchFlags struct {
	dir     string
	workers int
}

func (f *scratchFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.dir, "scratch", "", "folder on a local disk for temporary state; the system's by default")
	c.Flags().IntVar(&f.workers, "workers", 1, "pull requests worked on at once; the result is the same for any number")
}

// onCluster runs a function with an offline session whose state is removed afterwards.
func (a *app) onCluster(ctx context.Context, file, at string, f scratchFlags, env run.Env,
	do func(*run.Session, *cluster.Cluster) error) error {
	cfg, err := config.Load(file)
	if err != nil {
		return err
	}
	steps, err := a.clusterRun(cfg, at)
	if err != nil {
		return err
	}
	if f.workers < 1 {
		return usagef("--workers must be at least 1")
	}
	if err := a.checkPrivacy(cfg); err != nil {
		return err
	}
	if f.dir != "" {
		if err := os.MkdirAll(f.dir, 0o700); err != nil {
			return fmt.Errorf("make the folder of --scratch: %w", err)
		}
	}
	state, err := os.MkdirTemp(f.dir, "prforge-")
	if err != nil {
		return fmt.Errorf("make a folder for temporary state: %w", err)
	}
	defer os.RemoveAll(state)
	env.State, env.Workers, env.Shards, env.Log, env.Getenv, env.Offline = state, f.workers, 1, a.log, a.getenv, true
	return a.withSession(ctx, env, cfg, func(s *run.Session) error { return do(s, steps) })
}

// missing shows the missing output of an earlier step, which is exit code 3.
func (a *app) missing(err error) error {
	var m *cluster.MissingError
	if !errors.As(err, &m) {
		return err
	}
	fmt.Fprintln(show.Terminal{W: a.stderr}, "prforge:", m)
	return &exitError{exitPartial}
}

// shareOf reads I/N from a flag or from the environment of a batch scheduler.
func shareOf(flag string, getenv func(string) string) (index, n int, err error) {
	i, of := "", ""
	switch {
	case flag != "":
		i, of, _ = strings.Cut(flag, "/")
	case getenv("SLURM_ARRAY_TASK_ID") != "":
		i, of = getenv("SLURM_ARRAY_TASK_ID"), getenv("SLURM_ARRAY_TASK_COUNT")
	case getenv("JOB_COMPLETION_INDEX") != "":
		i, of = getenv("JOB_COMPLETION_INDEX"), getenv("PRFORGE_SHARES")
	default:
		return 0, 0, usagef("say which share: --index I/N, with I from 0")
	}
	index, errI := strconv.Atoi(i)
	n, errN := strconv.Atoi(of)
	if first, err := strconv.Atoi(getenv("SLURM_ARRAY_TASK_MIN")); err == nil && flag == "" {
		index -= first
	}
	if errI != nil || errN != nil || n < 1 || index < 0 || index >= n {
		return 0, 0, usagef("%q of %q is no share: I is counted from 0 and less than N", i, of)
	}
	return index, n, nil
}

func (a *app) clusterCommand() *cobra.Command {
	var file, at, out, image string
	var shares, atOnce int
	c := &cobra.Command{
		Use:   "cluster slurm|kubernetes -c FILE --at EXCHANGE",
		Short: "Print the job files that spread a build over a cluster",
		Long: `cluster prints the three jobs of a build for the cluster's own batch scheduler:
collect, an array of shards, merge. The files are commented and yours to change.
docs/cluster.md says how many shares, what they cost and what to do when one fails.`,
		Example: "  prforge cluster slurm -c prforge.yaml --at /shared/run1 -o /shared/dataset > jobs.sh && bash jobs.sh",
		Args:    exactArgs("slurm|kubernetes"),
		RunE: func(c *cobra.Command, args []string) error {
			if _, err := config.Load(file); err != nil {
				return err
			}
			if shares < 1 || atOnce < 1 {
				return usagef("--shares and --at-once must be at least 1")
			}
			if _, err := a.exchange(at); err != nil {
				return err
			}
			j := jobs.Jobs{Image: jobs.YAMLQuote(image), Shares: shares, Last: shares - 1, AtOnce: min(atOnce, shares),
				Bucket: strings.HasPrefix(at, "s3://")}
			program, err := jobs.ProgramPath(a.program)
			if err != nil {
				return err
			}
			j.Program, j.ConfigFile, j.OutName = show.ShellQuote(program), show.ShellQuote(file), "dataset"
			if j.Config, j.At, j.Out, j.AtYAML, err = jobs.Paths(file, at, out); err != nil {
				return err
			}
			known, err := j.Write(a.raw, args[0])
			if !known {
				return usagef("%q is no scheduler that prforge knows: slurm, kubernetes", args[0])
			}
			return err
		},
	}
	c.Flags().StringVarP(&file, "config", "c", defaultConfig, "configuration file")
	c.Flags().StringVar(&at, "at", "", "the exchange: a folder that every machine sees, or s3://BUCKET/PREFIX")
	c.Flags().StringVarP(&out, "output", "o", "dataset", "folder of the dataset, for slurm")
	c.Flags().IntVar(&shares, "shares", 16, "how many shares the repositories are divided into")
	c.Flags().IntVar(&atOnce, "at-once", 40, "how many of them run at once, at most")
	c.Flags().StringVar(&image, "image", "ghcr.io/prforge/prforge", "image of prforge, for kubernetes")
	return c
}
