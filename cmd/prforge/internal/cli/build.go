package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/cmd/prforge/internal/cli/pauses"
	"github.com/prforge/prforge/cmd/prforge/internal/cli/progress"
	"github.com/prforge/prforge/cmd/prforge/internal/cli/show"
	"github.com/prforge/prforge/internal/ghapi"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/config"
	"github.com/prforge/prforge/stages/review"
	"github.com/prforge/prforge/stages/run"
)

// defaultConfig is read if no other file is named.
const defaultConfig = "prforge.yaml"

// shardsAtOnce is how many repositories run at once.
const shardsAtOnce = 4

// buildFlags are the flags of every command that collects.
type buildFlags struct {
	config, state   string
	workers, shards int
	refresh         bool
}

func (f *buildFlags) add(c *cobra.Command) {
	f.addState(c)
	workersFlag(c, &f.workers, runtime.NumCPU(), "pull requests")
	c.Flags().IntVar(&f.shards, "repositories-at-once", shardsAtOnce,
		"repositories worked on at once; the result is the same for any number")
}

// addState adds the flags of a command that works on one thing at a time.
func (f *buildFlags) addState(c *cobra.Command) {
	c.Flags().StringVarP(&f.config, "config", "c", defaultConfig, "configuration file")
	c.Flags().Lookup("config").Annotations = map[string][]string{cobra.BashCompFilenameExt: {"yaml", "yml"}}
	c.Flags().StringVar(&f.state, "state", ".prforge", "folder of the raw store and the checkpoints")
	c.Flags().BoolVar(&f.refresh, "refresh", false, "ask GitHub again for what may have changed since it was collected")
}

// freezeFlags are the flags of every command that makes a dataset.
type freezeFlags struct {
	buildFlags
	out, from              string
	offline, partial, json bool

	mirrors   string                     // folder of full clones; "" where the command takes none
	configure func(*config.Config) error // what flags change of the configuration; nil for nothing
}

func (f *freezeFlags) add(c *cobra.Command) {
	f.buildFlags.add(c)
	c.Flags().StringVarP(&f.out, "output", "o", "", "folder of the dataset (must not hold a different one)")
	c.Flags().StringVar(&f.from, "from", "",
		"build from the raw records of this frozen dataset, by its own configuration unless -c names another")
	c.Flags().BoolVar(&f.offline, "offline", false, "ask nobody; implied by --from")
	c.Flags().BoolVar(&f.partial, "allow-partial", false,
		"freeze although some repositories or pull requests failed, or nothing came through")
	c.Flags().BoolVar(&f.json, "json", false, "the run report as JSON on standard output")
}

// builder makes a benchmark in a session.
type builder func(context.Context, *run.Session) (*run.Report, error)

// freeze runs a builder by the flags of a command. The command serves messages and shows which flags were set.
func (a *app) freeze(c *cobra.Command, command string, f freezeFlags, build builder) error {
	ctx, set := c.Context(), c.Flags().Changed
	if f.out == "" {
		return usagef("say where the dataset goes: prforge %s -c %s -o DATASET", command, f.config)
	}
	if f.from != "" {
		f.offline = f.offline || !set("offline")
		done, err := a.from(f.from, &f.state, f.offline && !set("state"))
		if err != nil {
			return err
		}
		defer done()
	}
	cfg, err := a.configuration(f.config, f.from, set("config"))
	if err != nil {
		return err
	}
	if err := checkOutput(f.out, f.state); err != nil {
		return err
	}
	if day := cfg.Dataset.FreezeDate; day.After(time.Now()) {
		fmt.Fprintf(a.stderr, "prforge: dataset.freeze_date %s is in the future: the window before it is not over\n", day)
	}
	if f.configure != nil {
		if err := f.configure(cfg); err != nil {
			return err
		}
	}
	env, err := a.env(cfg, f.buildFlags)
	if err != nil {
		return err
	}
	if err := writable(filepath.Dir(filepath.Clean(f.out)), 0o755); err != nil {
		return err
	}
	env.Out, env.From, env.Mirrors, env.AllowPartial, env.Offline = f.out, f.from, f.mirrors, f.partial, f.offline
	return a.runBuild(ctx, env, cfg, f.json, build)
}

