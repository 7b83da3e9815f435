package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/seal"
	"github.com/prforge/prforge/artifacts/verify"
	"github.com/prforge/prforge/cmd/prforge/internal/cli/show"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/stages"
	"github.com/prforge/prforge/stages/evaluate"
	"github.com/prforge/prforge/stages/release"
)

// releaseFlags are the flags of release.
type releaseFlags struct {
	to, seal, run, id string
	private           bool
}

func (a *app) releaseCommand() *cobra.Command {
	var f releaseFlags
	c := &cobra.Command{
		Use:   "release DATASET --to {FOLDER | s3://BUCKET/PREFIX}",
		Short: "Bring a verified dataset to a folder for a hub or to a bucket, with answers open or sealed",
		Long: `release verifies the dataset and copies it, the manifest last: card with its
configurations, Parquet, croissant.json and everything else. What is there is never
changed; the same command goes on after an interruption.

--seal FILE brings the questions alone, and each answer encrypted with its salted SHA-256.
The key is made and kept in FILE, which you publish when the answers may be known; 'prforge
unseal' then opens them. --run RUN adds eval.yaml, for a leaderboard on Hugging Face, and a
file a model for .eval_results of its repository there. AWS_* variables lead to the bucket, as for 'prforge collect'.`,
		Example: "  prforge release dataset --to hub\n  prforge release dataset --to s3://benchmarks/2026-04 --seal 2026-04.key",
		Args:    exactArgs("DATASET"),
		RunE:    func(c *cobra.Command, args []string) error { return a.release(c.Context(), args[0], f) },
	}
	c.Flags().StringVar(&f.to, "to", "", "`ADDRESS` of the release")
	c.Flags().StringVar(&f.seal, "seal", "", "seal the answers, with the key in this `FILE`")
	c.Flags().StringVar(&f.run, "run", "", "`RUN` whose results go along")
	c.Flags().StringVar(&f.id, "hub-id", "", "OWNER/NAME of the dataset on the hub, for --run")
	c.Flags().BoolVar(&f.private, "private", false,
		"release a dataset that is not for publication, to a place that only its team reads")
	return c
}

func (a *app) release(ctx context.Context, dataset string, f releaseFlags) error {
	if f.to == "" {
		return usagef("say where the release goes: --to FOLDER or --to s3://BUCKET/PREFIX")
	}
	if _, err := model.ParseRepoRef(f.id); (f.run != "") != (f.id != "") || f.id != "" && err != nil {
		return usagef("--run goes with --hub-id OWNER/NAME")
	}
	r, err := openDataset(dataset)
	if err != nil {
		return err
	}
	if r.Manifest.NotForPublication && !f.private {
		return usagef("%s is not for publication; --private says that only its team reads %s", dataset, f.to)
	}
	report, err := stages.Verify(ctx, dataset, verify.FormatPrforge)
	if err != nil {
		return err
	}
	if !report.OK() {
		return a.showFindings(report, false)
	}
	x, err := a.exchange(f.to)
	if err != nil {
		return err
	}
	t := &release.Target{Exchange: x}
	if f.seal == "" {
		err = t.Whole(ctx, r)
	} else {
		var key seal.Key
		if key, err = keyIn(f.seal, f.to); err == nil {
			err = t.Sealed(ctx, r, key)
		}
	}
	if err == nil && f.run != "" {
		err = a.releaseResults(ctx, t, f, dataset)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "released: %s, %.1f MB, to %s\n", show.Plural(t.Files, "file"), float64(t.Bytes)/1e6, f.to)
	if f.seal != "" {
		fmt.Fprintf(a.stdout, "key:      %s; publish it when the answers may be known, and keep it until then\n", f.seal)
	}
	return nil
}

func (a *app) releaseResults(ctx context.Context, t *release.Target, f releaseFlags, dataset string) error {
	e, err := a.evaluation("", f.run, evaluate.Config{})
	if err != nil {
		return err
	}
	runs, err := e.Reports(ctx, []string{f.run})
	if err != nil {
		return err
	}
	sum, err := load.ManifestDigest(dataset)
	if err == nil && runs.Report.Plan.Dataset.ManifestSHA256 != sum {
		err = usagef("%s is a run on another dataset", f.run)
	}
	if err != nil {
		return err
	}
	return t.Results(ctx, f.id, runs.Report)
}

// keyIn reads the key in a file, or makes one. It must not be in the release that it opens.
func keyIn(path, to string) (seal.Key, error) {
	if !strings.HasPrefix(to, "s3://") {
		if inside, err := within(filepath.Dir(filepath.Clean(path)), to); err == nil && inside {
			return seal.Key{}, usagef("--seal %s lies in the release, where everybody would read it", path)
		}
	}
	text, err := os.ReadFile(path)
	if err == nil {
		return seal.ParseKey(string(text))
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return seal.Key{}, err
	}
	key, err := seal.NewKey()
	if err != nil {
		return key, err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return key, err
	}
	_, err = fmt.Fprintln(file, key)
	return key, errors.Join(err, file.Sync(), file.Close())
}

func (a *app) unsealCommand() *cobra.Command {
	var key, out string
	c := &cobra.Command{
		Use:   "unseal FOLDER --key FILE -o ANSWERS",
		Short: "Open the sealed answers of a release, and say what was altered",
		Args:  exactArgs("FOLDER"),
		RunE: func(_ *cobra.Command, args []string) error {
			if key == "" || out == "" {
				return usagef("say which key opens them and where they go: --key FILE -o ANSWERS")
			}
			text, err := os.ReadFile(key)
			if err != nil {
				return err
			}
			k, err := seal.ParseKey(string(text))
			if err != nil {
				return &usageError{err}
			}
			n, err := release.Unseal(args[0], out, k)
			if err == nil {
				fmt.Fprintf(a.stdout, "opened:   %s, each the one that was sealed; %s\n", show.Plural(n, "answer"), out)
			}
			return err
		},
	}
	c.Flags().StringVar(&key, "key", "", "`FILE` of the key")
	c.Flags().StringVarP(&out, "output", "o", "", "folder of the answers")
	return c
}
