package run

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"

	"github.com/sourcegraph/conc/iter"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
)

// Shard is the result of one repository's stages: all that the global steps, the audit and the report need of it, and
// nothing that grows with the pull requests' contents. It can be stored as JSON. F is what the benchmark's global
// steps need of an item that passed every stage.
type Shard[F any] struct {
	Asked     model.RepoRef          `json:"asked"`
	Facts     *model.Repository      `json:"facts"` // nil when they could not be collected
	Score     *model.RepositoryScore `json:"score"` // nil when it was not measured
	Trail     pipeline.Trail         `json:"trail"` // what was decided about the repository
	Items     []*pipeline.Trail      `json:"items"` // what was decided about its items, in the order of the audit
	Finalists []F                    `json:"finals"`
	Used      collectors.Used        `json:"used"`            // the raw records that all this used
	Accounts  []string               `json:"accounts"`        // every account seen, by login
	Ruled     []Ruled                `json:"ruled,omitempty"` // of comments that somebody judged

	Repo   *collectors.Repository `json:"-"` // nil when it could not be collected, and in a shard that was stored
	Labels map[int]*model.Labels  `json:"-"` // of the pull requests that the score read, for RunPulls
}

// Name is the repository's current name, or the configured one if no other is known.
func (sh *Shard[F]) Name() string {
	if sh.Facts != nil {
		return sh.Facts.Ref.String()
	}
	return sh.Asked.String()
}

// gone reports whether GitHub does not have the repository, or the repository is empty.
func (sh *Shard[F]) gone() bool {
	return sh.Facts == nil && sh.Trail.Last().Outcome == verdict.OutcomeUndetermined
}

// Decide notes a decision about the repository.
func (sh *Shard[F]) Decide(stage string, v verdict.Verdict) {
	sh.Trail.Repo = sh.Name()
	sh.Trail.Decide(stage, v)
}

// Fail notes the error that prevented a decision about the repository.
func (sh *Shard[F]) Fail(stage string, err error) {
	if collectors.IsNotCollected(err) {
		sh.Decide(stage, verdict.Undetermined(collectors.Reason(err)))
		return
	}
	sh.Trail.Repo = sh.Name()
	sh.Trail.Fail(stage, err, collectors.Reason)
}

// EachRepository surveys repositories, prepares them together unless prepare is nil, and runs a function for each,
// Env.Shards at once. It returns their results in the order of refs, or the first error.
func EachRepository[R any](ctx context.Context, s *Session, refs []model.RepoRef,
	prepare func(context.Context, *Session, []model.RepoRef) error,
	run func(context.Context, model.RepoRef) (R, error)) ([]R, error) {
	if err := s.Survey(ctx, refs); err != nil {
		return nil, err
	}
	if prepare != nil {
		if err := prepare(ctx, s, refs); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	mapper := iter.Mapper[model.RepoRef, R]{MaxGoroutines: max(1, s.Shards)}
	out := mapper.Map(refs, func(ref *model.RepoRef) R {
		var r R
		if ctx.Err() != nil {
			return r
		}
		r, err := run(ctx, *ref)
		if err != nil {
			cancel(fmt.Errorf("%s: %w", ref, err))
		}
		return r
	})
	return out, context.Cause(ctx)
}

// OpenShard begins the shard of a surveyed repository. repo is nil if the repository could not be collected, which
// the trail then says. An error ends the run. The caller releases repo.
func OpenShard[F any](s *Session, asked model.RepoRef) (*Shard[F], error) {
	sh := &Shard[F]{Asked: asked, Trail: pipeline.Trail{Kind: string(artifacts.KindRepository)}}
	repo, err := s.Collector.Repository(asked)
	if err != nil {
		if collectors.IsFatal(err) {
			return nil, err
		}
		// One missing repository must not stop hundreds of others.
		if failure := (*collectors.Failure)(nil); errors.As(err, &failure) && failure.Settled() {
			sh.Decide(verdict.StageCollectRepository, verdict.Undetermined(failure.Code, failure.Detail))
			return sh, nil
		}
		sh.Fail(verdict.StageCollectRepository, err)
		return sh, nil
	}
	sh.Facts, sh.Repo = repo.Facts(), repo
	sh.Decide(verdict.StageCollectRepository, verdict.Pass())
	return sh, nil
}

// runItems takes items of one repository, or of anything with a name, through
// an ordered list of stages.
func runItems[T any](ctx context.Context, s *Session, name string, list []pipeline.Stage[T],
	items []T) ([]pipeline.Result[T], error) {
	return pipeline.Run(ctx, list, items, pipeline.Options{
		Workers: s.Workers, Fatal: collectors.IsFatal, Failure: collectors.Reason, Missing: collectors.IsNotCollected,
		Observer: &Observer{Log: s.Log, Progress: s.Progress, Name: name, Stages: len(list)},
	})
}

// DropDuplicates rejects a repository that is listed twice, under a former and its current name. It keeps the current
// name, else the first.
func DropDuplicates[F any](shards []*Shard[F]) {
	kept := map[int64]*Shard[F]{}
	for _, sh := range shards {
		if sh.Facts == nil || sh.Facts.ID == 0 {
			continue
		}
		if first := kept[sh.Facts.ID]; first == nil || (first.Asked != first.Facts.Ref && sh.Asked == sh.Facts.Ref) {
			kept[sh.Facts.ID] = sh
		}
	}
	for _, sh := range shards {
		if sh.Facts == nil || sh.Facts.ID == 0 || kept[sh.Facts.ID] == sh {
			continue
		}
		why := fmt.Sprintf("%s is %s, which is listed as %s, too", sh.Asked, sh.Facts.Ref, kept[sh.Facts.ID].Asked)
		*sh = Shard[F]{Asked: sh.Asked, Trail: pipeline.Trail{Kind: sh.Trail.Kind}} // the line has the requested name
		sh.Decide(verdict.StageCollectRepository, verdict.Reject(verdict.DuplicateRepository, why))
	}
}

// Observer forwards the engine's progress.
type Observer struct {
	Log      *slog.Logger
	Progress pipeline.Progress
	Name     string
	Stages   int // number of the item's stages; 0 is unknown
	begun    int
	of       int
	done     atomic.Int64
}

// StageStarted reports that a stage begins with n items.
func (o *Observer) StageStarted(stage string, n int) {
	o.begun++
	o.of = n
	o.done.Store(0)
	o.Progress.Doing(o.Name, o.step(stage, 0))
}

// ItemDone reports that a stage has decided one more item.
func (o *Observer) ItemDone(stage string) {
	o.Progress.Doing(o.Name, o.step(stage, int(o.done.Add(1))))
}

func (o *Observer) step(stage string, done int) pipeline.Step {
	s := pipeline.Step{Stage: stage, Done: done, Of: o.of}
	if o.Stages > 0 {
		s.Over = (float64(o.begun-1) + float64(done)/float64(max(1, o.of))) / float64(o.Stages)
	}
	return s
}

// StageDone logs what a stage decided.
func (o *Observer) StageDone(stage string, c verdict.Counts) {
	o.Log.Info("stage", "of", o.Name, "stage", stage, "in", o.of, "passed", c.Pass, "rejected", c.Reject, "undetermined",
		c.Undetermined, "failed", c.Failed)
}
