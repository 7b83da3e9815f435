package stages

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/sourcegraph/conc/iter"

	"github.com/prforge/prforge/artifacts"
	"github.com/prforge/prforge/collectors"
	"github.com/prforge/prforge/internal/model"
	"github.com/prforge/prforge/internal/verdict"
	"github.com/prforge/prforge/pipeline"
)

// shard is what one repository's stages came to: all that the global steps, the
// audit and the report need of it, and nothing that grows with the pull
// requests' contents. It can be stored as JSON. F is what the benchmark's global
// steps need of an item that passed every stage.
type shard[F any] struct {
	Asked     model.RepoRef          `json:"asked"`
	Facts     *model.Repository      `json:"facts"` // nil when they could not be collected
	Score     *model.RepositoryScore `json:"score"` // nil when it was not measured
	Trail     pipeline.Trail         `json:"trail"` // what was decided about the repository
	Items     []*pipeline.Trail      `json:"items"` // what was decided about its items, in the order of the audit
	Finalists []F                    `json:"finals"`
	Used      collectors.Used        `json:"used"`            // the raw records that all this rested on
	Accounts  []string               `json:"accounts"`        // every account seen, by login
	Ruled     []ruled                `json:"ruled,omitempty"` // of comments that somebody judged

	repo   *collectors.Repository // nil when it could not be collected, and in a shard that was stored
	labels map[int]*model.Labels  // of the pull requests that the score read, for runPulls
}

// name is the repository's present name, or the configured one where nothing
// else is known.
func (sh *shard[F]) name() string {
	if sh.Facts != nil {
		return sh.Facts.Ref.String()
	}
	return sh.Asked.String()
}

// gone reports whether GitHub does not have the repository, or nothing in it.
func (sh *shard[F]) gone() bool {
	return sh.Facts == nil && sh.Trail.Last().Outcome == verdict.OutcomeUndetermined
}

// decide notes a decision about the repository.
func (sh *shard[F]) decide(stage string, v verdict.Verdict) {
	sh.Trail.Repo = sh.name()
	sh.Trail.Decide(stage, v)
}

// fail notes that an error kept the repository from being decided.
func (sh *shard[F]) fail(stage string, err error) {
	sh.Trail.Repo = sh.name()
	sh.Trail.Fail(stage, err, collectors.Reason)
}

