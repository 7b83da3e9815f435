package escaped

import (
	"github.com/prforge/prforge/artifacts"
	files "github.com/prforge/prforge/artifacts/escaped"
	"github.com/prforge/prforge/artifacts/load"
	evaluation "github.com/prforge/prforge/evaluation/escaped"
	"github.com/prforge/prforge/stages/evaluate"
	"github.com/prforge/prforge/stages/run"
)

// Benchmark is escaped defects, for the registry.
func Benchmark() run.Benchmark {
	return run.Benchmark{
		Name: artifacts.Escaped, Unit: "pull request",
		Verify: verifyDataset, Shown: shown,
		Figures: func(r *load.Reader) (any, error) { return load.Summarize(r) }, EvidenceDir: files.FileAnswers,
		Build: build,
		Evaluated: evaluate.Benchmark{Benchmark: evaluation.Benchmark{}, Items: readItems, Cheats: evaluation.Cheats(),
			Sheet: sheet},
	}
}
