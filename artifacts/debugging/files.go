package debugging

import (
	"cmp"
	"iter"
	"maps"
	"slices"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/internal/model"
)

// Contents is written as files, beside audit, raw records and manifest.
type Contents struct {
	Tasks  []Task        // in the order of questions.jsonl
	Data   []freeze.File // below data/
	Card   CardFacts     // README.md
	Config []byte        // config.yaml
}

// Files are the dataset's files in a fixed order.
func (c Contents) Files() iter.Seq2[freeze.File, error] {
	return func(yield func(freeze.File, error) bool) {
		put := func(path string, data []byte, err error) bool {
			return yield(freeze.FileOf(path, data), err)
		}
		samples, questions, answers := make([]Sample, len(c.Tasks)), make([]Question, len(c.Tasks)),
			make([]Answer, len(c.Tasks))
		for i, t := range c.Tasks {
			samples[i], questions[i], answers[i] = t.Sample, t.Sample.Question, t.Sample.Answer
			evidence, err := artifacts.Canonical(t.Evidence)
			if !put(FileEvidence(t.Sample.SampleID), evidence, err) {
				return
			}
			prompt, err := artifacts.Canonical(t.Prompt)
			if !put(FilePrompt(t.Sample.SampleID), prompt, err) {
				return
			}
		}
		single, multi := export(c.Tasks)
		for _, f := range []struct {
			path  string
			lines func() ([]byte, error)
		}{
			{FileQuestions, func() ([]byte, error) { return artifacts.CanonicalLines(questions) }},
			{FileAnswers, func() ([]byte, error) { return artifacts.CanonicalLines(answers) }},
			{FileSplit, func() ([]byte, error) { return artifacts.Canonical(OnePerScript(c.Tasks)) }},
			{fileSingle, func() ([]byte, error) { return artifacts.CanonicalLines(single) }},
			{fileMulti, func() ([]byte, error) { return artifacts.CanonicalLines(multi) }},
			{artifacts.FileCard, func() ([]byte, error) { return card(c.Card, samples) }},
			{FileConfig, func() ([]byte, error) { return c.Config, nil }},
		} {
			data, err := f.lines()
			if !put(f.path, data, err) {
				return
			}
		}
		for _, f := range c.Data {
			if !yield(f, nil) {
				return
			}
		}
	}
}

// OnePerScript is the split with one sample per script. The hash of its code selects the sample, among those that
// show after other statements if there are any. Every third script gives one with several errors, if it has any.
func OnePerScript(tasks []Task) model.Split {
	byScript := map[string][]Sample{}
	for _, t := range tasks {
		byScript[t.Sample.ScriptID] = append(byScript[t.Sample.ScriptID], t.Sample)
	}
	out := model.Split{Strata: []model.Stratum{}, TaskIDs: []string{}}
	for i, script := range slices.Sorted(maps.Keys(byScript)) {
		all := byScript[script]
		slices.SortFunc(all, func(a, b Sample) int {
			return cmp.Or(cmp.Compare(a.ErrorCount, b.ErrorCount), cmp.Compare(b.hops(), a.hops()),
				cmp.Compare(a.CodeSHA256, b.CodeSHA256))
		})
		single := slices.IndexFunc(all, func(s Sample) bool { return s.ErrorCount > 1 })
		if single < 0 {
			single = len(all)
		}
		taken := 0
		if i%3 == 2 && single < len(all) || single == 0 {
			taken = single + i/3%(len(all)-single)
		}
		out.TaskIDs = append(out.TaskIDs, all[taken].SampleID)
	}
	slices.Sort(out.TaskIDs)
	out.N = len(out.TaskIDs)
	return out
}

// hops is how many of the errors show after other statements ran.
func (s Sample) hops() int {
	n := 0
	for _, e := range s.Errors {
		if e.HopExecuted > 0 {
			n++
		}
	}
	return n
}