// from checks the dataset of a rebuild and gives the build a new state, so that it depends on that dataset alone. The
// caller removes the state.
func (a *app) from(dataset string, state *string, fresh bool) (remove func(), err error) {
	if _, err := openDataset(dataset); err != nil || !fresh {
		return func() {}, err
	}
	if *state, err = os.MkdirTemp("", "prforge-from-"); err != nil {
		return nil, fmt.Errorf("make a folder for the state: %w", err)
	}
	a.ephemeral = true
	return func() { os.RemoveAll(*state) }, nil
}

func (a *app) buildCommand() *cobra.Command {
	var flags freezeFlags
	var after string
	c := &cobra.Command{
		Use:   "build {-c FILE | --from DATASET} -o DATASET",
		Short: "Make the frozen dataset: everything from repositories to contexts",
		Long: `build collects what it does not have yet, runs every stage and freezes the dataset.
Interrupted at any point, the same command goes on from there. A second run with
the same state asks GitHub nothing; --refresh asks again for what may have changed.

The token is read from GITHUB_TOKEN or GH_TOKEN, else from 'gh auth token'; it is
never written anywhere. GITHUB_API_URL, GITHUB_GRAPHQL_URL and GITHUB_SERVER_URL
lead to another GitHub.

--from builds a dataset again from the raw records of a frozen one, without asking
anybody (--offline is implied): with its own configuration the same bytes, or with
-c another dataset from the same records; what differs is listed. A pull request of
which looser rules need more than was collected is left out as not_collected; the
report says how many. It rests on the
dataset alone, in a state of its own that goes with the command, unless --state
names one.

--after makes the next edition of a dataset: the window begins where that one's ended,
so that no pull request comes twice, and task ids stay apart.`,
		Example: "  prforge build -c prforge.yaml -o dataset\n  prforge build --from dataset -o again\n  prforge build -c prforge.yaml --after dataset -o next",
		Args:    exactArgs(),
		RunE: func(c *cobra.Command, _ []string) error {
			if after != "" {
				if flags.from != "" {
					return usagef("--after goes with -c: a dataset holds its own window")
				}
				flags.configure = func(c *config.Config) error { return follow(c, after) }
			}
			return a.freeze(c, "build", flags, review.Build)
		},
	}
	flags.add(c)
	c.Flags().StringVar(&after, "after", "", "make the edition that follows this frozen `DATASET`")
	return c
}

// follow turns a configuration into that of the next edition of a dataset.
func follow(c *config.Config, dataset string) error {
	if _, err := openDataset(dataset); err != nil {
		return err
	}
	before, err := run.Configuration(dataset)
	if err != nil {
		return err
	}
	sum, err := load.ManifestDigest(dataset)
	if err != nil {
		return err
	}
	return c.Follow(before, sum)
}

// configuration returns the named configuration or, without one, that of the dataset of a rebuild. If there are both,
// it reports the differences.
func (a *app) configuration(path, from string, named bool) (*config.Config, error) {
	if from == "" {
		return config.Load(path)
	}
	own, err := run.Configuration(from)
	if err != nil || !named {
		return own, err
	}
	cfg, err := config.Load(path)
	if err != nil {
		return nil, err
	}
	changes, err := own.Changes(cfg)
	if err != nil {
		return nil, err
	}
	for _, c := range changes {
		fmt.Fprintf(a.stderr, "%s differs from the configuration of %s: %s: %s -> %s\n", path, from, c.Key,
			show.Clip(c.Old, maxDiffRunes), show.Clip(c.New, maxDiffRunes))
	}
	return cfg, nil
}

// env is how a run works, from flags and environment.
func (a *app) env(cfg *config.Config, flags buildFlags) (run.Env, error) {
	env := run.Env{
		Host: a.host(flags.workers, pipeline.Silent{}), State: flags.state, Refresh: flags.refresh, Shards: flags.shards,
	}
	if flags.workers < 1 || flags.shards < 1 {
		return env, usagef("--workers and --repositories-at-once must be at least 1")
	}
	if err := writable(flags.state, 0o700); err != nil {
		return env, err
	}
	if err := a.checkPrivacy(cfg); err != nil {
		return env, err
	}
	site, err := a.site()
	if err != nil {
		return env, err
	}
	env.CloneURL = site.cloneURL
	return env, nil
}

