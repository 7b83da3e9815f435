package review

import (
	"context"
	"errors"
	"fmt"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
	"github.com/prforge/prforge/stages/run"
)

// RepositoryReport is a report for a repository's contributors: its score, what would raise it, and what the pipeline
// would make of its pull requests.
type RepositoryReport struct {
	artifacts.RepositoryAudit
	// Funnel is a dry run of everything up to the selection; nil if the repository could not be collected.
	Funnel *verdict.Funnel `json:"funnel"`
	// Yield is how many of its pull requests would be released if it were the
	// only repository.
	Yield int `json:"yield"`
	// Passes reports whether the score reaches the configured minimum.
	Passes bool `json:"passes"`
}

// ScoreRepositories measures repositories and runs their pull requests through the pipeline without freezing
// anything, also if they fail the gate.
func ScoreRepositories(ctx context.Context, s *run.Session, refs []model.RepoRef) ([]RepositoryReport, error) {
	if err := s.Survey(ctx, refs); err != nil {
		return nil, err
	}
	var out []RepositoryReport
	for _, ref := range refs {
		one, err := scoreRepository(ctx, s, ref)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", ref, err)
		}
		detail := one.Detail
		if detail == "" {
			detail = fmt.Sprintf("score %.1f", float64(*one.RQS))
		}
		s.Progress.Done(ref.String(), detail)
		out = append(out, *one)
	}
	return out, nil
}

func scoreRepository(ctx context.Context, s *run.Session, ref model.RepoRef) (*RepositoryReport, error) {
	sh, err := RunRepository(ctx, s, ref)
	if err != nil {
		return nil, err
	}
	out := &RepositoryReport{RepositoryAudit: sh.Audit(), Passes: sh.Trail.Alive()}
	if sh.Repo == nil || sh.Score == nil {
		return out, nil
	}
	if !out.Passes {
		if err := errors.Join(runPulls(ctx, s, sh), sh.Repo.Release()); err != nil {
			return nil, err
		}
	}
	r := Merge([]*Shard{sh})
	r.SelectPulls(s)
	for _, c := range r.Releases { // a dry run renders nothing
		c.Pass()
	}
	out.Funnel, err = pipeline.Count(run.TrailsOf(r.Shards), stepNames(s), verdict.StageWindow)
	out.Yield = len(r.Releases)
	return out, err
}
