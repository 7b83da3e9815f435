package stages

import (
	"slices"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/stages/bugs"
	"github.com/prforge/prforge/stages/debugging"
	"github.com/prforge/prforge/stages/evaluate"
	"github.com/prforge/prforge/stages/review"
	"github.com/prforge/prforge/stages/run"
)

// benchmarks lists every kind of dataset. A new one adds its line here, and
// everything else in a folder of its own (see the package comment).
func benchmarks() []run.Benchmark {
	return []run.Benchmark{
		review.Benchmark(),
		bugs.Benchmark(),
		debugging.Benchmark(),
		review.ControlsBenchmark(),
	}
}

// benchmarkOf is the benchmark of a dataset. Datasets without a word for it, as
// the earliest are, and with one that is unknown are read as reviews.
func benchmarkOf(m *artifacts.Manifest) run.Benchmark {
	all := benchmarks()
	if i := slices.IndexFunc(all, func(b run.Benchmark) bool { return b.Name == m.Benchmark }); i >= 0 {
		return all[i]
	}
	return all[0]
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
