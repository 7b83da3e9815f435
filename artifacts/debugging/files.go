package debugging

import (
	"bytes"
	"fmt"
	"io"
	"iter"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/freeze"
)

// Contents is what becomes files, beside audit, raw records and manifest.
type Contents struct {
	Tasks  []Task        // in the order of samples.jsonl
	Data   []freeze.File // below data/
	Card   CardFacts     // README.md
	Config []byte        // config.yaml
}

// Files are the dataset's files in a fixed order.
func (c Contents) Files() iter.Seq2[freeze.File, error] {
	return func(yield func(freeze.File, error) bool) {
		put := func(path string, data []byte, err error) bool {
			return yield(freeze.File{Path: path, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }}, err)
		}
		samples := make([]Sample, len(c.Tasks))
		for i, t := range c.Tasks {
			samples[i] = t.Sample
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
			{FileSamples, func() ([]byte, error) { return jsonLines(samples) }},
			{fileSingle, func() ([]byte, error) { return jsonLines(single) }},
			{fileMulti, func() ([]byte, error) { return jsonLines(multi) }},
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

func jsonLines[T any](values []T) ([]byte, error) {
	var b bytes.Buffer
	for _, v := range values {
		line, err := artifacts.CanonicalLine(v)
		if err != nil {
			return nil, fmt.Errorf("encode a line: %w", err)
		}
		b.Write(line)
	}
	return b.Bytes(), nil
}
