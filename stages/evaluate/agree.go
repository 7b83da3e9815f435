package evaluate

import (
	"context"
	"errors"

	"github.com/prforge/prforge/evaluation"
)

// Agree measures the judge of a run folder against itself, against the folder's human labels, and against the judge
// of another run folder on the same answers ("" for none). It asks no model.
func (e *Evaluation) Agree(ctx context.Context, otherRun string) (*evaluation.Agreement, error) {
	s, results, err := e.kept(ctx)
	if err != nil {
		return nil, err
	}
	defer s.folder.close()
	if !s.benchmark.Judged() {
		return nil, planErrorf("%s: agreement is about labels of single comments, of which the benchmark %q has none", e.Run,
			s.benchmark.Name())
	}
	a := evaluation.Agree(s.plan, results)
	if otherRun != "" {
		other := *e
		other.Run = otherRun
		theirs, others, err := other.kept(ctx)
		if err != nil {
			return nil, err
		}
		defer theirs.folder.close()
		c, err := evaluation.AgreeWith(s.plan.Statistics(), theirs.plan.Judge.ID+" in "+otherRun, results, others)
		if err != nil {
			return nil, err
		}
		a.Others = append(a.Others, c)
	}
	return &a, nil
}

// kept opens a run folder and evaluates its stored answers.
func (e *Evaluation) kept(ctx context.Context) (*session, []evaluation.Result, error) {
	s, err := e.reopen()
	if err != nil {
		return nil, nil, err
	}
	results, _, err := s.offline(ctx)
	if err == nil {
		err = s.labels(results)
	}
	if err != nil {
		return nil, nil, errors.Join(err, s.folder.close())
	}
	return s, results, nil
}
