package run

import (
	"context"
	"errors"
	"fmt"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/artifacts/freeze"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
)

// StagesFunc returns the ordered list for a repository's pull requests. Without an error, a nil list ends the
// repository, and the shard says why.
type StagesFunc[F any] func(context.Context, *Shard[F]) ([]pipeline.Stage[*Item], error)

// Recipe is what a benchmark of pull requests adds to [Build]. F is what its global steps need of an item that passed
// every stage.
type Recipe[F any] struct {
	Benchmark artifacts.Benchmark
	Steps     []string // every step of the funnel, in order
	Stages    StagesFunc[F]
	Finalists func(Passed) []F
	// Select runs the global steps, which decide about items of all repositories; nil has none.
	Select func(context.Context, []*Shard[F]) error
	// Fill adds the benchmark's own files to the dataset, and the number of records to its manifest.
	Fill func(context.Context, *freeze.Dataset, *Report) error
}

// Build makes a dataset of the configured repositories by a recipe and freezes it in Env.Out. It returns the report
// with every error that leaves something to report. ErrPartial and ErrEmpty mean that it only did not freeze.
func Build[F any](ctx context.Context, s *Session, r Recipe[F]) (*Report, error) {
	report, err := r.build(ctx, s)
	return report, errors.Join(err, s.WriteReport(report))
}

func (r Recipe[F]) build(ctx context.Context, s *Session) (*Report, error) {
	shards, err := Repositories(ctx, s, r.Stages, r.Finalists)
	if err != nil {
		return nil, err
	}
	s.Graphs.Clear()
	if r.Select != nil {
		if err := r.Select(ctx, shards); err != nil {
			return nil, err
		}
	}
	funnel, err := pipeline.Count(TrailsOf(shards), r.Steps, verdict.StageWindow)
	if err != nil {
		return nil, err
	}
	report := NewReport(s, r.Benchmark, funnel, shards)
	d, err := s.Dataset(r.Benchmark)
	if err != nil {
		return report, err
	}
	if err := r.Fill(ctx, &d, report); err != nil {
		return report, err
	}
	d.Raw, d.Funnel = RawFiles(ctx, s, shards), *funnel
	d.Decisions, d.Repositories = AuditLines(TrailsOf(shards)), RepositoryAudits(shards)
	return report, s.Freeze(ctx, report, d, d.Manifest.Records)
}

// Repositories takes the configured repositories through Repository, and drops those that are listed twice.
func Repositories[F any](ctx context.Context, s *Session, stages StagesFunc[F],
	finalists func(Passed) []F) ([]*Shard[F], error) {
	shards,
		err := EachRepository(ctx, s, s.Repositories(), nil, func(ctx context.Context, ref model.RepoRef) (*Shard[F], error) {
		sh, err := Repository(ctx, s, ref, stages, finalists)
		if err == nil {
			s.Progress.Done(sh.Name(), sh.Summary())
		}
		return sh, err
	})
	if err != nil {
		return nil, err
	}
	DropDuplicates(shards)
	return shards, nil
}

// Repository takes the pull requests of a surveyed repository through a list and notes the finalists of those that
// pass. An error ends the run.
func Repository[F any](ctx context.Context, s *Session, asked model.RepoRef, stages StagesFunc[F],
	finalists func(Passed) []F) (sh *Shard[F], err error) {
	sh, err = OpenShard[F](s, asked)
	if err != nil || sh.Repo == nil {
		return sh, err
	}
	defer func() { err = errors.Join(err, sh.Repo.Release()) }()
	list, err := stages(ctx, sh)
	if err != nil || list == nil {
		return sh, err
	}
	passed, err := sh.RunPulls(ctx, s, list)
	if err != nil {
		return sh, err
	}
	for _, p := range passed {
		sh.Finalists = append(sh.Finalists, finalists(p)...)
	}
	return sh, nil
}

// Summary describes a shard in a few words, for progress.
func (sh *Shard[F]) Summary() string {
	if !sh.Trail.Alive() {
		return string(sh.Trail.Last().Code)
	}
	return fmt.Sprintf("%d pull requests, %d passed", len(sh.Items), len(sh.Finalists))
}
