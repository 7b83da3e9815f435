package evaluate

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/sourcegraph/conc/pool"

	"github.com/prforge/prforge/artifacts/load"
	"github.com/prforge/prforge/evaluation"
)

// runPool is the file of a run folder with the findings that the judge saw.
const runPool = "pool.jsonl"

// asked returns the findings for the judge: those of several reviewers, and some of a single one.
func (s *session) asked(results []evaluation.Result) ([]evaluation.Finding, error) {
	if !s.plan.Judge.Asks() || s.benchmark.Name() != (evaluation.Reviews{}).Name() {
		return nil, planErrorf("--pool: findings are judged by a model, and of reviews only")
	}
	if err := s.labels(results); err != nil {
		return nil, err
	}
	findings := evaluation.Findings(s.plan, results)
	single := slices.IndexFunc(findings, evaluation.Finding.Single)
	if single < 0 {
		return findings, nil
	}
	return findings[:min(len(findings), single+s.Pool)], nil
}

func (s *session) lastConfig() string { return s.plan.Configs[len(s.plan.Configs)-1] }

// poolKey is the key of the answers about a finding.
func (s *session) poolKey(f evaluation.Finding) evaluation.RecordKey {
	return evaluation.RecordKey{Model: s.plan.Judge.ID, Config: f.ID, Task: f.Task, Repeat: 1}
}

// askPool asks the judge about findings.
func (s *session) askPool(ctx context.Context, a *askers) error {
	results, _, err := s.offline(ctx)
	if err != nil {
		return err
	}
	findings, err := s.asked(results)
	if err != nil {
		return err
	}
	s.Progress.Phase("findings", len(findings))
	group := pool.New().WithMaxGoroutines(s.workers()).WithContext(ctx).WithCancelOnError().WithFirstError()
	for i := range findings {
		group.Go(func(ctx context.Context) error {
			how, err := s.judgeFinding(ctx, a, &findings[i])
			s.Progress.Done(findings[i].ID, how)
			return err
		})
	}
	return group.Wait()
}

// judgeFinding asks about one finding and returns a short text on the result. A call without an answer is not an
// error: the same command asks again.
func (s *session) judgeFinding(ctx context.Context, a *askers, f *evaluation.Finding) (how string, err error) {
	ask := a.by(a.judge, s.plan.Judge.Call, s.poolKey(*f), poolRole)
	code, err := s.plan.JudgeFinding(ctx, s.items[f.Task], f, ask)
	switch {
	case code == "" && err != nil:
		return "", err
	case code != "" && ctx.Err() != nil:
		return code, ctx.Err()
	case code != "":
		return code, nil
	}
	return f.Valid, nil
}

// pool is the findings of some results with the stored answers about them. Findings of one reviewer that the judge
// did not see only count.
func (s *session) pool(ctx context.Context, a *askers, results []evaluation.Result) ([]evaluation.Finding, error) {
	if a.judge == nil || s.benchmark.Name() != (evaluation.Reviews{}).Name() {
		return nil, nil
	}
	findings := evaluation.Findings(s.plan, results)
	var errs []error
	for i := range findings {
		_, err := s.judgeFinding(ctx, a, &findings[i])
		errs = append(errs, err)
	}
	return findings, errors.Join(errs...)
}

// labels adds people's labels, if the run folder has any.
func (s *session) labels(results []evaluation.Result) error {
	b, ok := s.benchmark.Benchmark.(evaluation.Labeler)
	if !ok {
		return nil
	}
	text, err := load.ReadBytes(s.folder.dir, evaluation.FileLabels)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = b.Label(results, text)
	}
	if err != nil {
		return planErrorf("%s: %w", filepath.Join(s.folder.dir, evaluation.FileLabels), err)
	}
	return nil
}
