package stages

import (
	"context"
	"io"
	"slices"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/report"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/bugs"
	"github.com/prforge/prforge/stages/debugging"
	"github.com/prforge/prforge/stages/escaped"
	"github.com/prforge/prforge/stages/evaluate"
	"github.com/prforge/prforge/stages/review"
	"github.com/prforge/prforge/stages/run"
	"github.com/prforge/prforge/stages/snapshots"
)

// benchmarks lists every kind of dataset. A new one adds its line here, and
// everything else in a folder of its own (see the package comment).
func benchmarks() []run.Benchmark {
	return []run.Benchmark{
		review.Benchmark(),
		bugs.Benchmark(),
		debugging.Benchmark(),
		escaped.Benchmark(),
		review.ControlsBenchmark(),
		snapshots.Benchmark(),
	}
}

// BenchmarkOf is the benchmark of a dataset, by its manifest. Datasets without a word for it, as
// the earliest are, and with one that is unknown are read as reviews.
func BenchmarkOf(name artifacts.Benchmark) run.Benchmark {
	all := benchmarks()
	if i := slices.IndexFunc(all, func(b run.Benchmark) bool { return b.Name == name }); i >= 0 {
		return all[i]
	}
	return all[0]
}

// WritePage writes the page of a dataset's audit, in one file where create is nil.
func WritePage(w io.Writer, r *load.Reader, create func(string) (io.WriteCloser, error)) error {
	if page := BenchmarkOf(r.Manifest.Benchmark).Page; page != nil {
		return page(w, r, create)
	}
	raw, err := review.Raw(r.Dir)
	if err != nil {
		return err
	}
	return report.WriteHTML(w, r, report.PageOptions{Raw: raw, Create: create})
}

// WantedOf is what the records of a dataset want of snapshots beside it.
func WantedOf(ctx context.Context, host pipeline.Host, dir string) (snapshots.List, error) {
	m, err := load.ReadManifest(dir)
	if err != nil {
		return snapshots.List{}, err
	}
	if m.Benchmark == artifacts.Escaped {
		return escaped.Wanted(ctx, host, dir)
	}
	return snapshots.Reviewed(dir)
}

// Evaluated lists the benchmarks that reviewers can be evaluated on.
func Evaluated() []evaluate.Benchmark {
	var out []evaluate.Benchmark
	for _, b := range benchmarks() {
		if b.Evaluated.Items != nil {
			out = append(out, b.Evaluated)
		}
	}
	return out
}