// eachRepository surveys repositories, prepares them together unless prepare is
// nil, and runs a function for each, Env.Shards at once. It gives their results in
// the order of refs, or the first error.
func eachRepository[R any](ctx context.Context, s *Session, refs []model.RepoRef, prepare func(context.Context, []model.RepoRef) error, run func(context.Context, model.RepoRef) (R, error)) ([]R, error) {
	s.Progress.Phase("repositories", len(refs))
	if err := s.collector.Survey(ctx, refs); err != nil {
		return nil, err
	}
	if prepare != nil {
		if err := prepare(ctx, refs); err != nil {
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

// openShard begins the shard of a repository that was surveyed. Its repo is nil
// where the repository could not be collected, which the trail then says; the
// error is one that ends the run. The caller releases the repo.
func openShard[F any](s *Session, asked model.RepoRef) (*shard[F], error) {
	sh := &shard[F]{Asked: asked, Trail: pipeline.Trail{Kind: string(artifacts.KindRepository)}}
	repo, err := s.collector.Repository(asked)
	if err != nil {
		if collectors.IsFatal(err) {
			return nil, err
		}
		// One repository of hundreds that is gone must not hold up the others.
		if failure := (*collectors.Failure)(nil); errors.As(err, &failure) && failure.Settled() {
			sh.decide(verdict.StageCollectRepository, verdict.Undetermined(failure.Code, failure.Detail))
			return sh, nil
		}
		sh.fail(verdict.StageCollectRepository, err)
		return sh, nil
	}
	sh.Facts, sh.repo = repo.Facts(), repo
	sh.decide(verdict.StageCollectRepository, verdict.Pass())
	return sh, nil
}

// runItems takes items of one repository, or of anything with a name, through
// an ordered list of stages.
func runItems[T any](ctx context.Context, s *Session, name string, list []pipeline.Stage[T], items []T) ([]pipeline.Result[T], error) {
	return pipeline.Run(ctx, list, items, pipeline.Options{
		Workers: s.Workers, Fatal: collectors.IsFatal, Failure: collectors.Reason, Observer: &observer{log: s.Log, progress: s.Progress, name: name},
	})
}

// runPulls takes the pull requests of the window through an ordered list of
// stages and notes what was decided about each in Items, newest number first.
// Further records of those that passed go through the stages after them; their
// trails begin where the revision is chosen. It gives the items that passed every
// stage, in that order, each with the index of its trail in Items.
func (sh *shard[F]) runPulls(ctx context.Context, s *Session, list []pipeline.Stage[*item]) ([]passed, error) {
	census, err := sh.repo.Census()
	if err != nil {
		return nil, err
	}
	inside, over := s.window.Split(census)
	type entry struct {
		trail *pipeline.Trail
		item  *item // nil unless it passed
	}
	var entries []entry
	for _, p := range over {
		if p.Number == 0 {
			continue // taken out
		}
		t := pullTrail(sh.Facts.Ref, p.Number)
		t.Decide(verdict.StageWindow, s.window.Over(p))
		entries = append(entries, entry{trail: t})
	}
	items := make([]*item, len(inside))
	for i, p := range inside {
		items[i] = newItem(sh.repo, p)
		items[i].c.Labels = sh.labels[p.Number]
	}
	sh.labels = nil
	results, err := runItems(ctx, s, sh.name(), list, items)
	if err != nil {
		return nil, err
	}
	more, err := runItems(ctx, s, sh.name(), list, furtherItems(results))
	if err != nil {
		return nil, err
	}
	accounts := map[string]bool{}
	sh.Ruled = nil
	for i := range results {
		r := &results[i]
		if r.Item.hidden {
			continue
		}
		e := entry{trail: pullTrail(sh.Facts.Ref, r.Item.ref.Number)}
		e.trail.Decide(verdict.StageWindow, verdict.Pass())
		pipeline.Take(e.trail, r)
		s.pseudonymise(e.trail, r.Item.c.Pull)
		if r.Alive() {
			e.item = r.Item
		}
		entries = append(entries, e)
		see(accounts, r.Item.c.Pull)
		sh.Ruled = append(sh.Ruled, s.ruledComments(e.trail.Repo+"#"+strconv.Itoa(e.trail.Number), r.Item.c.Labels)...)
	}
	for i := range more {
		r := &more[i]
		e := entry{trail: furtherTrail(r)}
		s.pseudonymise(e.trail, r.Item.c.Pull)
		if r.Alive() {
			e.item = r.Item
		}
		entries = append(entries, e)
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return b.trail.Number - a.trail.Number })
	sh.Items, sh.Accounts = nil, slices.Sorted(maps.Keys(accounts))
	var out []passed
	first := 0 // the index of the pull request's own trail
	for i, e := range entries {
		if e.trail.Item == "" {
			first = i
		}
		sh.Items = append(sh.Items, e.trail)
		use(&sh.Used, e.trail)
		if e.item != nil {
			out = append(out, passed{e.item, i, first})
		}
	}
	return out, nil
}

// passed is an item that passed every stage, the index of its trail, and that of
// its pull request's first record, which may be the same.
type passed struct {
	*item
	index, first int
}

// furtherItems are the further records of the pull requests that passed, each
// from the beginning.
func furtherItems(results []pipeline.Result[*item]) []*item {
	var out []*item
	for i := range results {
		first := results[i].Item
		if !results[i].Alive() {
			continue
		}
		for record := 2; record <= 1+first.further; record++ {
			it := newItem(first.repo, first.summary)
			it.record = record
			out = append(out, it)
		}
	}
	return out
}

// furtherTrail is what was decided about a further record: all from the choice of
// its revision on, since what comes before is about the pull request.
func furtherTrail(r *pipeline.Result[*item]) *pipeline.Trail {
	t := pullTrail(r.Item.repo.Facts().Ref, r.Item.ref.Number)
	t.Kind, t.Item = string(artifacts.KindRevision), artifacts.RecordMark(r.Item.record)
	pipeline.Take(t, r)
	t.Decisions = slices.Delete(t.Decisions, 0, revisionIndex(t.Decisions))
	return t
}

// revisionIndex is where the revision is chosen among decisions; 0 where it is
// not, as when one before it failed.
func revisionIndex(decisions []verdict.Decision) int {
	return max(0, slices.IndexFunc(decisions, func(d verdict.Decision) bool { return d.Stage == verdict.StageRevision }))
}

func pullTrail(repo model.RepoRef, number int) *pipeline.Trail {
	return &pipeline.Trail{Kind: string(artifacts.KindPullRequest), Repo: repo.String(), Number: number}
}

// see notes who took part in a pull request; nil is nobody.
func see(accounts map[string]bool, p *model.PullRequest) {
	if p == nil {
		return
	}
	accounts[p.Author.Login] = true
	for _, r := range p.Reviews {
		accounts[r.Author.Login] = true
	}
	for _, c := range p.Comments {
		accounts[c.Author.Login] = true
	}
	for _, t := range p.Threads {
		for _, c := range t.Comments {
			accounts[c.Author.Login] = true
		}
	}
}

// dropDuplicates rejects a repository that is listed twice, under a former and
// its present name. The present name counts, else the first.
func dropDuplicates[F any](shards []*shard[F]) {
	kept := map[int64]*shard[F]{}
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
		*sh = shard[F]{Asked: sh.Asked, Trail: pipeline.Trail{Kind: sh.Trail.Kind}} // the line goes by the name that was asked for
		sh.decide(verdict.StageCollectRepository, verdict.Reject(verdict.DuplicateRepository, why))
	}
}

// fetchSamples fetches what the scores of all repositories read, in shared
// requests.
func (s *Session) fetchSamples(ctx context.Context, refs []model.RepoRef) error {
	var wanted []collectors.Wanted
	for _, ref := range refs {
		repo, err := s.collector.Repository(ref)
		if collectors.IsFatal(err) {
			return err
		}
		if err != nil {
			continue
		}
		census, err := repo.Census()
		if err != nil {
			return err
		}
		wanted = append(wanted, collectors.Wanted{Repository: repo, Pulls: s.samplePulls(census)})
	}
	err := s.collector.FetchPulls(ctx, wanted...)
	for _, w := range wanted {
		err = errors.Join(err, w.Repository.Release())
	}
	return err
}

// observer passes the engine's progress on.
type observer struct {
	log      *slog.Logger
	progress Progress
	name     string
	of       int
	done     atomic.Int64
}

func (o *observer) StageStarted(stage string, n int) {
	o.of = n
	o.done.Store(0)
	o.progress.Doing(o.name, stage, 0, n)
}

func (o *observer) ItemDone(stage string) {
	o.progress.Doing(o.name, stage, int(o.done.Add(1)), o.of)
}

func (o *observer) StageDone(stage string, c verdict.Counts) {
	o.log.Info("stage", "of", o.name, "stage", stage, "in", o.of, "passed", c.Pass, "rejected", c.Reject, "undetermined", c.Undetermined, "failed", c.Failed)
}
