package debugging

import (
	"io"

	"github.com/prforge/prforge/artifacts"
	dataset "github.com/prforge/prforge/artifacts/debugging"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/evaluation/debugging"
	"github.com/prforge/prforge/stages/evaluate"
	"github.com/prforge/prforge/stages/run"
)

// Benchmark is the search for cause and effect of errors in scripts, for
// the registry.
func Benchmark() run.Benchmark {
	return run.Benchmark{
		Name: artifacts.Debugging, Unit: "script", Verify: verifyDataset, Format: dataset.FormatPublished,
		VerifyPublished: verifyPublished,
		Figures:         func(r *load.Reader) (any, error) { return dataset.Summarize(r.Dir) },
		ExplainItem:     func(dir, name string) (any, error) { return dataset.Explain(dir, name) },
		Page: func(w io.Writer, r *load.Reader, create func(string) (io.WriteCloser, error)) error {
			return dataset.WriteHTML(w, r.Dir, create)
		},
		EvidenceDir: "evidence",
		Evaluated:   evaluate.Benchmark{Benchmark: debugging.Benchmark{}, Items: readItems, Cheats: debugging.Cheats()},
	}
}
