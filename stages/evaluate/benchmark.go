package evaluate

import (
	"context"
	"fmt"
	"strings"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/cheats"
	"github.com/prforge/prforge/evaluation/label"
	"github.com/prforge/prforge/pipeline"
)

// Benchmark is how one kind of dataset is evaluated: its questions, reading and
// scoring, and how its tasks are read from a dataset's folder.
type Benchmark struct {
	evaluation.Benchmark
	Items func(dir string) ([]evaluation.Item, error)
	// Cheats are the reviewers that read no meaning, if the benchmark has any.
	Cheats cheats.Set
	// Sheet asks people about what a dataset holds; nil if nobody is asked.
	Sheet func(ctx context.Context, host pipeline.Host, dir string) (Asked, error)
}

// Asked is what people are asked about a dataset.
type Asked struct {
	Sheet label.Sheet // of everything that can be labeled
	// Answers are labels in the form that the configuration takes; nil where it takes none. AnswersIn is the ending of a
	// file of them.
	Answers   func([]label.Label) ([]byte, error)
	AnswersIn string
}

// named finds a benchmark by its name in the manifest; the default is reviews.
func named(benchmarks []Benchmark, name string) (Benchmark, error) {
	if name == "" {
		name = evaluation.Reviews{}.Name()
	}
	var names []string
	for _, b := range benchmarks {
		if b.Name() == name {
			return b, nil
		}
		names = append(names, b.Name())
	}
	return Benchmark{}, fmt.Errorf("the dataset's benchmark is %q; this prforge evaluates %s", name,
		strings.Join(names, ", "))
}

// benchmarkOf reads which benchmark the dataset in dir belongs to.
func benchmarkOf(benchmarks []Benchmark, dir string) (Benchmark, error) {
	kind, err := load.ReadJSON[struct {
		Benchmark string `json:"benchmark"`
	}](dir, artifacts.FileManifest)
	if err != nil {
		return Benchmark{}, fmt.Errorf("%s is not a dataset: %w", dir, err)
	}
	return named(benchmarks, kind.Benchmark)
}

// Open reads which benchmark the dataset in dir belongs to, and its tasks.
func Open(benchmarks []Benchmark, dir string) (Benchmark, []evaluation.Item, error) {
	b, err := benchmarkOf(benchmarks, dir)
	if err != nil {
		return Benchmark{}, nil, err
	}
	items, err := b.Items(dir)
	if err != nil {
		return Benchmark{}, nil, fmt.Errorf("read the tasks of %s: %w", dir, err)
	}
	return b, items, nil
}

// prompted are the items as the configured prompt asks them.
func prompted(b Benchmark, items []evaluation.Item, name string) ([]evaluation.Item, error) {
	if name == "" {
		return items, nil
	}
	p, ok := b.Benchmark.(evaluation.Prompter)
	if !ok {
		return nil, planErrorf("prompt: is %q, but this benchmark (%s) has one prompt", name, b.Name())
	}
	out := make([]evaluation.Item, len(items))
	for i, it := range items {
		var err error
		if out[i], err = p.WithPrompt(it, name); err != nil {
			return nil, &planError{err}
		}
	}
	return out, nil
}

func datasetRef(dir string) (evaluation.DatasetRef, error) {
	m, err := load.ReadJSON[struct {
		Name              string `json:"name"`
		NotForPublication bool   `json:"not_for_publication"`
	}](dir, artifacts.FileManifest)
	if err != nil {
		return evaluation.DatasetRef{}, fmt.Errorf("%s is not a dataset: %w", dir, err)
	}
	sum, err := load.ManifestDigest(dir)
	return evaluation.DatasetRef{Name: m.Name, ManifestSHA256: sum, NotForPublication: m.NotForPublication}, err
}
