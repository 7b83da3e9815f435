package stages

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/bugs"
	"github.com/prforge/prforge/evaluation/debugging"
)

// benchmark is how one kind of dataset is evaluated: its questions, reading and
// scoring, and how its tasks are read from a dataset's folder.
type benchmark struct {
	evaluation.Benchmark
	items func(dir string) ([]evaluation.Item, error)
}

// benchmarks lists what can be evaluated. A dataset's manifest says which one it
// is; without a word it is reviews.
var benchmarks = []benchmark{
	{evaluation.Reviews{}, reviewItems},
	{debugging.Benchmark{}, debuggingItems},
	{bugs.Benchmark{}, bugItems},
}

// benchmarkOf finds a benchmark by the manifest's word.
func benchmarkOf(name string) (benchmark, error) {
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
	return benchmark{}, fmt.Errorf("the dataset's benchmark is %q; this prforge evaluates %s", name, strings.Join(names, ", "))
}

// openBenchmark reads which benchmark the dataset in dir is, and its tasks.
func openBenchmark(dir string) (benchmark, []evaluation.Item, error) {
	kind, err := artifacts.ReadJSON[struct {
		Benchmark string `json:"benchmark"`
	}](dir, artifacts.FileManifest)
	if err != nil {
		return benchmark{}, nil, fmt.Errorf("%s is not a dataset: %w", dir, err)
	}
	b, err := benchmarkOf(kind.Benchmark)
	if err != nil {
		return benchmark{}, nil, err
	}
	items, err := b.items(dir)
	if err != nil {
		return benchmark{}, nil, fmt.Errorf("read the tasks of %s: %w", dir, err)
	}
	return b, items, nil
}

// prompted are the items as the configured prompt asks them.
func prompted(b benchmark, items []evaluation.Item, name string) ([]evaluation.Item, error) {
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

// reviewItems reads the tasks of a dataset of reviewed pull requests.
func reviewItems(dir string) ([]evaluation.Item, error) {
	r := artifacts.Reader{Dir: dir}
	var items []evaluation.Item
	for record, err := range r.Records() {
		if err != nil {
			return nil, err
		}
		it, err := reviewItem(&r, record)
		if err != nil {
			return nil, err
		}
		items = append(items, it)
	}
	return items, nil
}

func reviewItem(r *artifacts.Reader, record *artifacts.Record) (evaluation.Item, error) {
	it := evaluation.Item{
		ID: record.TaskID, Prompts: map[string]string{},
		Groups: map[string]string{"difficulty": string(record.Difficulty), "language": record.Language, "type": record.PRType, "repo": record.Repo},
	}
	version := ""
	for _, config := range artifacts.Configs {
		c, err := r.Context(config, record.TaskID)
		if err != nil {
			return it, err
		}
		it.Prompts[config], version = c.Rendered, c.PipelineVersion
	}
	truth, err := truthOf(r, record.TaskID)
	if err != nil {
		return it, err
	}
	it.Key, err = json.Marshal(evaluation.Key{Repo: record.Repo, Number: record.PRNumber, Title: record.Title, URL: record.PRURL, Diff: record.DiffPatch, Truth: truth, PipelineVersion: version})
	if err != nil {
		return it, fmt.Errorf("key of %s: %w", it.ID, err)
	}
	_, err = it.Review() // refuses ids that come twice
	return it, err
}

// truthOf reads the annotation, with what the evidence adds.
func truthOf(r *artifacts.Reader, task string) ([]evaluation.Truth, error) {
	annotation, err := r.Annotation(task)
	if err != nil {
		return nil, err
	}
	// Visibility and validation are read as they are in the file: datasets of
	// earlier versions lack them.
	evidence, err := artifacts.ReadJSON[struct {
		Comments []struct {
			CommentID  *string  `json:"comment_id"`
			URL        string   `json:"url"`
			VisibleIn  []string `json:"visible_in"`
			Validation *string  `json:"validation"`
		} `json:"comments"`
	}](r.Dir, artifacts.FileEvidence(task))
	if err != nil {
		return nil, err
	}
	truth := []evaluation.Truth{}
	for _, c := range annotation.Comments {
		if !slices.Contains(annotation.SubstantiveCommentIDs, c.CommentID) {
			continue
		}
		t := evaluation.Truth{ID: c.CommentID, Body: c.Body, File: c.File, Line: c.Line, Severity: c.Severity, Reviewer: c.Reviewer}
		for _, e := range evidence.Comments {
			if e.CommentID != nil && *e.CommentID == c.CommentID {
				t.URL, t.VisibleIn = e.URL, e.VisibleIn
				if e.Validation != nil {
					t.Validation = *e.Validation
				}
			}
		}
		truth = append(truth, t)
	}
	return truth, nil
}
