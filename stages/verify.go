package stages

import (
	"context"
	"fmt"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/verify"
	"github.com/prforge/prforge/stages/run"
	"github.com/prforge/prforge/stages/snapshots"
)

// Formats lists the layouts that Verify reads: our own, and those of published benchmarks.
func Formats() []string {
	out := []string{verify.FormatPrforge}
	for _, b := range benchmarks() {
		if b.Format != "" {
			out = append(out, b.Format)
		}
	}
	return out
}

// Verify checks a dataset against everything that can be recomputed from its
// files, in one of Formats.
func Verify(ctx context.Context, dir, format string) (*verify.Report, error) {
	for _, b := range benchmarks() {
		if b.Format == format {
			return b.VerifyPublished(ctx, dir)
		}
	}
	m, err := load.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	return BenchmarkOf(m.Benchmark).Verify(ctx, dir, m)
}

// VerifySnapshots checks a folder of snapshots against its dataset.
func VerifySnapshots(ctx context.Context, dir, dataset string) (*verify.Report, error) {
	m, err := load.ReadManifest(dataset)
	if err != nil {
		return nil, err
	}
	shown := BenchmarkOf(m.Benchmark).Shown
	if shown == nil {
		return nil, fmt.Errorf("%s is of the benchmark %s, of which there are no snapshots", dataset, m.Benchmark)
	}
	return verify.Snapshots(ctx, dir, dataset, shown)
}

// Recheck builds a dataset again from its raw records and its configuration, and
// adds to the report of Verify what differs. Without contexts it decides about
// everything again and renders nothing, unless Verify did that already. A dataset
// with faults is not built again, and its report says so.
func Recheck(ctx context.Context, env run.Env, dir string, contexts bool, report *verify.Report) error {
	m, err := load.ReadManifest(dir)
	if err != nil {
		return err
	}
	b := BenchmarkOf(m.Benchmark)
	if m.Benchmark != artifacts.Snapshot && !contexts && (b.Build == nil || b.DecidesAgain) {
		return nil
	}
	if !report.OK() {
		report.Skipped = append(report.Skipped, "built again from itself: first fix the faults above")
		return nil
	}
	if m.Benchmark == artifacts.Snapshot {
		differ, err := snapshots.Again(ctx, dir)
		for _, path := range differ {
			report.Add(verify.RebuiltDiffers, path)
		}
		return err
	}
	if !contexts {
		env.Contexts = dir
		report.Skipped = append(report.Skipped, "contexts built again, byte for byte: --rebuild does it")
	}
	again, err := run.Rebuild(ctx, env, dir, b.Build)
	if err != nil {
		report.Add(verify.NotRebuilt, err.Error())
		return ctx.Err()
	}
	report.Checks += again.Files
	for _, d := range again.Differ {
		report.Add(verify.RebuiltDiffers, d.String())
	}
	if contexts && len(again.Differ) == 0 {
		report.Rebuilt = again.Files
	}
	return nil
}
