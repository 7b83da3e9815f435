package evaluate

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/prforge/prforge/evaluation"
	"github.com/prforge/prforge/evaluation/label"
)

// maxSheet bounds the size of a file of labels.
const maxSheet = 64 << 20

// Labels are the labels of people on a sheet.
type Labels struct {
	Asked
	Labels []label.Label
	// Draw is a sheet of n items of it.
	Draw func(n int, seed uint64) label.Sheet
}

// Read adds the labels of tables that people filled in.
func (l *Labels) Read(files []string) error {
	all := [][]label.Label{l.Labels}
	for _, file := range files {
		content, err := readSmall(file)
		if err != nil {
			return err
		}
		labels, err := l.Sheet.ReadCSV(file, content)
		if err != nil {
			return &planError{err}
		}
		if len(labels) == 0 {
			return planErrorf("%s: no row has a label", file)
		}
		all = append(all, labels)
	}
	var err error
	if l.Labels, err = label.Merge(all...); err != nil {
		return &planError{err}
	}
	return nil
}

func readSmall(file string) ([]byte, error) {
	info, err := os.Stat(file)
	if err == nil && info.Size() > maxSheet {
		err = fmt.Errorf("it has %d bytes, and at most %d are read", info.Size(), maxSheet)
	}
	if err != nil {
		return nil, fmt.Errorf("read the labels %s: %w", file, err)
	}
	return os.ReadFile(file)
}

// IsRun reports whether dir is a run folder.
func IsRun(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, runPlan))
	return err == nil
}

// RunLabels are a run's comments for people to label, with the stored labels.
func (e *Evaluation) RunLabels(ctx context.Context) (*Labels, error) {
	s, results, err := e.kept(ctx)
	if err != nil {
		return nil, err
	}
	defer s.folder.close()
	if _, ok := s.benchmark.Benchmark.(evaluation.Reviews); !ok {
		return nil, planErrorf("%s is a run of %s: only the comments of reviews are labeled on a page", e.Run,
			s.benchmark.Name())
	}
	out := &Labels{}
	if out.Sheet, err = evaluation.LabelSheet(s.plan, results, s.items); err != nil {
		return nil, err
	}
	out.Labels = evaluation.LabelsOf(results)
	out.Draw = func(n int, seed uint64) label.Sheet { return evaluation.Draw(out.Sheet, results, n, seed) }
	return out, nil
}

// KeepLabels stores labels in the run folder and scores it again.
func (e *Evaluation) KeepLabels(ctx context.Context, l *Labels) (*Outcome, error) {
	s, err := e.reopen()
	if err != nil {
		return nil, err
	}
	defer s.folder.close()
	if err := writeLines(s.folder, evaluation.FileLabels, l.Labels); err != nil {
		return nil, err
	}
	return s.score(ctx)
}

// DatasetLabels are what people are asked about a dataset.
func (e *Evaluation) DatasetLabels(ctx context.Context, dir string) (*Labels, error) {
	b, err := benchmarkOf(e.Benchmarks, dir)
	if err != nil {
		return nil, err
	}
	if b.Sheet == nil {
		return nil,
			planErrorf("%s is a dataset of %s: only the comments of reviews and the links of escaped defects are labeled on a page", dir, b.Name())
	}
	asked, err := b.Sheet(ctx, e.Host, dir)
	if err != nil {
		return nil, fmt.Errorf("read what to label in %s: %w", dir, err)
	}
	if len(asked.Sheet.Items) == 0 {
		return nil, planErrorf("%s holds nothing to label", dir)
	}
	return &Labels{Asked: asked, Draw: asked.Sheet.Sample}, nil
}
