package bugs

import (
	"context"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	scoring "github.com/prforge/prforge/evaluation/bugs"
	"github.com/prforge/prforge/stages/evaluate"
	"github.com/prforge/prforge/stages/run"
)

// Benchmark is the search for one injected fault, for the registry.
func Benchmark() run.Benchmark {
	return run.Benchmark{
		Name: artifacts.Bugs, Unit: "pull request", Verify: verifyDataset, DecidesAgain: true, Explain: explainQuestions,
		Figures: func(r *load.Reader) (any, error) { return load.SummarizeBugs(r) }, EvidenceDir: artifacts.DirBugs +
			"evidence",
		Build:     func(ctx context.Context, s *run.Session) (*run.Report, error) { return Build(ctx, s, nil) },
		Evaluated: evaluate.Benchmark{Benchmark: scoring.Benchmark{}, Items: readItems, Cheats: scoring.Cheats(pyflakes)},
	}
}
