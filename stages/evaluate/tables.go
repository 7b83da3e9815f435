package evaluate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/prforge/prforge/evaluation"
)

// HasTables reports whether a protocol is one of a single benchmark, for RescoreTables.
func (e *Evaluation) HasTables(protocol string) bool {
	return slices.ContainsFunc(e.Benchmarks, func(b Benchmark) bool {
		p, ok := b.Benchmark.(evaluation.Publisher)
		return ok && p.Protocol() == protocol
	})
}

// RescoreTables scores a run's stored answers by the published protocol of its benchmark. It writes the tables, and
// the questions and answers in the published form if it has one, to the run's folder. It asks no model.
func (e *Evaluation) RescoreTables(ctx context.Context, protocol string, officialIDs bool) (*evaluation.Tables, error) {
	s, err := e.reopen()
	if err != nil {
		return nil, err
	}
	defer s.folder.close()
	p, ok := s.benchmark.Benchmark.(evaluation.Publisher)
	if !ok || p.Protocol() != protocol {
		return nil, planErrorf("protocol %s is not for this run, which is of the benchmark %s", protocol, s.benchmark.Name())
	}
	results, _, err := s.offline(ctx)
	if err != nil {
		return nil, err
	}
	t, err := p.Publish(s.items, results, evaluation.PublishOptions{Confidence: s.plan.Statistics().Confidence,
		OfficialIDs: officialIDs})
	if err != nil {
		return nil, fmt.Errorf("protocol %s: %w", protocol, err)
	}
	if t.Answers != nil {
		err = writeLines(s.folder, "answers."+protocol+".jsonl", t.Answers)
	}
	return t,
		errors.Join(err,
			s.folder.write("tables."+protocol+".json", map[string]any{"protocol": t.Protocol, "tables": t.Tables}))
}