// checkPrivacy refuses pseudonyms without a key.
func (a *app) checkPrivacy(cfg *config.Config) error {
	if cfg.Privacy.Pseudonyms && a.getenv(cfg.Privacy.KeyEnv) == "" {
		return usagef("privacy.pseudonyms is on, but %s holds no key", cfg.Privacy.KeyEnv)
	}
	return nil
}

// withSession opens a session with progress, runs a function with it, and closes both before anything else is shown.
// Without credentials in the environment it signs in as the user's own environment says.
func (a *app) withSession(ctx context.Context, env run.Env, cfg *config.Config, do func(*run.Session) error) error {
	return a.withPauses(ctx, env, cfg, pauses.In(env.State), do)
}

// withPauses is withSession with pauses stored elsewhere than in the state.
func (a *app) withPauses(ctx context.Context, env run.Env, cfg *config.Config, kept pauses.Store,
	do func(*run.Session) error) error {
	progress, finish := a.progress()
	defer finish()
	env.Progress = progress
	if env.Connect == nil {
		env.Connect = func(ctx context.Context) (*ghapi.Client, error) { return a.connect(ctx, cfg, kept, progress) }
	}
	s, err := run.Open(ctx, env, cfg)
	if err != nil {
		return err
	}
	return errors.Join(do(s), s.Close())
}

// runBuild runs a build with progress and shows the result.
func (a *app) runBuild(ctx context.Context, env run.Env, cfg *config.Config, asJSON bool, build builder) error {
	var report *run.Report
	began := time.Now()
	err := a.withSession(ctx, env, cfg, func(s *run.Session) (err error) {
		report, err = build(ctx, s)
		return err
	})
	if report != nil && !asJSON {
		fmt.Fprintf(a.stdout, "time:     %s\n", progress.Span(time.Since(began)))
	}
	return a.ended(env.State, report, asJSON, err)
}

// ended shows the result of a build: the report, if there is one, and the exit code for the error.
func (a *app) ended(state string, report *run.Report, asJSON bool, err error) error {
	if report != nil {
		if showErr := a.showReport(state, report, asJSON); showErr != nil {
			return showErr
		}
	}
	switch {
	case errors.Is(err, run.ErrPartial):
		fmt.Fprintf(a.stderr,
			"prforge: not frozen, because of %s (see above); run the same command again, or add --allow-partial\n",
			show.Plural(len(report.Failures), "failure"))
		return &exitError{exitPartial}
	case errors.Is(err, run.ErrEmpty):
		fmt.Fprintf(a.stderr,
			"prforge: not frozen, because %v (the stages above say where everything went; --allow-partial freezes a dataset without records)\n", err)
		return &exitError{exitFailed}
	case err != nil:
		return err
	case len(report.Failures) > 0:
		return &exitError{exitPartial}
	}
	return nil
}

// checkOutput refuses, before it makes any folder, a target inside a frozen dataset or inside a folder of the state.
func checkOutput(out string, states ...string) error {
	if err := freeze.CheckTarget(out); err != nil {
		return err
	}
	target, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	for _, state := range states {
		dir, err := filepath.Abs(state)
		if err != nil {
			return err
		}
		if rel, err := filepath.Rel(dir, target); err == nil && filepath.IsLocal(rel) {
			return usagef("%s is inside %s, the folder of the state: choose another folder for the dataset", out, state)
		}
	}
	return nil
}

// writable makes a folder and checks that it is writable. Only the owner may read a state: it holds later takedowns
// and private repositories.
func writable(dir string, mode os.FileMode) error {
	if err := os.MkdirAll(dir, mode); err != nil {
		return usagef("the folder cannot be made: %w", err)
	}
	f, err := os.CreateTemp(dir, ".prforge-*")
	if err != nil {
		return usagef("the folder %s cannot be written to: %w", dir, err)
	}
	f.Close()
	return os.Remove(f.Name())
}

// configOrDefault reads the configuration; without one, it uses the defaults and freezes today.
func configOrDefault(path string, names []string) (*config.Config, error) {
	if _, err := os.Stat(path); path == defaultConfig && errors.Is(err, fs.ErrNotExist) {
		cfg := config.Default()
		cfg.Repositories = names
		cfg.Dataset.FreezeDate = config.Date{Time: time.Now().UTC().Truncate(24 * time.Hour)}
		return &cfg, nil
	}
	return config.Load(path)
}
