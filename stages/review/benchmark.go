package review

import (
	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/artifacts/report"
	"github.com/prforge/prforge/artifacts/verify"
	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/stages/evaluate"
	"github.com/prforge/prforge/stages/run"
)

// Benchmark is the review of real pull requests, for the registry.
func Benchmark() run.Benchmark {
	return run.Benchmark{
		Name: artifacts.Review, Unit: "pull request", Verify: verifyDataset, Build: Build, Explain: explainRecord,
		Shown:  verify.ReviewsShown,
		Format: verify.FormatPublished, VerifyPublished: verifyPublished,
		Figures: func(r *load.Reader) (any, error) { return report.Summarize(r) }, EvidenceDir: "evidence",
		Evaluated: evaluate.Benchmark{Benchmark: evaluation.Reviews{}, Items: readItems, Sheet: truthSheet},
	}
}
